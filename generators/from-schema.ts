import type fc from 'fast-check';
import { schemas } from '../specs/schemas.ts';
import { SchemaCompiler } from './schema-compiler.ts';
import type { SchemaNode } from './schema-node.ts';
import type { AnySchema } from './schema-parts.ts';

export { SchemaError } from './schema-error.ts';
export type { AnySchema } from './schema-parts.ts';

export interface FromSchemaOptions {
  /** Schemas that `$ref` may name by `$id`; those of `specs` unless others are given. */
  readonly refs?: Iterable<AnySchema> | Readonly<Record<string, AnySchema>>;
  /**
   * Arbitraries for some places, by JSON Pointer into the value. `*` is one field or any item, `**` any number of
   * levels. Their values must match the schema; a pattern without a match is an error.
   */
  readonly overrides?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** Whether one value in five at each place is an edge. Default: `often`. */
  readonly edges?: 'often' | 'never';
  /** Longest string where the schema has no `maxLength`, in code points; default: 200. */
  readonly textBound?: number;
  /** Most items or map entries where the schema gives no maximum; default: 8. */
  readonly itemBound?: number;
  /** Maximum depth of recursion of a recursive schema; default: 3. */
  readonly recursion?: number;
  /**
   * Whether free text may contain U+0000, which many databases refuse and the interface does not mention; default: no.
   */
  readonly nul?: boolean;
  /** Whether maps may contain the name `__proto__`, which some parsers refuse as a defence; default: no. */
  readonly prototypeNames?: boolean;
}

/**
 * Values that match a JSON Schema (2020-12), with full shrinking, also of values that it did not generate itself.
 * Objects that allow unknown fields get none: see `withUnknownFields`.
 *
 * @throws SchemaError for a keyword that is unknown, does not apply to the type, or contradicts another
 */
export function fromSchema<T = unknown>(schema: object | boolean, options: FromSchemaOptions = {}): fc.Arbitrary<T> {
  return compileSchema(schema, options) as fc.Arbitrary<unknown> as fc.Arbitrary<T>;
}

/** The node behind `fromSchema`, for callers that also need its edges. */
export function compileSchema(schema: object | boolean, options: FromSchemaOptions = {}): SchemaNode {
  const given = options.refs ?? (schemas as unknown as Readonly<Record<string, AnySchema>>);
  const refs = Symbol.iterator in given ? given : Object.values(given);
  return new SchemaCompiler(schema as AnySchema, refs, options.overrides ?? {}, {
    edges: options.edges ?? 'often',
    textBound: options.textBound ?? 200,
    itemBound: options.itemBound ?? 8,
    recursion: options.recursion ?? 3,
    nul: options.nul ?? false,
    prototypeNames: options.prototypeNames ?? false,
  }).compile();
}
