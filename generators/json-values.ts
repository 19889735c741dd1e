import type { JsonObject } from '../specs/json-value.ts';
import { isJsonObject } from '../specs/json-object.ts';

/** Sets a field as JSON.parse would: `__proto__` becomes an own field and never a prototype. */
export function putField(object: JsonObject, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[name] = value;
  }
}

export function hasField(object: object, name: string): boolean {
  return Object.prototype.hasOwnProperty.call(object, name);
}

/** A copy with one field set. The spread copies an own `__proto__` as an own field. */
export function withField(object: JsonObject, name: string, value: unknown): JsonObject {
  const copy = { ...object };
  putField(copy, name, value);
  return copy;
}

export function withoutFields(object: JsonObject, names: ReadonlySet<string>): JsonObject {
  const copy: JsonObject = {};
  for (const name of Object.keys(object)) if (!names.has(name)) putField(copy, name, object[name]);
  return copy;
}

/** Equality of JSON values; the order of fields does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => hasField(b, name) && sameJson(a[name], b[name]))
  );
}

/** Length in Unicode code points, as `maxLength` counts. */
export function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next < 0xe000) index++;
    }
    count++;
  }
  return count;
}
