import { parseJson } from '../harness/checks/json.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { shortJson } from '../specs/explain-violations.ts';
import type { PactComments } from './pact-file.ts';
import { valueAt } from '../specs/json-pointer.ts';

type Shows = NonNullable<PactComments['shows']>;

/**
 * Describes what an answer has instead of the fields of an interaction, in words that follow “the answer”. `undefined`
 * when there is something to compare: it has them all, or a value that is valid in no state.
 */
export function describeMismatch(body: Uint8Array, shows: Shows): string | undefined {
  const parsed = parseJson(body);
  if ('error' in parsed || !isJsonObject(parsed.value)) {
    const isAboutAll = shows.some(({ pointer }) => pointer === '');
    return isAboutAll ? undefined : 'is not a JSON object, which another interaction is about';
  }
  for (const { pointer, value, others, type } of shows) {
    const field = valueAt(parsed.value, pointer);
    const name = pointer.slice(1).replaceAll('/', '.');
    if (isNothing(field))
      return Array.isArray(field) ? `has an empty ${name}, which is permitted` : `has no ${name}, which is permitted`;
    if (type !== undefined && typeOf(field) !== type) {
      return `has ${name} that is not a ${type === 'text' ? 'string' : type}, which is judged elsewhere`;
    }
    const isOther = value !== undefined && field !== value;
    if (isOther && (others === undefined || others.some((one) => one === field))) {
      return `has ${name} ${shortJson(field)}, which is permitted`;
    }
  }
  return undefined;
}

/** Whether an answer has every field, with its value: then the endpoint is in the state, however it got there. */
export function showsAll(body: Uint8Array, shows: Shows): boolean {
  const parsed = parseJson(body);
  if ('error' in parsed || !isJsonObject(parsed.value)) return false;
  const { value: answer } = parsed;
  return shows.every(({ pointer, value }) => {
    const field = valueAt(answer, pointer);
    return !isNothing(field) && (value === undefined || field === value);
  });
}

function typeOf(field: unknown): string {
  return Array.isArray(field) ? 'list' : typeof field === 'string' ? 'text' : 'something else';
}

/** An empty list counts as a missing one. */
function isNothing(field: unknown): boolean {
  return field === undefined || field === null || (Array.isArray(field) && field.length === 0);
}
