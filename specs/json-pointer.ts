import { isJsonContainer } from './json-object.ts';

/** One step of a JSON Pointer (RFC 6901), escaped, with its slash. */
export function pointerSegment(step: string | number): string {
  return `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Steps as a JSON Pointer, to append to another. */
export function formatPointer(steps: readonly (string | number)[]): string {
  return steps.map(pointerSegment).join('');
}

/** The steps of a JSON Pointer, unescaped. */
export function parsePointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeSegment);
}

/** One escaped step of a JSON Pointer, without its slash. */
export function unescapeSegment(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The value at a JSON Pointer; `undefined` without one. */
export function valueAt(value: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce<unknown>(
    (inner, step) => (isJsonContainer(inner) ? inner[step] : undefined),
    value,
  );
}
