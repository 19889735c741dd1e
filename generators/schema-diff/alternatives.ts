import { isJsonObject } from '../../specs/json-object.ts';
import {
  schemaAt,
  SchemaLibraryError,
  type LooseSchema,
  type PlacedSchema,
  type SchemaLibrary,
} from './schema-library.ts';
import { shared } from './set-algebra.ts';

/** JSON types; a number that may have a fraction is distinct from an integer. */
export const jsonTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type JsonKind = (typeof jsonTypes)[number];

/** Keywords with one number each: the stricter of two, and the type to which they apply. */
export const bounds = {
  minLength: { stricter: Math.max, of: 'string' },
  maxLength: { stricter: Math.min, of: 'string' },
  minimum: { stricter: Math.max, of: 'number' },
  maximum: { stricter: Math.min, of: 'number' },
  exclusiveMinimum: { stricter: Math.max, of: 'number' },
  exclusiveMaximum: { stricter: Math.min, of: 'number' },
  minItems: { stricter: Math.max, of: 'array' },
  maxItems: { stricter: Math.min, of: 'array' },
  minProperties: { stricter: Math.max, of: 'object' },
  maxProperties: { stricter: Math.min, of: 'object' },
} as const;
export type Bound = keyof typeof bounds;

/** One alternative of a schema, without references, `allOf` or choices. */
export interface Alternative {
  /** Name of the branch, if any, by which branches of two versions are matched. */
  readonly label: string;
  readonly kinds: ReadonlySet<JsonKind>;
  /** JSON of the permitted values, if they are listed. */
  readonly values: ReadonlySet<string> | undefined;
  readonly limits: Readonly<Partial<Record<Bound, number>>>;
  readonly patterns: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
  /** All of these must be met. */
  readonly items: readonly PlacedSchema[];
  readonly fields: ReadonlyMap<string, readonly PlacedSchema[]>;
  readonly required: ReadonlySet<string>;
  readonly others: readonly PlacedSchema[];
  /** Keywords that are compared as text only. */
  readonly rest: Readonly<Record<string, string>>;
  readonly descriptions: readonly string[];
}

const annotations = new Set(
  '$schema $id $defs $comment $ref allOf title description examples example default deprecated readOnly writeOnly'.split(
    ' ',
  ),
);
/** Maximum number of alternatives; the product of choices is cut there. */
const mostAlternatives = 64;
/** Maximum number of consecutive references; more are assumed to be a cycle. */
const mostReferences = 100;

interface AlternativePiece {
  readonly keywords: { readonly [keyword: string]: unknown };
  readonly base: string;
  readonly label: string;
}

/**
 * All alternatives that match all of these schemas. Empty: no value matches. `oneOf` is read as `anyOf`, assuming that
 * its branches exclude each other.
 */
export function alternativesOf(schemas: readonly PlacedSchema[], library: SchemaLibrary, label = ''): Alternative[] {
  const found: Alternative[] = [];
  const expand = (
    open: readonly (PlacedSchema & { label: string })[],
    done: readonly AlternativePiece[],
    depth: number,
  ): void => {
    if (depth > mostReferences) {
      throw new SchemaLibraryError('A reference of the schema leads back to itself.', library.version);
    }
    const [next, ...later] = open;
    if (found.length >= mostAlternatives) return;
    if (next === undefined) {
      const merged = merge(done);
      if (merged) found.push(merged);
      return;
    }
    const { schema, base } = next;
    if (schema === false) return;
    if (schema === true) {
      expand(later, done, depth);
      return;
    }
    const own = typeof schema['title'] === 'string' ? schema['title'] : next.label;
    const also: (PlacedSchema & { label: string })[] = [];
    if (typeof schema['$ref'] === 'string') {
      const named = schema['$ref'].split('/').at(-1) ?? '';
      also.push({ ...library.resolve(schema['$ref'], base), label: next.label === '' ? named : next.label });
    }
    for (const each of list(schema['allOf'])) also.push({ schema: schemaAt(each, base), base, label: '' });
    const { oneOf, anyOf, ...keywords } = schema;
    const piece: AlternativePiece = { keywords, base, label: own };
    const choices = [oneOf, anyOf].filter((choice) => choice !== undefined).map(list);
    const each = (index: number, chosen: readonly (PlacedSchema & { label: string })[]): void => {
      const choice = choices[index];
      if (choice === undefined) {
        expand([...also, ...chosen, ...later], [...done, piece], depth + 1);
        return;
      }
      for (const branch of choice) {
        each(index + 1, [...chosen, { schema: schemaAt(branch, base), base, label: '' }]);
      }
    };
    each(0, []);
  };
  expand(schemas.map((schema) => ({ ...schema, label })), [], 0); // prettier-ignore
  return found;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Intersection of all pieces. `undefined`: they contradict each other in type or value. */
function merge(pieces: readonly AlternativePiece[]): Alternative | undefined {
  let kinds = new Set<JsonKind>(jsonTypes);
  let values: Set<string> | undefined;
  const limits: Partial<Record<Bound, number>> = {};
  const [patterns, formats, required] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const items: PlacedSchema[] = [];
  const others: PlacedSchema[] = [];
  const fields = new Map<string, PlacedSchema[]>();
  const rest: Record<string, string> = {};
  const descriptions: string[] = [];
  for (const { keywords, base } of pieces) {
    const placed = (schema: unknown): PlacedSchema => ({ schema: schemaAt(schema, base), base });
    for (const [keyword, content] of Object.entries(keywords)) {
      if (keyword === 'type') {
        const named = new Set((Array.isArray(content) ? content : [content]) as JsonKind[]);
        if (named.has('number')) named.add('integer');
        kinds = shared(kinds, named);
      } else if (keyword === 'const' || keyword === 'enum') {
        const listed = new Set((keyword === 'const' ? [content] : list(content)).map((each) => JSON.stringify(each)));
        values = values === undefined ? listed : shared(values, listed);
      } else if (Object.hasOwn(bounds, keyword) && typeof content === 'number') {
        const known = limits[keyword as Bound];
        limits[keyword as Bound] = known === undefined ? content : bounds[keyword as Bound].stricter(known, content);
      } else if (keyword === 'pattern') patterns.add(String(content));
      else if (keyword === 'format') formats.add(String(content));
      else if (keyword === 'required') for (const name of list(content)) required.add(String(name));
      else if (keyword === 'items') items.push(placed(content));
      else if (keyword === 'additionalProperties') others.push(placed(content));
      else if (keyword === 'properties' && isJsonObject(content)) {
        for (const [name, field] of Object.entries(content)) {
          fields.set(name, [...(fields.get(name) ?? []), placed(field)]);
        }
      } else if (keyword === 'description') descriptions.push(String(content));
      else if (!annotations.has(keyword) && !keyword.startsWith('x-')) rest[keyword] = JSON.stringify(content);
    }
  }
  if (values !== undefined) {
    values = new Set([...values].filter((text) => kinds.has(kindOf(JSON.parse(text)))));
    kinds = shared(kinds, new Set([...values].map((text) => kindOf(JSON.parse(text)))));
  }
  if (kinds.size === 0) return undefined;
  const label = pieces.map((piece) => piece.label).filter((each) => each !== '').join(' '); // prettier-ignore
  return { label, kinds, values, limits, patterns, formats, items, fields, required, others, rest, descriptions };
}

/** The type of a JSON value. */
export function kindOf(value: unknown): JsonKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as JsonKind;
}

/** Whether one of these schemas accepts no value. */
export function acceptsNothing(schemas: readonly PlacedSchema[]): boolean {
  return schemas.some(({ schema }) => schema === false);
}

/** The schema that an absent keyword implies. */
export const anything: PlacedSchema & { schema: LooseSchema } = { schema: true, base: '' };
