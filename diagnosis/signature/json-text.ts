/** JSON as written: numbers and strings keep their notation, fields their order. */
export type JsonText =
  | { kind: 'object'; fields: readonly (readonly [name: string, value: JsonText])[] }
  | { kind: 'array'; items: readonly JsonText[] }
  /** `raw` as written, with its quotes. */
  | { kind: 'string' | 'number' | 'word'; raw: string };

/** Notation of JSON. */
export interface JsonStyle {
  /** Between two fields or items, and between a name and its value. */
  between: string;
  afterName: string;
  /** If set, every field and item is on its own line. */
  indent?: string;
  order?: (fields: readonly (readonly [string, JsonText])[]) => readonly (readonly [string, JsonText])[];
  /** Writes a string; it is given with its quotes. */
  string: (raw: string) => string;
  number: (raw: string) => string;
}

const token = /\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:])/y;

/** Parses JSON and keeps its notation. Throws SyntaxError. */
export function readJsonText(text: string): JsonText {
  JSON.parse(text);
  token.lastIndex = 0;
  const next = (): string => token.exec(text)?.[1] ?? '';
  const value = (first: string): JsonText => {
    if (first === '{') {
      const fields: [string, JsonText][] = [];
      for (let name = next(); name !== '}'; name = next()) {
        if (name === ',') continue;
        next();
        fields.push([name, value(next())]);
      }
      return { kind: 'object', fields };
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
  const { between, afterName, indent, order = (fields) => fields } = style;
  const inside = (open: string, parts: readonly string[], close: string) => {
    if (parts.length === 0) return `${open}${close}`;
    if (indent === undefined) return `${open}${parts.join(between)}${close}`;
    const line = (deep: number) => `\n${indent.repeat(deep)}`;
    return `${open}${line(depth + 1)}${parts.join(`,${line(depth + 1)}`)}${line(depth)}${close}`;
  };
  switch (value.kind) {
    case 'object': {
      const fields = order(value.fields).map(
        ([name, field]) => `${style.string(name)}${afterName}${writeJsonText(field, style, depth + 1)}`,
      );
      return inside('{', fields, '}');
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

/** Fields in the order of the code units of their names, as most libraries sort. */
export function sorted(fields: readonly (readonly [string, JsonText])[]): readonly (readonly [string, JsonText])[] {
  const key = ([name]: readonly [string, JsonText]) => JSON.parse(name) as string;
  return fields.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}
