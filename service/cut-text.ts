/** The first `most` Unicode code points of a string; the string itself when it is not longer. */
export function cutText(text: string, most: number): string {
  // A code point has one or two UTF-16 units, so a short text need not be counted.
  if (text.length <= most) return text;
  let units = 0;
  for (let left = most; left > 0 && units < text.length; left--)
    units += (text.codePointAt(units) ?? 0) > 0xff_ff ? 2 : 1;
  return text.slice(0, units);
}

/** Maximum number of Unicode code points of a message in one line of the live log. */
const lineLength = 80;

/** A string as part of one line for people: no line breaks, and shortened. */
export function oneLine(text: string): string {
  const read = cutText(text, lineLength * 10);
  const line = read.replaceAll(/\s+/g, ' ').trim();
  const cut = cutText(line, lineLength);
  return cut === line && read === text ? line : `${cut}…`;
}
