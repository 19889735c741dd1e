import { schemas } from '../../specs/schemas.ts';
import type { DocumentedPlace } from '../undocumented-fields.ts';

/** Names that CRM systems use for the fields of contactData. */
const contactNames: Readonly<Record<string, readonly string[]>> = {
  crmContactId: ['id', 'contactId', 'customerId', 'customerNumber', 'externalId'],
  firstName: ['givenName', 'forename', 'vorname'],
  lastName: ['surname', 'familyName', 'nachname'],
  company: ['companyName', 'organisation', 'organization'],
  email: ['mail', 'emailAddress'],
  phoneNumber: ['phone', 'telephone', 'mobile'],
  addressLine1: ['street', 'address'],
  postCode: ['zip', 'zipCode', 'postalCode'],
  city: ['town'],
  language: ['locale'],
  crmAiInfo: ['aiInfo', 'info', 'notes', 'context'],
  postalAddresses: ['addresses'],
};

/** The same for projectData. */
const projectNames: Readonly<Record<string, readonly string[]>> = {
  crmProjectId: ['id', 'caseId', 'caseNumber', 'projectId', 'ticketId', 'ticketNumber', 'externalId'],
  projectName: ['name', 'title'],
  currentSummary: ['summary'],
  postcode: ['zip', 'zipCode', 'postalCode'],
};

const contactFields = Object.keys(schemas.contactDataAnswer.properties ?? {});
const projectFields = Object.keys(schemas.projectDataAnswer.properties ?? {});

function placeOf(
  label: string,
  fields: readonly string[],
  names: Readonly<Record<string, readonly string[]>>,
): DocumentedPlace {
  return {
    label,
    fields: Object.fromEntries(
      fields.map((field) => [
        field,
        { holds: field === 'postalAddresses' ? 'list' : 'value', otherNames: names[field] ?? [] },
      ]),
    ),
  };
}

/** The object of a 200 answer or of a callback (interface: CRM webhook). */
export const answerPlace: DocumentedPlace = {
  label: 'an answer to a CRM event',
  fields: {
    requestContactUpdate: { holds: 'value', otherNames: ['updateContact', 'contactUpdate'] },
    contactData: {
      holds: 'object',
      otherNames: ['contact', 'customer', 'person', 'crmContact'],
      fields: contactFields,
    },
    requestProjectUpdate: { holds: 'value', otherNames: ['updateProject', 'projectUpdate'] },
    projectData: { holds: 'object', otherNames: ['project', 'case', 'ticket', 'crmProject'], fields: projectFields },
  },
};

/** The parts of an answer. */
export const partPlaces = {
  contactData: placeOf('contactData', contactFields, contactNames),
  projectData: placeOf('projectData', projectFields, projectNames),
} as const;
