import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isJsonObject } from '../../specs/json-object.ts';
import { pointerSegment, valueAt } from '../../specs/json-pointer.ts';
import { documentKind } from './compare-documents.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';
let validator: ValidateFunction | undefined;

/** Location of an invalid schema in a document, and the reason. */
export interface InvalidSchema {
  /** JSON Pointer into the document. */
  readonly pointer: string;
  readonly expected: string;
  /** Short JSON text. */
  readonly received: string;
}

/**
 * The first invalid JSON Schema 2020-12 in a document: a schema, or an OpenAPI 3.1 or AsyncAPI 3 document. `undefined`:
 * all are valid, or the document has another dialect.
 */
export function invalidSchema(document: unknown): InvalidSchema | undefined {
  for (const [pointer, schema] of schemasIn(document)) {
    const check = (validator ??= dialectValidator());
    if (check(schema)) {
      const found = brokenPattern(schema, pointer);
      if (found) return found;
      continue;
    }
    const [error] = check.errors ?? [];
    const at = error?.instancePath ?? '';
    const received = valueAt(schema, at);
    return {
      pointer: pointer + at,
      expected: expectation(check.errors ?? [], at),
      received: (JSON.stringify(received) ?? 'nothing').slice(0, 80),
    };
  }
  return undefined;
}

function dialectValidator(): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const found = ajv.getSchema(dialect);
  if (!found) throw new Error(`expected a schema ${dialect}, received none`);
  return found;
}

const keywordsOfMany = ['properties', 'patternProperties', '$defs', 'dependentSchemas', 'allOf', 'anyOf', 'oneOf', 'prefixItems']; // prettier-ignore
const keywordsOfOne = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties']; // prettier-ignore

/** The metaschema does not validate patterns, so they are compiled here. */
function brokenPattern(schema: unknown, pointer: string): InvalidSchema | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { pattern } = schema;
  if (typeof pattern === 'string' && !isPattern(pattern)) {
    return { pointer: `${pointer}/pattern`, expected: 'a regular expression', received: JSON.stringify(pattern) };
  }
  const inner = [
    ...keywordsOfMany.flatMap((keyword) => Object.entries(schema[keyword] ?? {}).map(([name, each]) => [`${pointer}/${keyword}${pointerSegment(name)}`, each as unknown] as const)),
    ...keywordsOfOne.map((keyword) => [`${pointer}/${keyword}`, schema[keyword]] as const),
  ]; // prettier-ignore
  for (const [at, each] of inner) {
    const found = brokenPattern(each, at);
    if (found) return found;
  }
  return undefined;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Describes the violation at the place itself, in the words of the validator. */
function expectation(errors: readonly ErrorObject[], pointer: string): string {
  const here = errors.filter(({ instancePath }) => instancePath === pointer);
  const values = here.find(({ keyword }) => keyword === 'enum')?.params['allowedValues'] as unknown[] | undefined;
  if (values !== undefined) return `one of ${values.join(', ')}`;
  return `a valid JSON Schema 2020-12 (${here[0]?.message ?? 'no details'})`;
}

/** Every compared schema of a document, with its pointer. */
function schemasIn(document: unknown): (readonly [string, unknown])[] {
  const kind = documentKind(document);
  if (!isJsonObject(document)) return [];
  if (kind === 'JSON Schema') return [['', document]];
  if (kind !== 'OpenAPI' && kind !== 'AsyncAPI') return [];
  // OpenAPI 3.0 has its own dialect of schemas.
  if (typeof document['openapi'] === 'string' && document['openapi'].startsWith('3.0')) return [];
  const components = isJsonObject(document['components']) ? document['components'] : {};
  const shared = entries(components['schemas']).map(([name, schema]) => [`/components/schemas${pointerSegment(name)}`, schema] as const); // prettier-ignore
  const keywords = kind === 'OpenAPI' ? ['schema'] : ['payload', 'headers'];
  return [...shared, ...schemasBelow({ ...document, components: { ...components, schemas: {} } }, '', keywords)];
}

/** Schemas under these fields, at any place. Examples may contain anything. */
function schemasBelow(value: unknown, pointer: string, keywords: readonly string[]): (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => schemasBelow(each, `${pointer}/${at}`, keywords));
  return entries(value).flatMap(([name, each]) => {
    const at = pointer + pointerSegment(name);
    if (name === 'examples' || name === 'example' || name.startsWith('x-')) return [];
    const isSchema = keywords.includes(name) && isJsonObject(each) && each['schemaFormat'] === undefined;
    return isSchema ? [[at, each] as const] : schemasBelow(each, at, keywords);
  });
}

function entries(value: unknown): [string, unknown][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
