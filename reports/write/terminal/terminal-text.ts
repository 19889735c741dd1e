const noWidth = /\p{Mn}|\p{Me}/u;
const doubleWidth = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}/u;

/** Columns the text takes on a terminal; colour codes are not expected in it. */
export function columns(text: string): number {
  let width = 0;
  for (const character of text) width += noWidth.test(character) ? 0 : doubleWidth.test(character) ? 2 : 1;
  return width;
}

/** The text filled up with spaces to `width` columns. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)));
}

/** The text, or as much of it as fits into `width` columns with an ellipsis. */
export function shortened(text: string, width: number): string {
  if (columns(text) <= width) return text;
  let taken = '';
  let used = 1;
  for (const character of text) {
    used += columns(character);
    if (used > width) break;
    taken += character;
  }
  return `${taken}…`;
}

/** The text on at most `rows` lines of `width` columns without empty ones; cut, it ends in one ellipsis. */
export function boundedLines(text: string, width: number, rows: number): string[] {
  const shown = shortened(text, width * rows);
  const lines = wrapped(shown, width).filter((line) => line.trim() !== '');
  if (lines.length <= rows) return lines;
  const last = (lines[rows - 1] ?? '').replace(/\s*…$/, '');
  return [...lines.slice(0, rows - 1), shortened(`${last} …`, width)];
}

/** `widths` brought down to `room` columns in all, the widest first, none below `least`. */
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

/** The text as lines of at most `width` columns, broken at spaces; a longer word (an address) stays whole. */
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
