/** The first `most` Unicode code points of a text; the text itself when it is no longer than that. */
export function cutText(text: string, most: number): string {
  // A code point has one or two UTF-16 units, so a short text need not be counted.
  if (text.length <= most) return text;
  let units = 0;
  for (let left = most; left > 0 && units < text.length; left--)
    units += (text.codePointAt(units) ?? 0) > 0xff_ff ? 2 : 1;
  return text.slice(0, units);
}

/** Unicode code points of a text in one line of the live log, at most. */
const lineLength = 80;

/** A text as part of one line for people: no line breaks, and no longer than is read at a glance. */
export function oneLine(text: string): string {
  const read = cutText(text, lineLength * 10);
  const line = read.replaceAll(/\s+/g, ' ').trim();
  const cut = cutText(line, lineLength);
  return cut === line && read === text ? line : `${cut}…`;
}
