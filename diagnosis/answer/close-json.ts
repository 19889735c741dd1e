import { parseJsonText } from '../../harness/checks/json.ts';

/** Quotes that the last field of a text may have had behind its comma when it was cut: those of its name. */
const quotesOfName = 2;

/** What is open where a text ends. */
interface OpenEnd {
  /** Brackets that close it, in order. */
  ends: string;
  inText: boolean;
  /** Where an escape begins that is not whole. */
  escape: number | undefined;
  /** The comma behind which a field begins that nothing but its name, a colon and the start of a value follow. */
  comma: number | undefined;
}

function openEnd(text: string): OpenEnd {
  const open: string[] = [];
  let inText = false;
  let escape: number | undefined;
  let comma: number | undefined;
  let quotes = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      inText = !inText;
      if (++quotes > quotesOfName) comma = undefined;
    } else if (inText) {
      if (char !== '\\') continue;
      const length = text[at + 1] === 'u' ? 6 : 2;
      if (at + length > text.length) escape = at;
      at += length - 1;
    } else if (char === ',') [comma, quotes] = [at, 0];
    else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']');
      comma = undefined;
    } else if (char === '}' || char === ']') {
      open.pop();
      comma = undefined;
    }
  }
  return { ends: open.toReversed().join(''), inText, escape, comma };
}

/** Without commas and white space at the end. */
function withoutTail(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ',' || text[end - 1]?.trim() === '')) end--;
  return text.slice(0, end);
}

/**
 * A JSON text that stops early, with everything closed that is open. Texts that are whole come back as they are. Reads
 * each character a bounded number of times.
 */
export function closeJson(text: string): string {
  const { ends, inText, escape, comma } = openEnd(text);
  if (!inText && ends === '') return text;
  const whole = inText ? `${text.slice(0, escape)}"` : withoutTail(text);
  // The cut may stand behind a name or a colon, where a value is missing, or within a value that cannot be closed.
  const candidates = [whole];
  if (whole.endsWith(':')) candidates.push(`${whole}null`);
  if (whole.endsWith('"')) candidates.push(`${whole}:null`);
  if (comma !== undefined) candidates.push(text.slice(0, comma));
  return candidates.map((one) => one + ends).find((one) => parseJsonText(one) !== undefined) ?? whole + ends;
}
