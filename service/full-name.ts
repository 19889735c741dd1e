import type { ContactRecord } from './workspace.ts';

/** First and last name of a contact, as far as they are known. */
export function fullName({ firstName, lastName }: ContactRecord): string | undefined {
  const name = [firstName, lastName].filter((part) => part !== null && part.trim() !== '').join(' ');
  return name === '' ? undefined : name;
}
