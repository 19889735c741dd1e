/** Characters of a message of an integrator's check in reports; an assertion may contain a whole body. */
const shownCharacters = 4_000;

/** Truncates a message for reports, with a note. */
export function boundedMessage(text: string): string {
  if (text.length <= shownCharacters) return text;
  return `${text.slice(0, shownCharacters)}… (truncated, ${text.length} characters)`;
}
