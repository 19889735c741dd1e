import { isJsonObject, parseJson } from '../harness/checks/json.ts';
import { shortJson } from '../specs/explain-violations.ts';
import type { PactComments } from './pact-file.ts';

type Shows = NonNullable<PactComments['shows']>;

/**
 * What an answer has instead of the members that an interaction is there to show, in words that follow “the answer”.
 * `undefined` when there is something to compare: it has them all, or what is right in no state.
 */
export function shownOtherwise(body: Uint8Array, shows: Shows): string | undefined {
  const parsed = parseJson(body);
  if ('error' in parsed || !isJsonObject(parsed.value)) {
    const isAboutAll = shows.some(({ pointer }) => pointer === '');
    return isAboutAll ? undefined : 'is no JSON object, which another interaction is about';
  }
  for (const { pointer, value, others, type } of shows) {
    const member = memberAt(parsed.value, pointer);
    const name = pointer.slice(1).replaceAll('/', '.');
    if (isNothing(member))
      return Array.isArray(member) ? `has an empty ${name}, as it may` : `has no ${name}, as it may`;
    if (type !== undefined && typeOf(member) !== type) {
      return `has ${name} that is no ${type}, which is judged elsewhere`;
    }
    const isOther = value !== undefined && member !== value;
    if (isOther && (others === undefined || others.some((one) => one === member))) {
      return `has ${name} ${shortJson(member)}, as it may`;
    }
  }
  return undefined;
}

/** Whether an answer has every member, with its value: then the endpoint is in the state, whoever brought that about. */
export function showsAll(body: Uint8Array, shows: Shows): boolean {
  const parsed = parseJson(body);
  if ('error' in parsed || !isJsonObject(parsed.value)) return false;
  const { value: answer } = parsed;
  return shows.every(({ pointer, value }) => {
    const member = memberAt(answer, pointer);
    return !isNothing(member) && (value === undefined || member === value);
  });
}

function typeOf(member: unknown): string {
  return Array.isArray(member) ? 'list' : typeof member === 'string' ? 'text' : 'something else';
}

/** An empty list names as little as none. */
function isNothing(member: unknown): boolean {
  return member === undefined || member === null || (Array.isArray(member) && member.length === 0);
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
