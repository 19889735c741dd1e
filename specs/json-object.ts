import type { JsonObject } from './json-value.ts';

/** Whether a parsed value is a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isJsonContainer(value) && !Array.isArray(value);
}

/** Whether a parsed value is a JSON object or an array, so that other values can be in it. */
export function isJsonContainer(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
