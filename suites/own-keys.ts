import { isJsonContainer } from '../specs/json-object.ts';

/** Fields by which a system may recognise a record, and the kind of record that alone has this value. */
const kindOfKey: Readonly<Record<string, string>> = {
  phone: 'contact',
  phoneNumber: 'contact',
  from: 'contact',
  crmContactId: 'contact',
  crmProjectId: 'project',
  externalId: 'data',
};

/** Digits at the end of a key that are changed: a country code stays. */
const changedDigits = 6;

/**
 * The event with keys that no record of an earlier event has: a phone number belongs to one contact (interface:
 * Contact), and a receiver may reject a second one with it. A key that ends with digits gets others of the same length;
 * any other is unchanged.
 *
 * @param idOf the record of each kind that the event is about, if any
 * @param owners which record has which key; extended by those of this event
 */
export function withOwnKeys(
  event: unknown,
  idOf: (kind: string) => string | undefined,
  owners: Map<string, string>,
): unknown {
  const ownKey = (kind: string, owner: string, key: string): string => {
    for (const candidate of candidates(key)) {
      const name = `${kind} ${candidate}`;
      if ((owners.get(name) ?? owner) !== owner) continue;
      owners.set(name, owner);
      return candidate;
    }
    return key;
  };
  const visit = (value: unknown): unknown => {
    if (!isJsonContainer(value)) return value;
    if (Array.isArray(value)) return value.map(visit);
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => {
        const kind = kindOfKey[name];
        const owner = kind === undefined ? undefined : idOf(kind);
        if (kind === undefined || owner === undefined || typeof field !== 'string') return [name, visit(field)];
        return [name, ownKey(kind, owner, field)];
      }),
    );
  };
  return visit(event);
}

/** The key, and those that differ from it in its last digits. */
function* candidates(key: string): Generator<string> {
  yield key;
  const [digits = ''] = new RegExp(`\\d{1,${changedDigits}}$`).exec(key) ?? [];
  const before = key.slice(0, key.length - digits.length);
  const count = digits === '' ? 0 : 10 ** digits.length;
  for (let more = 1; more < Math.min(count, 1_000); more++) {
    yield before + String((Number(digits) + more) % count).padStart(digits.length, '0');
  }
}
