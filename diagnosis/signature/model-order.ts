import { isJsonObject } from '../../specs/json-object.ts';
import { schemas } from '../../specs/schemas.ts';

/** The fields of signed events, as the schemas list them: typed models declare them in this order. */
const documented: readonly string[] = [
  ...new Set((['messageReceived', 'apiWebhookEvent'] as const).flatMap((name) => fieldNames(schemas[name]))),
];

export interface ModelOptions {
  dropsUnknown: boolean;
  /** Objects in the event are models as well. */
  isDeep: boolean;
}

/**
 * The body as a typed model writes it: known fields in the order of their declaration, then the unknown ones, which many
 * models drop.
 */
export function inModelOrder(text: string, { dropsUnknown, isDeep }: ModelOptions): string {
  const ordered = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(ordered);
    if (!isJsonObject(value)) return value;
    const known = documented.filter((name) => Object.hasOwn(value, name));
    const unknown = dropsUnknown ? [] : Object.keys(value).filter((name) => !documented.includes(name));
    return Object.fromEntries(
      [...known, ...unknown].map((name) => [name, isDeep ? ordered(value[name]) : value[name]]),
    );
  };
  return JSON.stringify(ordered(JSON.parse(text)));
}

/** The names of the properties of a schema, outer ones first. */
function fieldNames(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(fieldNames);
  if (!isJsonObject(schema)) return [];
  const { properties, ...rest } = schema;
  const own = isJsonObject(properties) ? Object.keys(properties) : [];
  const inner = isJsonObject(properties) ? Object.values(properties).flatMap(fieldNames) : [];
  return [...own, ...inner, ...Object.values(rest).flatMap(fieldNames)];
}
