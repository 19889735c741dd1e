import { limits } from '../specs/limits.ts';
import type { ContactData, ContactDataAnswer, PostalAddress, PostalAddressAnswer } from '../specs/generated/types.ts';
import { parseAnyTime } from './parse-any-time.ts';
import { timestamp } from './clock.ts';
import { cutText } from './cut-text.ts';
import type { ContactRecord } from './workspace.ts';

/** Defaults for fields that the CRM has not sent. */
const nothingKnown = {
  crmContactId: null,
  language: 'de-DE',
  city: null,
  addressLine1: null,
  postCode: null,
  salutation: null,
  company: null,
  customDate1: null,
  customDate2: null,
  customNumeric1: null,
  customNumeric2: null,
  customString1: null,
  customString2: null,
  customString3: null,
  customString4: null,
  customString5: null,
  customCheckBox1: null,
  customCheckBox2: null,
  customOptIn1: null,
  customOptIn2: null,
  customOptIn3: null,
  crmInternalInfo: null,
  crmAiInfo: null,
  postalAddresses: [],
} as const satisfies Partial<ContactData>;

/** The contact of a CRM event: every documented field (interface: CRM webhook: contactData). */
export function contactDataOf({ id, phone, firstName, lastName, email, crm }: ContactRecord): ContactData {
  return {
    ...nothingKnown,
    postalAddresses: [],
    ...crm,
    svcContactId: id,
    // A contact without one writes by email or in the web chat (assumption contact-without-phone).
    phoneNumber: phone ?? '',
    firstName,
    lastName,
    email,
  };
}

/**
 * Applies the contact data of a CRM answer, except for the email; missing fields stay unchanged, and so do id and phone
 * number, which identify the contact. Returns the names of the changed fields.
 */
export function applyContactData(contact: ContactRecord, answer: Omit<ContactDataAnswer, 'email'>): string[] {
  const before = contactDataOf(contact);
  const { firstName, lastName, language, crmContactId, crmAiInfo, postalAddresses, ...others } = answer;
  const { svcContactId: _id, phoneNumber: _phone, ...texts } = others;
  if (firstName !== undefined) contact.firstName = firstName;
  if (lastName !== undefined) contact.lastName = lastName;
  // Calls know only these languages (interface: Own-AI phone frames).
  if (language === 'de-DE' || language === 'en-US') contact.crm.language = language;
  // An empty id links nothing.
  if (crmContactId !== undefined) contact.crm.crmContactId = crmContactId === '' ? null : crmContactId;
  if (crmAiInfo !== undefined) {
    contact.crm.crmAiInfo = crmAiInfo === null ? null : cutText(crmAiInfo, limits.crmAiInfoCharacters);
  }
  if (postalAddresses !== undefined) contact.crm.postalAddresses = postalAddresses.map(postalAddress);
  for (const [name, value] of Object.entries(texts)) {
    if (!Object.hasOwn(nothingKnown, name)) continue;
    const optIn = name.startsWith('customOptIn') && typeof value === 'string' ? parseAnyTime(value) : undefined;
    Object.assign(contact.crm, { [name]: optIn === undefined ? value : timestamp(optIn) });
  }
  const after = contactDataOf(contact);
  return (Object.keys(after) as (keyof ContactData)[]).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
}

/** As sent: strings, empty where there is no value (assumption postal-address-nulls). */
function postalAddress(answer: PostalAddressAnswer): PostalAddress {
  const { type, label, isDefault, addressLine1, addressLine2, postalCode, city, country } = answer;
  return {
    type: type ?? '',
    label: label ?? '',
    isDefault: isDefault ?? false,
    addressLine1: addressLine1 ?? '',
    addressLine2: addressLine2 ?? '',
    postalCode: postalCode ?? '',
    city: city ?? '',
    country: country ?? '',
  };
}
