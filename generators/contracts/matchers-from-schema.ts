import { explainViolations } from '../../specs/explain-violations.ts';
import type { FormatName } from '../../specs/formats.ts';
import { resolveRef, schemas, type JsonSchema, type SchemaName } from '../../specs/schemas.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { pointerSegment } from '../../specs/json-pointer.ts';
import type { Matched } from './contract.ts';
import { formatPatterns } from './format-patterns.ts';
import type { JsonValue } from '../../specs/json-value.ts';

export interface MatcherOptions {
  /** `$id` against which the references of a schema passed by value are resolved. */
  readonly base?: string;
  /** Matchers that replace those of the schema, by JSON Pointer into the example. */
  readonly instead?: Readonly<Record<string, Matched>>;
  /** Match `maxLength` too. Only for received messages: the lengths of sent ones are our choice, not a rule. */
  readonly lengths?: boolean;
}

/**
 * An example with matchers from its schema: types, patterns, formats, value lists, items. An optional field is present
 * only if the example has it, null only where the example is null, and a list empty only where the example's is.
 *
 * @param schema one of our schemas by name, or any schema together with `options.base`
 * @throws RangeError if the example does not match the schema
 */
export function matchersFromSchema(
  schema: SchemaName | JsonSchema,
  example: JsonValue,
  options: MatcherOptions = {},
): Matched {
  const root = typeof schema === 'string' ? schemas[schema] : schema;
  const base = root.$id ?? options.base ?? '';
  const [violation] = explainViolations(root, example, base);
  if (violation) {
    const { pointer, expected, received } = violation;
    throw new RangeError(`example of ${root.title ?? base}${pointer}: expected ${expected}, received ${received}`);
  }
  return new MatcherWriter(options).write([{ schema: root, base }], example, { pointer: '', inList: false });
}

interface LocatedSchema {
  readonly schema: JsonSchema;
  readonly base: string;
}

interface MatcherPlace {
  readonly pointer: string;
  /** Matching rules of a list also apply to its items, so an exact value needs its own rule. */
  readonly inList: boolean;
}

class MatcherWriter {
  readonly #options: MatcherOptions;

  constructor(options: MatcherOptions) {
    this.#options = options;
  }

  write(given: readonly LocatedSchema[], example: JsonValue, place: MatcherPlace): Matched {
    const instead = this.#options.instead?.[place.pointer];
    if (instead !== undefined) return instead;
    const parts = given.flatMap((each) => opened(each, example));
    if (example === null) return exactly(null, place);
    if (parts.some(({ schema }) => schema.const !== undefined)) return exactly(example, place);
    const listed = parts.find(({ schema }) => schema.enum !== undefined)?.schema.enum;
    if (listed) return oneOf(listed, example, place);
    if (Array.isArray(example)) return this.#list(parts, example as readonly JsonValue[], place);
    if (isJsonObject(example)) return this.#object(parts, example, place);
    if (typeof example === 'string') return this.#text(parts, example);
    if (typeof example === 'boolean') return like(example);
    const whole = parts.some(({ schema }) => typesOf(schema).includes('integer'));
    return { 'pact:matcher:type': whole ? 'integer' : 'number', value: example };
  }

  #text(parts: readonly LocatedSchema[], example: string): Matched {
    const keywords = parts.map(({ schema }) => schema);
    const pattern =
      keywords.find((schema) => schema.pattern !== undefined)?.pattern ??
      formatPatterns[keywords.find((schema) => schema.format !== undefined)?.format as FormatName];
    if (pattern !== undefined) return stringLike(pattern, example);
    const longest = keywords.find(({ maxLength }) => maxLength !== undefined)?.maxLength;
    if (this.#options.lengths === true && longest !== undefined) return stringUpTo(longest, example);
    return like(example);
  }

  #list(parts: readonly LocatedSchema[], example: readonly JsonValue[], place: MatcherPlace): Matched {
    if (example.length === 0) return exactly([], place);
    const items = parts.flatMap(({ schema, base }) => (schema.items ? [{ schema: schema.items, base }] : []));
    const max = parts.find(({ schema }) => schema.maxItems !== undefined)?.schema.maxItems;
    return {
      'pact:matcher:type': 'type',
      min: 1,
      ...(max !== undefined && { max }),
      value: example.map((item, index) =>
        this.write(items, item, { pointer: place.pointer + pointerSegment(index), inList: true }),
      ),
    };
  }

  #object(
    parts: readonly LocatedSchema[],
    example: { readonly [name: string]: JsonValue },
    place: MatcherPlace,
  ): Matched {
    const fields = Object.entries(example);
    const open = parts.flatMap(({ schema: { additionalProperties: of }, base }) =>
      typeof of === 'object' ? [{ schema: of, base }] : [],
    );
    const [name, first] = fields[0] ?? ['', null];
    if (open.length > 0 && fields.length > 0 && parts.every(({ schema }) => schema.properties === undefined)) {
      const below = { pointer: place.pointer + pointerSegment(name), inList: true };
      return { 'pact:matcher:type': 'eachValue', rules: [this.write(open, first, below)], value: example };
    }
    const written = fields.map(([field, value]) => {
      const described = parts.flatMap(({ schema, base }) => {
        const property = schema.properties?.[field];
        return property ? [{ schema: property, base }] : [];
      });
      const below = { pointer: place.pointer + pointerSegment(field), inList: place.inList };
      return [field, described.length > 0 ? this.write(described, value, below) : exactly(value, below)] as const;
    });
    return Object.fromEntries(written);
  }
}

/** The schemas that apply to this example, without references, conjunctions and alternatives. */
function opened({ schema, base }: LocatedSchema, example: JsonValue): LocatedSchema[] {
  const { $ref, allOf = [], oneOf: one = [], anyOf = [], ...own } = schema;
  const found: LocatedSchema[] = [{ schema: own, base }];
  if ($ref !== undefined) found.push(...opened(resolveRef($ref, base), example));
  for (const each of allOf) found.push(...opened({ schema: each, base }, example));
  for (const alternatives of [one, anyOf]) {
    const fitting = alternatives.find((each) => explainViolations(each, example, base).length === 0);
    if (fitting) found.push(...opened({ schema: fitting, base }, example));
  }
  return found;
}

function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}

function oneOf(listed: readonly JsonValue[], example: JsonValue, place: MatcherPlace): Matched {
  const texts = listed.filter((value) => typeof value === 'string');
  if (typeof example !== 'string' || texts.length === 1) return exactly(example, place);
  return stringLike(`^(${texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`, example);
}

function exactly(value: JsonValue, { inList }: MatcherPlace): Matched {
  return inList ? equalTo(value) : value;
}

/** Exactly this value, also inside a list, whose rules apply to its items. */
export function equalTo(value: JsonValue): Matched {
  return { 'pact:matcher:type': 'equality', value };
}

/** Any value of the same type. */
export function like(value: JsonValue): Matched {
  return { 'pact:matcher:type': 'type', value };
}

/**
 * A value that the whole expression matches: for headers and paths. In a body it also matches numbers, null and lists
 * by their JSON; see {@link stringLike}.
 */
export function regex(expression: string, example: string): Matched {
  return { 'pact:matcher:type': 'regex', regex: expression, value: example };
}

/** A JSON string that the whole expression matches. */
export function stringLike(expression: string, example: string): Matched {
  return {
    'pact:matcher:type': [{ 'pact:matcher:type': 'type' }, { 'pact:matcher:type': 'regex', regex: expression }],
    value: example,
  };
}

/** A JSON string with a maximum length, which Pact counts in Unicode code points. */
export function stringUpTo(characters: number, example: string): Matched {
  return stringLike(`^[\\s\\S]{0,${characters}}$`, example);
}

/** The example without its matchers: the actual content. */
export function exampleOf(matched: Matched): JsonValue {
  if (Array.isArray(matched)) return (matched as readonly Matched[]).map(exampleOf);
  if (!isJsonObject(matched)) return matched;
  if ('pact:matcher:type' in matched) return exampleOf(matched['value'] ?? null);
  return Object.fromEntries(Object.entries(matched).map(([name, value]) => [name, exampleOf(value)]));
}
