/** JSON as it is written: numbers and strings keep their own form, members their order. */
export type JsonText =
  | { kind: 'object'; members: readonly (readonly [name: string, value: JsonText])[] }
  | { kind: 'array'; items: readonly JsonText[] }
  /** `raw` as in the text, with its quotes. */
  | { kind: 'string' | 'number' | 'word'; raw: string };

/** How JSON is written. */
export interface JsonStyle {
  /** Between two members or items, and between a name and its value. */
  between: string;
  afterName: string;
  /** With it every member and item stands on a line of its own. */
  indent?: string;
  order?: (members: readonly (readonly [string, JsonText])[]) => readonly (readonly [string, JsonText])[];
  /** Writes a string; it is given with its quotes. */
  string: (raw: string) => string;
  number: (raw: string) => string;
}

const token = /\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:])/y;

/** Reads JSON without losing how it was written. Throws SyntaxError. */
export function readJsonText(text: string): JsonText {
  JSON.parse(text);
  token.lastIndex = 0;
  const next = (): string => token.exec(text)?.[1] ?? '';
  const value = (first: string): JsonText => {
    if (first === '{') {
      const members: [string, JsonText][] = [];
      for (let name = next(); name !== '}'; name = next()) {
        if (name === ',') continue;
        next();
        members.push([name, value(next())]);
      }
      return { kind: 'object', members };
    }
    if (first === '[') {
      const items: JsonText[] = [];
      for (let item = next(); item !== ']'; item = next()) if (item !== ',') items.push(value(item));
      return { kind: 'array', items };
    }
    return { kind: first.startsWith('"') ? 'string' : /^[-\d]/.test(first) ? 'number' : 'word', raw: first };
  };
  return value(next());
}

/** Writes JSON in a style. */
export function writeJsonText(value: JsonText, style: JsonStyle, depth = 0): string {
  const { between, afterName, indent, order = (members) => members } = style;
  const inside = (open: string, parts: readonly string[], close: string) => {
    if (parts.length === 0) return `${open}${close}`;
    if (indent === undefined) return `${open}${parts.join(between)}${close}`;
    const line = (deep: number) => `\n${indent.repeat(deep)}`;
    return `${open}${line(depth + 1)}${parts.join(`,${line(depth + 1)}`)}${line(depth)}${close}`;
  };
  switch (value.kind) {
    case 'object': {
      const members = order(value.members).map(
        ([name, member]) => `${style.string(name)}${afterName}${writeJsonText(member, style, depth + 1)}`,
      );
      return inside('{', members, '}');
    }
    case 'array': {
      const items = value.items.map((item) => writeJsonText(item, style, depth + 1));
      return inside('[', items, ']');
    }
    case 'string':
      return style.string(value.raw);
    case 'number':
      return style.number(value.raw);
    case 'word':
      return value.raw;
  }
}

/** Members in the order of the code units of their names, as most libraries sort. */
export function sorted(members: readonly (readonly [string, JsonText])[]): readonly (readonly [string, JsonText])[] {
  const key = ([name]: readonly [string, JsonText]) => JSON.parse(name) as string;
  return members.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}
