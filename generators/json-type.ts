/** The types of JSON Schema. */
export const jsonTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;

export type JsonTypeName = (typeof jsonTypes)[number];

/** The type of the values that both `type` and one of `names` allow; empty if there are none. */
export function commonType(type: JsonTypeName, names: readonly JsonTypeName[]): JsonTypeName[] {
  if (names.includes(type)) return [type];
  if (type === 'integer' && names.includes('number')) return ['integer'];
  return type === 'number' && names.includes('integer') ? ['integer'] : [];
}
