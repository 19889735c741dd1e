import type { ContactRecord } from './workspace.ts';

/** A contact of which only the id is known. */
export function emptyContact(id: number): ContactRecord {
  return {
    id,
    phone: null,
    email: null,
    firstName: null,
    lastName: null,
    serviceConsent: false,
    marketingConsent: false,
    crm: {},
    lastWroteAt: {},
    undeliverable: false,
  };
}
