import { SchemaError, type SchemaPlace } from './schema-error.ts';
import { isJsonObject, isJsonContainer } from '../specs/json-object.ts';
import { parsePointer, pointerSegment } from '../specs/json-pointer.ts';

/** A schema as read from JSON. */
export type AnySchema = boolean | { readonly [keyword: string]: unknown };

/** A schema and its place. */
export interface Located {
  readonly schema: AnySchema;
  readonly place: SchemaPlace;
}

/** One schema object of a conjunction, without `$ref` and `allOf`. */
export interface SchemaPart {
  readonly keywords: { readonly [keyword: string]: unknown };
  readonly place: SchemaPlace;
}

export const NO_ID = '(no $id)';
const NO_BASE = 'schema:///';

const ANNOTATIONS = new Set([
  '$schema',
  '$id',
  '$defs',
  '$comment',
  'title',
  'description',
  'examples',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** The type to which a keyword applies; undefined: any type. */
export const KEYWORD_TYPES: Readonly<Record<string, 'string' | 'number' | 'array' | 'object' | undefined>> = {
  $ref: undefined,
  allOf: undefined,
  oneOf: undefined,
  anyOf: undefined,
  type: undefined,
  const: undefined,
  enum: undefined,
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  format: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  items: 'array',
  prefixItems: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  propertyNames: 'object',
  minProperties: 'object',
  maxProperties: 'object',
};

/** Finds schemas by `$id` and resolves `$ref` according to RFC 3986. */
export class SchemaFiles {
  private readonly byId = new Map<string, AnySchema>();
  constructor(root: AnySchema, others: Iterable<AnySchema>) {
    for (const schema of [...others, root]) {
      if (isJsonObject(schema) && typeof schema['$id'] === 'string') this.byId.set(stripped(schema['$id']), schema);
    }
    if (!isJsonObject(root) || typeof root['$id'] !== 'string') this.byId.set(NO_ID, root);
  }
  resolve(reference: string, from: SchemaPlace): Located {
    const at = { id: from.id, pointer: `${from.pointer}/$ref` };
    const hash = reference.indexOf('#');
    const file = hash === -1 ? reference : reference.slice(0, hash);
    const fragment = hash === -1 ? '' : decodeURIComponent(reference.slice(hash + 1));
    let id = from.id;
    if (file !== '')
      id = stripped(
        URL.canParse(file, from.id === NO_ID ? NO_BASE : from.id)
          ? new URL(file, from.id === NO_ID ? NO_BASE : from.id).href
          : file,
      );
    let found: unknown = this.byId.get(id) ?? this.byId.get(file);
    if (found === undefined) {
      throw new SchemaError(at, '$ref', `no schema with $id ${id} is known`, 'Pass it in `refs`');
    }
    if (fragment !== '' && !fragment.startsWith('/')) {
      throw new SchemaError(
        at,
        '$ref',
        `the anchor #${fragment} is not supported`,
        'Use a JSON Pointer such as #/$defs/name',
      );
    }
    for (const segment of parsePointer(fragment)) {
      found = isJsonContainer(found) ? found[segment] : undefined;
    }
    if (typeof found !== 'boolean' && !isJsonObject(found)) {
      throw new SchemaError(at, '$ref', `there is nothing at ${reference}`, 'Correct the JSON Pointer');
    }
    return { schema: found, place: { id, pointer: fragment } };
  }
}

function stripped(id: string): string {
  return id.endsWith('#') ? id.slice(0, -1) : id;
}

export function below(place: SchemaPlace, ...segments: (string | number)[]): SchemaPlace {
  return { id: place.id, pointer: place.pointer + segments.map(pointerSegment).join('') };
}

export function locate(schema: unknown, place: SchemaPlace, keyword: string): Located {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) {
    throw new SchemaError(
      place,
      keyword,
      `expected a schema, received ${JSON.stringify(schema)}`,
      'Write an object or a boolean',
    );
  }
  return { schema, place };
}

/** The conjunction of schemas with every `$ref` and `allOf` resolved. undefined: no value matches (`false`). */
export function openParts(list: readonly Located[], files: SchemaFiles): SchemaPart[] | undefined {
  const parts: SchemaPart[] = [];
  const queue = [...list];
  const opened = new Set<string>();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { schema, place } = next;
    if (schema === true) continue;
    if (schema === false) return undefined;
    const keywords: Record<string, unknown> = {};
    for (const [keyword, content] of Object.entries(schema)) {
      if (ANNOTATIONS.has(keyword)) continue;
      if (!Object.hasOwn(KEYWORD_TYPES, keyword)) {
        throw new SchemaError(
          place,
          keyword,
          'values cannot be generated for this keyword',
          'Use another keyword, or add this one to generators/schema-compiler.ts',
        );
      }
      if (keyword === '$ref') {
        const target = files.resolve(String(content), place);
        const key = `${target.place.id}#${target.place.pointer}`;
        if (opened.has(`${key}<${place.id}#${place.pointer}`) || opened.size > 1000) {
          throw new SchemaError(
            place,
            '$ref',
            'the reference leads back to itself',
            'Put a field or an item in between',
          );
        }
        opened.add(`${key}<${place.id}#${place.pointer}`);
        queue.push(target);
      } else if (keyword === 'allOf') {
        if (!Array.isArray(content) || content.length === 0) {
          throw new SchemaError(
            place,
            keyword,
            'expected a list with at least one schema',
            'Add a schema or drop the keyword',
          );
        }
        content.forEach((each, index) => queue.push(locate(each, below(place, 'allOf', index), 'allOf')));
      } else {
        keywords[keyword] = content;
      }
    }
    if (Object.keys(keywords).length > 0) parts.push({ keywords, place });
  }
  return parts;
}
