import { numberOfRequest } from '../specs/deep-link.ts';
import type { ApiTarget, Contact, ContactData, ContactDataAnswer, ContactRequest } from '../specs/generated/types.ts';
import { applyContactData, contactDataOf } from './contact-data.ts';
import type { Conversations } from './conversations.ts';
import { emptyContact } from './empty-contact.ts';
import type { InboxCore } from './inbox-core.ts';
import { Problem } from './problem.ts';
import type { ContactRecord, ProjectRecord } from './workspace.ts';

/** An inbox with the parts that contacts use. */
interface ContactsInbox extends InboxCore {
  readonly conversations: Conversations;
}

/** The target of a request: one of the four fields at the top level, or in `target`. */
export type TargetFields = ApiTarget & { target?: ApiTarget };

/** The contacts of one inbox (interface: Contact). */
export class Contacts {
  readonly #inbox: ContactsInbox;
  readonly #byPhone = new Map<string, ContactRecord>();
  /** By address in lower case; the first contact with it. */
  readonly #byEmail = new Map<string, ContactRecord>();

  constructor(inbox: ContactsInbox) {
    this.#inbox = inbox;
    for (const contact of inbox.workspace.contacts.values()) this.#enter(contact);
  }

  /** Creates the contact with this phone number, or changes the given fields (interface: API v1, POST /v1/contacts). */
  upsert(request: ContactRequest): { contact: ContactRecord; created: boolean } {
    const known = this.byPhone(request.phone);
    const contact = known ?? this.#add({ phone: plainPhone(request.phone) });
    const { firstName, lastName, email, serviceConsent } = request;
    if (firstName !== undefined) contact.firstName = firstName;
    if (lastName !== undefined) contact.lastName = lastName;
    if (serviceConsent !== undefined) contact.serviceConsent = serviceConsent;
    if (email !== undefined) this.#setEmail(contact, email);
    return { contact, created: known === undefined };
  }

  /** Throws {@link Problem} not_found. */
  get(id: number): ContactRecord {
    const contact = this.#inbox.workspace.contacts.get(id);
    if (!contact) throw new Problem('not_found', `expected a contact of this inbox, received the id ${id}`);
    return contact;
  }

  /** Finds a contact by a number in any notation. */
  byPhone(phone: string): ContactRecord | undefined {
    return this.#byPhone.get(plainPhone(phone));
  }

  /** Finds a contact by address, ignoring case. */
  byEmail(email: string): ContactRecord | undefined {
    return this.#byEmail.get(email.toLowerCase());
  }

  /** The contact with this number, created if there is none. */
  forPhone(phone: string): ContactRecord {
    return this.byPhone(phone) ?? this.#add({ phone: plainPhone(phone) });
  }

  /** The contact with this address, created if there is none. */
  forEmail(email: string): ContactRecord {
    return this.byEmail(email) ?? this.#add({ email });
  }

  /**
   * The contact and project of a request. A contactId or projectId must exist: throws {@link Problem} not_found or
   * project_not_found. An unknown phone number or email address creates a contact. Without a projectId it is the
   * contact's current project, opened if there is none.
   */
  resolve(fields: TargetFields): { contact: ContactRecord; project: ProjectRecord } {
    const { conversations } = this.#inbox;
    const { projectId, ...of } = fields.target ?? fields;
    if (projectId !== undefined) {
      const project = conversations.get(projectId);
      return { contact: conversations.contactOf(project), project };
    }
    const contact = this.named(of);
    return { contact, project: conversations.current(contact) };
  }

  /**
   * The contact with an id, number or address. Throws {@link Problem} not_found for an unknown id; creates the others.
   */
  named({ contactId, phone, email }: Omit<ApiTarget, 'projectId'>): ContactRecord {
    if (contactId !== undefined) return this.get(contactId);
    if (phone !== undefined) return this.forPhone(phone);
    return this.forEmail(email ?? '');
  }

  /** The contact as the API returns it. */
  wire({ id, phone, firstName, lastName, email, serviceConsent }: ContactRecord): Contact {
    return { id, phone, firstName, lastName, email, serviceConsent };
  }

  /** The contact of a CRM event. */
  contactData(contact: ContactRecord): ContactData {
    return contactDataOf(contact);
  }

  /** Applies the contact data of a CRM answer; omitted fields stay unchanged (interface: CRM webhook answer). */
  applyCrm(contact: ContactRecord, answer: ContactDataAnswer): void {
    const { email, ...rest } = answer;
    const before = contact.email;
    const changed = applyContactData(contact, rest);
    if (email !== undefined) this.#setEmail(contact, email === '' ? null : email);
    if (contact.email !== before) changed.push('email');
    if (changed.length === 0) return;
    this.#inbox.log('crm-data', `contact: ${changed.join(', ')}`, { of: 'contact', contactId: contact.id, changed });
  }

  /**
   * The number with which an event names a contact: this one, unless it is that of another contact. The same caller is the
   * same contact in every event.
   */
  numberOf(id: number, phone: string): string {
    const { workspace, ids } = this.#inbox;
    const owner = this.byPhone(phone);
    if (owner?.id === id) return phone;
    const contact = workspace.contacts.get(id) ?? this.adopt({ id });
    if (!owner) {
      this.#byPhone.set(plainPhone(phone), contact);
      return phone;
    }
    return contact.phone ?? this.numberOf(id, `${reservedCode}${ids.integer()}`);
  }

  /** Adds a contact with this id, or changes the given fields: for one that an event names. */
  adopt({ id, ...fields }: Partial<ContactRecord> & Pick<ContactRecord, 'id'>): ContactRecord {
    const { contacts } = this.#inbox.workspace;
    const contact = contacts.get(id) ?? emptyContact(id);
    contacts.set(id, contact);
    const { email, ...others } = fields;
    Object.assign(contact, others);
    if (email !== undefined) this.#setEmail(contact, email);
    this.#enter(contact);
    return contact;
  }

  #add(fields: Pick<ContactRecord, 'phone'> | Pick<ContactRecord, 'email'>): ContactRecord {
    const contact: ContactRecord = { ...emptyContact(this.#inbox.ids.integer()), ...fields };
    this.#inbox.workspace.contacts.set(contact.id, contact);
    this.#enter(contact);
    return contact;
  }

  #enter(contact: ContactRecord): void {
    const { phone, email } = contact;
    if (phone !== null) this.#byPhone.set(plainPhone(phone), contact);
    if (email !== null && !this.byEmail(email)) this.#byEmail.set(email.toLowerCase(), contact);
  }

  #setEmail(contact: ContactRecord, email: string | null): void {
    const before = contact.email?.toLowerCase();
    contact.email = email;
    if (before === email?.toLowerCase()) return;
    if (before !== undefined && this.#byEmail.get(before) === contact) {
      this.#byEmail.delete(before);
      for (const other of this.#inbox.workspace.contacts.values()) {
        if (other.email?.toLowerCase() === before) this.#enter(other);
      }
    }
    this.#enter(contact);
  }
}

/** Begins numbers that belong to no one (ITU-T E.164: reserved). */
const reservedCode = '+999';

/** Plus sign and digits of a number in any notation; any other text is returned unchanged. */
export function plainPhone(phone: string): string {
  return numberOfRequest(phone) ?? phone;
}
