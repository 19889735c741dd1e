import { compileSchema } from './from-schema.ts';
import type { FromSchemaOptions } from './from-schema.ts';
import { mix } from './schema-node.ts';

export interface EdgeCasesOptions extends Omit<FromSchemaOptions, 'edges'> {
  /** Decides which edges are combined in one value; the same seed gives the same list. */
  readonly seed?: number;
}

/**
 * A short list of valid values in which every edge of every field occurs at least once: missing and present, null and
 * not, longest and shortest, least and greatest, each value of an enum, each branch, each awkward string. Made for
 * fast-check's `examples` with `fromSchema` of the same schema, which shrinks them fully.
 */
export function edgeCases<T = unknown>(schema: object | boolean, options: EdgeCasesOptions = {}): T[] {
  const node = compileSchema(schema, options);
  const salt = mix(options.seed ?? 0, 'edges');
  const cases = Array.from({ length: node.breadth(0) }, (_, index) => node.edge(index, 0, salt));
  return [...new Map(cases.map((value) => [JSON.stringify(value), value as T])).values()];
}
