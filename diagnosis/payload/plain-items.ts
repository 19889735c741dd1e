import type { Json } from './event-sender.ts';

export const plainSkill = { id: 901, key: 'sales', name: 'Sales', kind: 'forward', announcement: null };
export const plainAddress = {
  type: 'home',
  label: '',
  isDefault: true,
  addressLine1: 'Hauptstr. 1',
  addressLine2: '',
  postalCode: '10115',
  city: 'Berlin',
  country: 'DE',
};

/** A plain item of each list that a plain event leaves empty, by the name of the list. */
export const plainItems: Readonly<Record<string, Json>> = { skills: plainSkill, postalAddresses: plainAddress };
