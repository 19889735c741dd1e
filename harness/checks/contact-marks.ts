import { isJsonObject } from '../../specs/json-object.ts';
import { customerName, type Samples } from './samples.ts';

/** Shortest id and phone number, in digits: shorter numbers occur in answers by chance. */
const leastDigits = 9;

/** Values that identify a contact. */
interface Contact {
  id?: unknown;
  phone?: unknown;
  name?: unknown;
}

/**
 * The contacts of all events of a run, by values that no text contains by chance: ids, phone numbers and names that were
 * generated for this run.
 */
export class ContactMarks {
  /** The id of the contact by its mark. */
  readonly #numbers = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #samples: Pick<Samples, 'isSampleContact'>;

  /** @param samples made the contacts that count: others may have values that several contacts share */
  constructor(samples: Pick<Samples, 'isSampleContact'>) {
    this.#samples = samples;
  }

  /** Adds the contact of an event. */
  add(event: unknown): void {
    const { id, phone, name } = contactOfEvent(event) ?? {};
    if (!this.#samples.isSampleContact(id)) return;
    const owner = String(id);
    for (const one of [owner, typeof phone === 'string' ? phone.replaceAll(/\D/g, '') : '']) {
      if (/^\d+$/.test(one) && one.length >= leastDigits) this.#numbers.set(one, owner);
    }
    if (typeof name === 'string' && customerName.test(name)) this.#names.set(name, owner);
  }

  /**
   * The value of another contact in the text of an answer; `undefined` if there is none.
   *
   * @param event the event that was answered, as text: what it contains may be repeated, and its contact remembered
   */
  foreignIn(answer: string, event: string): string | undefined {
    const isForeign = (mark: string, owner: string | undefined) =>
      owner !== undefined && !event.includes(mark) && !event.includes(owner);
    return (
      (answer.match(/\d+/g) ?? []).find((one) => isForeign(one, this.#numbers.get(one))) ??
      [...this.#names].find(([name, owner]) => answer.includes(name) && isForeign(name, owner))?.[0]
    );
  }
}

/** The contact of a chat or CRM event. */
export function contactOfEvent(event: unknown): Contact | undefined {
  if (!isJsonObject(event)) return undefined;
  const { data, contactData } = event;
  if (isJsonObject(contactData)) return { id: contactData.svcContactId };
  if (!isJsonObject(data) || !isJsonObject(data.contact)) return undefined;
  const { id, phone, name } = data.contact;
  return { id, phone, name };
}
