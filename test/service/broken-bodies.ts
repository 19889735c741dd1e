/** A JSON Schema of the OpenAPI document, with references into `#/$defs/`. */
export interface DocumentSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, DocumentSchema | false>;
  additionalProperties?: DocumentSchema | boolean;
  items?: DocumentSchema;
  oneOf?: DocumentSchema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
}

/** A change that breaks one rule of a valid body. */
export interface Breakage {
  /** Describes the broken rule. */
  rule: string;
  /** JSON Pointer of the fault. */
  pointer: string;
  /** The broken body; `undefined` if the change does not apply to this body. */
  of: (body: Json) => Json | undefined;
}

type Json = Record<string, unknown>;

/** Values of every JSON type but null, which is read as missing. */
const ofType: Readonly<Record<string, readonly unknown[]>> = {
  string: ['text'],
  integer: [7],
  number: [1.5],
  boolean: [true],
  array: [[]],
  object: [{}],
};

/** Every change that breaks one rule of a schema for bodies at one place. */
export function breakagesOf(root: DocumentSchema, defs: Readonly<Record<string, DocumentSchema>>): Breakage[] {
  const follow = (schema: DocumentSchema): DocumentSchema => {
    const name = schema.$ref?.slice('#/$defs/'.length);
    return name === undefined ? schema : follow(defs[name] ?? {});
  };
  /** Fields of which a body has exactly one, at the top or below `target`. */
  const choices = new Map<string, string[]>();
  const found: Breakage[] = [];

  const visit = (given: DocumentSchema, path: readonly string[]): void => {
    const schema = follow(given);
    const pointer = path.map((step) => `/${step}`).join('');
    if (path.length > 0) {
      for (const [rule, value] of wrongValues(schema))
        found.push({ rule, pointer, of: (body) => put(body, path, value) });
    }
    const choice = (schema.oneOf ?? []).flatMap(({ required = [] }) => required);
    if (choice.length > 0) {
      choices.set(pointer, choice);
      found.push({ rule: 'no target', pointer, of: (body) => changed(body, path, (inner) => without(inner, choice)) });
      for (const field of choice) {
        const value = field === 'phone' ? '+4930901820' : field === 'email' ? 'a@b.example' : 7;
        if (field === 'target') continue;
        found.push({
          rule: `two targets, one of them ${field}`,
          pointer,
          of: (body) => changed(body, path, (inner) => (field in inner ? undefined : { ...inner, [field]: value })),
        });
      }
    }
    for (const field of schema.required ?? []) {
      found.push({
        rule: 'a missing field',
        pointer: `${pointer}/${field}`,
        of: (body) => changed(body, path, (inner) => without(inner, [field])),
      });
    }
    for (const [field, inner] of Object.entries(schema.properties ?? {})) {
      if (inner !== false) visit(inner, [...path, field]);
    }
    if (schema.items) visit(schema.items, [...path, '0']);
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties, [...path, 'some']);
  };

  /** The body with a value at a place and the objects above it; `undefined` if that would select another target. */
  const put = (body: Json, path: readonly string[], value: unknown): Json | undefined => {
    const [name = '', ...rest] = path;
    const walk = (inner: unknown, at: readonly string[], under: string): unknown => {
      const [step, ...more] = at;
      if (step === undefined) return value;
      if (/^\d+$/.test(step)) return [walk(undefined, more, `${under}/${step}`)];
      const known = (typeof inner === 'object' && inner !== null ? inner : {}) as Json;
      if (choices.get(under)?.includes(step) && !Object.hasOwn(known, step)) return unfit;
      const below = walk(known[step], more, `${under}/${step}`);
      return below === unfit ? unfit : { ...known, [step]: below };
    };
    const made = walk(body, [name, ...rest], '');
    return made === unfit ? undefined : (made as Json);
  };

  visit(root, []);
  return found;
}

/** Marks a place that a body does not have. */
const unfit = Symbol('unfit');

/** Changes the object at a place; `undefined` without one, or without a change. */
function changed(body: Json, path: readonly string[], change: (inner: Json) => Json | undefined): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return change(body);
  const inner = body[name];
  if (typeof inner !== 'object' || inner === null) return undefined;
  const below = changed(inner as Json, rest, change);
  return below && { ...body, [name]: below };
}

function without(inner: Json, fields: readonly string[]): Json | undefined {
  const left = Object.fromEntries(Object.entries(inner).filter(([field]) => !fields.includes(field)));
  return Object.keys(left).length < Object.keys(inner).length ? left : undefined;
}

/** Values that each break one keyword of a schema. */
function wrongValues(schema: DocumentSchema): [rule: string, value: unknown][] {
  const { type, minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems, pattern, format } = schema;
  const types = type === undefined ? [] : [type].flat();
  const found: [string, unknown][] = [];
  if (types.length > 0) {
    for (const [other, values] of Object.entries(ofType)) {
      // An integer is also a number.
      if (!types.includes(other))
        found.push(...values.map((value): [string, unknown] => [`${other} for ${types.join(' or ')}`, value]));
    }
  }
  if (schema.enum) found.push(['a value of no list', 'no-such-value'], ['a number for a value of a list', 7]);
  if (minimum !== undefined) found.push([`less than ${minimum}`, minimum - 1]);
  if (maximum !== undefined) found.push([`more than ${maximum}`, maximum + 1]);
  if (minLength > 0) found.push(['an empty text', '']);
  if (maxLength !== undefined) found.push([`longer than ${maxLength}`, `a@${'x'.repeat(maxLength)}`]);
  if (pattern !== undefined) found.push([`not of the pattern ${pattern}`, 'it is nothing of this kind']);
  if (format !== undefined) found.push([`not of the format ${format}`, 'yesterday']);
  if (minItems > 0) found.push(['an empty list', []]);
  if (maxItems !== undefined) found.push([`more than ${maxItems} items`, Array.from({ length: maxItems + 1 }, String)]);
  return found;
}
