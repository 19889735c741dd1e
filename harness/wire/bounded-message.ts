/** Characters that reports show of one text of an integrator's own check; an assertion may say all of a body. */
const shownCharacters = 4_000;

/** The text as far as reports show it. One that is longer is cut, and says so. */
export function boundedMessage(text: string): string {
  if (text.length <= shownCharacters) return text;
  return `${text.slice(0, shownCharacters)}… (cut here: it had ${text.length} characters)`;
}
