import { isJsonObject, parseJson } from '../harness/json.ts';
import { shortJson } from '../specs/explain-violations.ts';
import type { PactComments } from './pact-file.ts';

/**
 * What an answer has instead of the members that an interaction is there to show, in words that follow “the answer”.
 * `undefined` when it has them all, or is nothing in which members could be missed.
 */
export function shownOtherwise(body: Uint8Array, shows: NonNullable<PactComments['shows']>): string | undefined {
  const parsed = parseJson(body);
  if ('error' in parsed || !isJsonObject(parsed.value)) return undefined;
  for (const { pointer, value } of shows) {
    const member = memberAt(parsed.value, pointer);
    const name = pointer.slice(1).replaceAll('/', '.');
    if (member === undefined || member === null) return `has no ${name}`;
    if (value !== undefined && member !== value) return `has ${name} ${shortJson(member)}`;
  }
  return undefined;
}

/** RFC 6901; `undefined` where the pointer leads nowhere. */
function memberAt(value: unknown, pointer: string): unknown {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at = value;
  for (const name of names) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}
