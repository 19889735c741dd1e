import { readCrmBody } from '../../service/read-crm-answer.ts';
import type { ContactData } from '../../specs/generated/types.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { DriverContext } from './driver-context.ts';

/** Applies the answers and callbacks of the CRM to contacts and projects, as the service does (interface: CRM webhook). */
export class CrmAnswers {
  readonly #context: DriverContext;

  constructor(context: DriverContext) {
    this.#context = context;
  }

  /**
   * Applies the flagged parts of a valid body to the contact and the project of an event; later events about this
   * contact carry the data. Returns whether the body was valid.
   */
  apply(
    schema: 'crmAnswer' | 'crmCallback',
    { contactData, projectData }: Record<string, unknown>,
    body: Uint8Array,
  ): boolean {
    const { contacts, conversations, workspace } = this.#context.inbox.service.inbox;
    const read = readCrmBody(schema, body);
    if ('invalid' in read) return false;
    const contact = isJsonObject(contactData) && workspace.contacts.get(contactData['svcContactId'] as number);
    if (contact && read.parts.contactData) {
      const before = contacts.contactData(contact);
      contacts.applyCrm(contact, read.parts.contactData);
      const after = contacts.contactData(contact);
      this.#context.sample.supply({ ...changedFields(before, after), svcContactId: contact.id });
    }
    const project = isJsonObject(projectData) && workspace.projects.get(projectData['svcProjectId'] as number);
    if (project && read.parts.projectData) conversations.applyCrm(project, read.parts.projectData);
    return true;
  }
}

function changedFields(before: ContactData, after: ContactData): Partial<ContactData> {
  const names = Object.keys(after) as (keyof ContactData)[];
  const changed = names.filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}
