import fc from 'fast-check';
import { formats } from '../specs/formats.ts';
import { schemas, type SchemaName } from '../specs/schemas.ts';
import { commonStrings, exampleValues, fittingFields, openFields } from './example-values.ts';
import { fromSchema } from './from-schema.ts';
import { codePoints } from './json-values.ts';
import { alternativesOf, acceptsNothing, type Alternative } from './schema-diff/alternatives.ts';
import { SchemaLibrary, type LooseSchema, type PlacedSchema } from './schema-diff/schema-library.ts';
import type { JsonValue } from '../specs/json-value.ts';
import { isJsonContainer } from '../specs/json-object.ts';

/** Size of an example: minimal, or with every permitted field. */
export type ExampleSize = 'plainest' | 'fullest';

/** Items of a list in the maximal example, if the schema allows so many. */
const fullItems = 2;
/** Seed of generated values, used where no listed value fits. */
const seed = 20261011;
/** Name of the single entry of a map in the maximal example. */
const mapEntry = 'orderNumber';
/** Depth of a recursive schema in the maximal example. */
const deepest = 12;

/**
 * A readable value of one of our schemas, with words of the interface where they fit; deterministic.
 *
 * @throws Error if the schema allows no finite value
 */
export function readableExample(name: SchemaName, size: ExampleSize): JsonValue {
  const library = new SchemaLibrary();
  for (const schema of Object.values(schemas)) library.add(schema, '');
  const found = new ExampleMaker(library, size).make([{ schema: { $ref: schemas[name].$id }, base: '' }], {
    name: '',
    within: name,
    turn: 0,
    depth: 0,
  });
  if (found === undefined) throw new Error(`expected a value of ${name}, received none`);
  return found;
}

interface ExamplePlace {
  /** Name of the field; empty for the whole value and for its items. */
  readonly name: string;
  /** Name of the containing field, or of the schema. */
  readonly within: string;
  /** Index of the list item that contains it, so that items differ. */
  readonly turn: number;
  readonly depth: number;
}

class ExampleMaker {
  private readonly library: SchemaLibrary;
  private readonly size: ExampleSize;

  constructor(library: SchemaLibrary, size: ExampleSize) {
    this.library = library;
    this.size = size;
  }

  /** The alternative with the fewest or the most fields and items; else the first. */
  make(schemas: readonly PlacedSchema[], at: ExamplePlace): JsonValue | undefined {
    if (at.depth > deepest) return undefined;
    const made = alternativesOf(schemas, this.library).flatMap((alternative) => {
      const value = this.ofOne(alternative, schemas, at);
      return value === undefined ? [] : [value];
    });
    const order = this.size === 'plainest' ? 1 : -1;
    return made.sort((a, b) => order * (parts(a) - parts(b)))[0];
  }

  private ofOne(one: Alternative, schemas: readonly PlacedSchema[], at: ExamplePlace): JsonValue | undefined {
    if (one.values !== undefined) return this.ofListed(one.values, at);
    // The schema also allows other types than strings, numbers and lists, so the place is open.
    if (one.kinds.size > 5) {
      const known = openFields[at.name];
      return known === undefined ? (this.word(one, at) ?? null) : readableExample(known, this.size);
    }
    if (this.size === 'plainest' && one.kinds.has('null')) return null;
    const word = this.word(one, at);
    if (word !== undefined) return word;
    if (one.kinds.has('object')) return this.ofFields(one, at);
    if (one.kinds.has('array')) return this.ofItems(one, at);
    if (one.kinds.has('boolean')) return true;
    const { minimum = 1, maximum = Infinity } = one.limits;
    if (one.kinds.has('integer')) return Math.max(minimum, Math.min(maximum, at.turn + 1));
    return one.kinds.has('null') ? null : this.generated(schemas);
  }

  private ofListed(texts: ReadonlySet<string>, at: ExamplePlace): JsonValue | undefined {
    const values = [...texts].map((text) => JSON.parse(text) as JsonValue);
    if (this.size === 'plainest' && values.includes(null)) return null;
    const wanted = wordsFor(at).find((word) => texts.has(JSON.stringify(word)));
    const free = values.filter((value) => value !== null);
    return wanted ?? free[at.turn % Math.max(1, free.length)] ?? null;
  }

  private ofFields({ label, fields, required, others }: Alternative, at: ExamplePlace): JsonValue | undefined {
    const value: Record<string, JsonValue> = {};
    const fitting = label.split(' ').map((title) => fittingFields[title]).find((each) => each !== undefined); // prettier-ignore
    const given = fitting?.[this.size] ?? {};
    const omitted = this.size === 'fullest' ? (fitting?.omitted ?? []) : [];
    const within = at.name === '' ? at.within : at.name;
    for (const [name, schemas] of fields) {
      const needed = required.has(name);
      const fits = given[name];
      if (fits !== undefined) value[name] = fits;
      if (fits !== undefined || omitted.includes(name)) continue;
      if (acceptsNothing(schemas) || (!needed && this.size === 'plainest')) continue;
      const field = this.make(schemas, { name, within, turn: at.turn, depth: at.depth + 1 });
      if (field !== undefined) value[name] = field;
      else if (needed) return undefined;
    }
    const isMap = fields.size === 0 && others.some(({ schema }) => typeof schema === 'object');
    const entry = { name: mapEntry, within, turn: 0, depth: at.depth + 1 };
    const text = isMap && this.size === 'fullest' ? this.make(others, entry) : undefined;
    return text === undefined ? value : { ...value, [mapEntry]: text };
  }

  private ofItems({ items, limits }: Alternative, at: ExamplePlace): JsonValue {
    const { minItems = 0, maxItems = fullItems } = limits;
    const count = this.size === 'plainest' ? minItems : Math.min(maxItems, Math.max(minItems, fullItems));
    const each = Array.from({ length: count }, (_, turn) => this.make(items, { ...at, turn, depth: at.depth + 1 }));
    return each.filter((item) => item !== undefined);
  }

  /** The first word for a place that the schema accepts; else the name of the place. */
  private word(one: Alternative, at: ExamplePlace): JsonValue | undefined {
    const formed = one.formats.size + one.patterns.size > 0 ? commonStrings : [];
    const words = [...wordsFor(at), ...formed, ...(at.name === '' ? [] : [toWords(at.name)])];
    return words.find((word) => meetsRules(one, word));
  }

  private generated(schemas: readonly PlacedSchema[]): JsonValue | undefined {
    const schema = { allOf: schemas.map(({ schema: each, base }) => absolute(each, base)) };
    const values = fc.sample(fromSchema<JsonValue>(schema, { edges: 'never', textBound: 20 }), { seed, numRuns: 20 });
    return values.sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)[0];
  }
}

/** Words for a field, most specific first; later items of a list start further on. */
function wordsFor({ name, within, turn }: ExamplePlace): JsonValue[] {
  const words = [...(exampleValues[`${within}/${name}`] ?? []), ...(exampleValues[name] ?? [])];
  return [...words.slice(turn), ...words];
}

/** Number of fields, items and simple values in a value. */
function parts(value: JsonValue): number {
  if (!isJsonContainer(value)) return 1;
  return Object.values(value).reduce((sum: number, each: JsonValue) => sum + parts(each), 1);
}

/** The schema with absolute references. */
function absolute(schema: LooseSchema, base: string): LooseSchema {
  const text = JSON.stringify(schema, (keyword, value: unknown) =>
    keyword === '$ref' && typeof value === 'string' && base !== '' ? new URL(value, base).href : value,
  );
  return JSON.parse(text) as LooseSchema;
}

/** `firstName` as words. */
function toWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Whether a string or number meets every constraint of an alternative. */
function meetsRules({ kinds, limits, patterns, formats: named }: Alternative, value: JsonValue): boolean {
  if (typeof value === 'number') {
    return kinds.has('integer') && value >= (limits.minimum ?? -Infinity) && value <= (limits.maximum ?? Infinity);
  }
  if (typeof value === 'boolean') return kinds.has('boolean');
  if (typeof value !== 'string' || !kinds.has('string')) return false;
  const length = codePoints(value);
  if (length < (limits.minLength ?? 0) || length > (limits.maxLength ?? Infinity)) return false;
  const known: Readonly<Record<string, (text: string) => boolean>> = formats;
  return (
    [...patterns].every((pattern) => new RegExp(pattern, 'u').test(value)) &&
    [...named].every((format) => known[format]?.(value) ?? false)
  );
}

/** Data that only svc-conform reads and writes, for which a maximal example is not useful. */
const ours: ReadonlySet<SchemaName> = new Set<SchemaName>(['config', 'report', 'runEvent', 'scenario']);

/**
 * Examples of each schema by size, as in `specs/generated/examples.json`. Examples in the schema itself and duplicates
 * are omitted.
 */
export function everyExample(): Record<string, Partial<Record<ExampleSize, JsonValue>>> {
  const names = Object.keys(schemas) as SchemaName[];
  return Object.fromEntries(
    names.map((name) => {
      const known = new Set((schemas[name].examples ?? []).map((each) => JSON.stringify(each)));
      const found: Partial<Record<ExampleSize, JsonValue>> = {};
      for (const size of ours.has(name) ? (['plainest'] as const) : (['plainest', 'fullest'] as const)) {
        const value = readableExample(name, size);
        if (known.has(JSON.stringify(value))) continue;
        known.add(JSON.stringify(value));
        found[size] = value;
      }
      return [name, found];
    }),
  );
}
