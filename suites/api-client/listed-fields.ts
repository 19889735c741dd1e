import { apiOperation, type OperationId } from '../../specs/api-operations.ts';
import { resolveRef, schemas, type JsonSchema, type JsonType } from '../../specs/schemas.ts';
import { isJsonObject } from '../../specs/json-object.ts';

/** One field of a request body in the interface: its JSON types, and those of the items of a list. */
export interface ListedField {
  types: readonly JsonType[];
  itemTypes: readonly JsonType[];
}

/** Fields that the simulated service accepts and the interface does not show: never a finding. */
const notShown: Partial<Record<OperationId, readonly string[]>> = { changeAppointment: ['start', 'durationMinutes'] };

const known = new Map<OperationId, ReadonlyMap<string, ListedField>>();

/** Fields that the interface lists for the body of an operation. */
export function fieldsOf(operation: OperationId): ReadonlyMap<string, ListedField> {
  let fields = known.get(operation);
  if (!fields) {
    const { request } = apiOperation(operation);
    const schema = request && schemas[request];
    const properties = Object.entries(schema?.properties ?? {}).filter(
      (entry): entry is [string, JsonSchema] => entry[1] !== false && !notShown[operation]?.includes(entry[0]),
    );
    fields = new Map(properties.map(([name, property]) => [name, listed(property, schema?.$id ?? '')]));
    known.set(operation, fields);
  }
  return fields;
}

/** Fields of the object `target`, in which logged messages and notes may name theirs. */
export const targetFields: ReadonlyMap<string, ListedField> = new Map(
  Object.entries(schemas.apiTarget.properties ?? {}).flatMap(([name, property]) =>
    property === false ? [] : [[name, listed(property, schemas.apiTarget.$id)] as const],
  ),
);

/** Whether a JSON value has one of the types; without any, everything has. */
export function hasOneOf(value: unknown, types: readonly JsonType[]): boolean {
  return types.length === 0 || types.some((type) => has(value, type));
}

function listed(property: JsonSchema, base: string): ListedField {
  const { schema, base: inner } = followed(property, base);
  const items = schema.items && followed(schema.items, inner).schema;
  return { types: typesOf(schema), itemTypes: items ? typesOf(items) : [] };
}

function followed(schema: JsonSchema, base: string): { schema: JsonSchema; base: string } {
  return schema.$ref === undefined ? { schema, base } : resolveRef(schema.$ref, base);
}

function typesOf({ type, enum: values }: JsonSchema): JsonType[] {
  if (typeof type === 'string') return [type];
  if (type) return [...type];
  // A list of words: which words are allowed is a separate rule.
  return values ? ['string'] : [];
}

function has(value: unknown, type: JsonType): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}
