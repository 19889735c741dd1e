import type { ServiceInbox } from './service-inbox.ts';
import type { ContactRecord } from './workspace.ts';

/** From the range that Germany reserves for fiction. */
const someNumber = '+4915228817386';

/** The default customer: the first contact of the inbox that has a number. */
export function defaultCustomer({ workspace, contacts }: ServiceInbox): ContactRecord {
  for (const contact of workspace.contacts.values()) if (contact.phone !== null) return contact;
  return contacts.forPhone(someNumber);
}
