const noWidth = /\p{Mn}|\p{Me}/u;
const doubleWidth = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}/u;

/** Columns of the string on a terminal. It must not contain colour codes. */
export function columns(text: string): number {
  let width = 0;
  for (const character of text) width += noWidth.test(character) ? 0 : doubleWidth.test(character) ? 2 : 1;
  return width;
}

/** Pads with spaces to `width` columns. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)));
}

/** Shortens to `width` columns, with an ellipsis if needed. */
export function shortened(text: string, width: number): string {
  if (columns(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const character of text) {
    used += columns(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Wraps to at most `rows` non-empty lines of `width` columns; if cut, the last line ends in an ellipsis. */
export function boundedLines(text: string, width: number, rows: number): string[] {
  const shown = shortened(text, width * rows);
  const lines = wrapped(shown, width).filter((line) => line.trim() !== '');
  if (lines.length <= rows) return lines;
  const last = (lines[rows - 1] ?? '').replace(/\s*…$/, '');
  return [...lines.slice(0, rows - 1), shortened(`${last} …`, width)];
}

/** Reduces `widths` to `room` columns in total, the widest first, none below `least`. */
export function fitted(widths: readonly number[], room: number, least: number): number[] {
  const fit = [...widths];
  let over = fit.reduce((sum, width) => sum + width, 0) - room;
  for (; over > 0; over -= 1) {
    const widest = fit.indexOf(Math.max(...fit));
    if ((fit[widest] ?? 0) <= least) break;
    fit[widest] = (fit[widest] ?? 0) - 1;
  }
  return fit;
}

/** Wraps at spaces to lines of at most `width` columns; longer words (addresses) are not broken. */
export function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let current = '';
    for (const word of line.split(' ')) {
      const longer = current === '' ? word : `${current} ${word}`;
      if (current !== '' && columns(longer) > width) {
        lines.push(current);
        current = word;
      } else {
        current = longer;
      }
    }
    return [...lines, current];
  });
}
