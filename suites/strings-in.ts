import { isJsonObject } from '../specs/json-object.ts';

/** One string within JSON, and where it is. */
export interface StringIn {
  path: (string | number)[];
  text: string;
}

/** All strings in JSON, at any depth; field names are excluded. */
export function stringsIn(value: unknown, path: (string | number)[] = []): StringIn[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((one: unknown, at) => stringsIn(one, [...path, at]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => stringsIn(one, [...path, name]));
}
