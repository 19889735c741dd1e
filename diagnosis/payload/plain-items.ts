import type { JsonObject } from '../../specs/json-value.ts';

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

/** A plain item for each list that is empty in a plain event, by name of the list. */
export const plainItems: Readonly<Record<string, JsonObject>> = { skills: plainSkill, postalAddresses: plainAddress };
