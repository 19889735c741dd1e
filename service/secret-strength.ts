import { vocabulary } from '../specs/vocabulary.ts';

/** Minimum number of characters of a secret that cannot be guessed; as many as its shortest part has. */
const fewestInformative = 8;

/** Words of the longest names that we use: own-ai-chat, webhookToken. */
const wordsOfName = 3;

/** Shortest word that counts within camelCase; shorter ones occur in random text by chance. */
const shortestPart = 3;

/**
 * Marks the characters of a secret that set it apart from ordinary text: no words of the interface or of our messages,
 * no ascending, descending or repeated digits, and no separators.
 */
export function informativeCharacters(secret: string): boolean[] {
  const marks = Array.from({ length: secret.length }, (_, at) => !/[\s\-_.:/,;]/.test(secret.charAt(at)));
  const unmark = (from: number, text: string) => marks.fill(false, from, from + text.length);
  for (const { 0: run, index } of secret.matchAll(/\p{L}+/gu)) {
    if (isWord(run)) unmark(index, run);
    for (const { 0: part, index: at } of run.matchAll(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu)) {
      if (part.length >= shortestPart && isWord(part)) unmark(index + at, part);
    }
  }
  for (const { 0: run, index } of secret.matchAll(/\d{3,}/g)) if (isCounted(run)) unmark(index, run);
  return marks;
}

/** Whether a secret is short, or made of plain words and digit sequences, so that it can be guessed. */
export function isWeakSecret(secret: string): boolean {
  return informativeCharacters(secret).filter(Boolean).length < fewestInformative;
}

/**
 * Whether a secret may occur in our own sentences by chance: a few characters, or as many of our words as a name has.
 */
export function resemblesProse(secret: string): boolean {
  if (secret.length < fewestInformative) return true;
  if (/[^\p{L}\s\-_.:/,;]/u.test(secret) || informativeCharacters(secret).some(Boolean)) return false;
  return (secret.match(/\p{Lu}?\p{Ll}+|\p{Lu}+/gu) ?? []).length <= wordsOfName;
}

function isWord(text: string): boolean {
  const { has } = vocabulary();
  return has(text.toLowerCase(), false) || has(text, true);
}

function isCounted(digits: string): boolean {
  return ['0123456789012', '9876543210987', ...'0123456789'].some((row) =>
    row.length === 1 ? digits === row.repeat(digits.length) : row.includes(digits),
  );
}
