// C0 without tab and newline, DEL and C1; soft hyphen; Arabic letter mark; zero-width and direction marks; line and
// paragraph separators; direction overrides and isolates; byte order mark; non-characters; tag characters; lone
// surrogates.
const hidden =
  // eslint-disable-next-line no-control-regex -- it matches control characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}\p{Surrogate}]/gu;

/**
 * Replaces each character that would act on a terminal or page instead of being shown (escape sequences,
 * direction overrides, zero-width characters) with `⟨U+202E⟩`. Keeps tabs and newlines.
 */
export function visibleControls(text: string): string {
  return text.replace(hidden, named);
}

/** Like `visibleControls`, for text that must fit on one line. */
export function visibleOnOneLine(text: string): string {
  return visibleControls(text).replace(/[\t\n]/g, named);
}

function named(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
