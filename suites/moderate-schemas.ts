import { idsOfTheReceiver } from '../specs/ids-of-the-receiver.ts';
import { schemas } from '../specs/schemas.ts';
import type { JsonValue } from '../specs/json-value.ts';
import { isJsonContainer } from '../specs/json-object.ts';

/**
 * Characters of a string that every receiver must expect. The interface gives no upper bound ("not shown"), so the
 * handling of longer strings is reported as advice only.
 */
export const moderateCharacters = 60;
/** The same for whole numbers: the largest 32-bit integer. */
export const moderateInteger = 2_147_483_647;

/** Strings whose length the interface states. */
const statedLengths = new Set(['crmAiInfo']);

function moderated(schema: JsonValue, field = ''): JsonValue {
  if (Array.isArray(schema)) return (schema as readonly JsonValue[]).map((item) => moderated(item));
  if (!isJsonContainer(schema)) return schema;
  // Other checks send foreign ones.
  if (idsOfTheReceiver.includes(field)) return { type: 'null' };
  const { maxLength, minLength, maximum, ...rest } = schema as Record<string, JsonValue>;
  const least = typeof minLength === 'number' ? minLength : 0;
  return {
    ...Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [
        name,
        name === 'properties' && isJsonContainer(value)
          ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, moderated(inner, key)]))
          : moderated(value),
      ]),
    ),
    ...(minLength !== undefined && { minLength }),
    ...(typeof maxLength === 'number' && {
      maxLength: statedLengths.has(field) ? maxLength : Math.max(least, Math.min(maxLength, moderateCharacters)),
    }),
    ...(typeof maximum === 'number' && { maximum: Math.min(maximum, moderateInteger) }),
  };
}

/** The schemas of what we send, with strings of usual length, numbers of usual size and no ids of the receiver. */
export const moderateSchemas = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => [name, moderated(schema as unknown as JsonValue)]),
) as unknown as typeof schemas;
