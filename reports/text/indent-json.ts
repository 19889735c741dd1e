import { fileBounds, readBoundedJson } from '../../specs/bounded-json.ts';
import { isJson } from '../model/is-json.ts';

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Indents JSON text for reading. Every token is kept as written (number forms, escapes, field
 * order, duplicate fields); text that is not JSON, or nested so deep that its indentation would exceed memory, is returned
 * unchanged.
 */
export function indentJson(text: string): string {
  if (!isJson(text) || 'unread' in readBoundedJson(Buffer.from(text), fileBounds)) return text;
  let depth = 0;
  let out = '';
  let previous = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [piece] of text.matchAll(token)) {
    const opened = previous === '{' || previous === '[';
    if (piece === '}' || piece === ']') {
      depth -= 1;
      out += opened ? piece : line() + piece;
    } else if (piece === ',') {
      out += piece;
    } else if (piece === ':') {
      out += ': ';
    } else {
      out += opened || previous === ',' ? line() + piece : piece;
      if (piece === '{' || piece === '[') depth += 1;
    }
    previous = piece;
  }
  return out;
}
