/** A token of JSON text: the inside of a string, the name of a field, a number or literal, or the text in between. */
export interface JsonToken {
  readonly role: 'text' | 'field' | 'literal' | 'mark';
  /** As written; all tokens concatenated are the whole text. */
  readonly text: string;
  /** Name of the field whose value it is, directly or in a list. */
  readonly field?: string | undefined;
  /** Earlier fields of the same object. */
  readonly neighbours?: readonly string[] | undefined;
}

const piece = /"(?:[^"\\]|\\.)*"?|[^\s{}[\],:"]+|[\s{}[\],:]/gs;

/**
 * The tokens of a JSON object or list, which may be cut and end with an ellipsis. `undefined` for any other text.
 *
 * @param field name of the field whose value the text is; with it, the text may be any JSON value
 */
export function jsonTokens(text: string, field?: string): JsonToken[] | undefined {
  if (!isJson(text, field !== undefined)) return undefined;
  const tokens: JsonToken[] = [];
  /** The current field of each open object or list. */
  const open: { isObject: boolean; field: string | undefined; atName: boolean; neighbours: string[] }[] = [];
  for (const [written] of text.matchAll(piece)) {
    const inner = open.at(-1);
    const value = inner ? inner.field : field;
    if (written.startsWith('"')) {
      const isClosed = written.length > 1 && /(?:^|[^\\])(?:\\\\)*"$/.test(written.slice(1));
      const inside = written.slice(1, isClosed ? -1 : undefined);
      const isName = inner?.isObject === true && inner.atName;
      if (isName) {
        if (inner.field !== undefined) inner.neighbours.push(inner.field);
        inner.field = unescaped(inside);
      }
      tokens.push(
        { role: 'mark', text: '"' },
        isName
          ? { role: 'field', text: inside }
          : { role: 'text', text: inside, field: value, neighbours: inner?.neighbours },
        { role: 'mark', text: isClosed ? '"' : '' },
      );
    } else if (/^[\s{}[\],:]$/.test(written)) {
      if (written === '{') open.push({ isObject: true, field: undefined, atName: true, neighbours: [] });
      if (written === '[') open.push({ isObject: false, field: value, atName: false, neighbours: [] });
      if (written === '}' || written === ']') open.pop();
      if (inner && written === ',') inner.atName = inner.isObject;
      if (inner && written === ':') inner.atName = false;
      tokens.push({ role: 'mark', text: written });
    } else {
      tokens.push({ role: 'literal', text: written, field: value });
    }
  }
  return text.endsWith('…') && !isCutJson(tokens) ? undefined : tokens;
}

/** Cut text cannot be parsed: it is JSON if all its literals but the last are JSON literals. */
function isCutJson(tokens: readonly JsonToken[]): boolean {
  const words = tokens.filter(({ role }) => role === 'literal');
  return words.every(
    ({ text }) => text.endsWith('…') || /^(?:true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i.test(text),
  );
}

function isJson(text: string, isAny: boolean): boolean {
  if (!isAny && !/^\s*[{[]/.test(text)) return false;
  if (text.endsWith('…')) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function unescaped(inside: string): string {
  try {
    return JSON.parse(`"${inside}"`) as string;
  } catch {
    return inside;
  }
}
