export type JsonObject = Record<string, unknown>;

/** Parses raw bytes as one JSON object in UTF-8; `undefined` when they are anything else. */
export function parseObject(body: Uint8Array): JsonObject | undefined {
  try {
    return asObject(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** A string with something in it; `undefined` for null, a missing field, and everything else. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asInteger(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** At most `units` UTF-16 units, never ending in half a surrogate pair. */
export function cut(text: string, units: number): string {
  return text.length <= units ? text : text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '');
}
