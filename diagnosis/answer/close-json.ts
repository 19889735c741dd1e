import { parseJsonText } from '../../harness/checks/json.ts';

/** Quotes after the last comma of truncated JSON: those of a field name. */
const quotesOfName = 2;

/** The open parts at the end of truncated JSON. */
interface OpenEnd {
  /** Closing brackets, in order. */
  ends: string;
  inString: boolean;
  /** Offset of an incomplete escape. */
  escape: number | undefined;
  /** Offset of the comma before an incomplete last field. */
  comma: number | undefined;
}

function openEnd(text: string): OpenEnd {
  const open: string[] = [];
  let inString = false;
  let escape: number | undefined;
  let comma: number | undefined;
  let quotes = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      inString = !inString;
      if (++quotes > quotesOfName) comma = undefined;
    } else if (inString) {
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
  return { ends: open.toReversed().join(''), inString, escape, comma };
}

/** Removes trailing commas and white space. */
function withoutTail(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ',' || text[end - 1]?.trim() === '')) end--;
  return text.slice(0, end);
}

/**
 * Closes everything that is open in truncated JSON; returns complete JSON unchanged. Reads each character a bounded number
 * of times.
 */
export function closeJson(text: string): string {
  const { ends, inString, escape, comma } = openEnd(text);
  if (!inString && ends === '') return text;
  const whole = inString ? `${text.slice(0, escape)}"` : withoutTail(text);
  // The cut may be after a name or a colon, where a value is missing, or within a value that cannot be closed.
  const candidates = [whole];
  if (whole.endsWith(':')) candidates.push(`${whole}null`);
  if (whole.endsWith('"')) candidates.push(`${whole}:null`);
  if (comma !== undefined) candidates.push(text.slice(0, comma));
  return candidates.map((one) => one + ends).find((one) => parseJsonText(one) !== undefined) ?? whole + ends;
}
