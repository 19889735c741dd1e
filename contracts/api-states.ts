import {
  apiState,
  apiStateNames,
  apiStateParams,
  type ApiStateName,
  type ApiStateParam,
  type StateParam,
} from '../generators/contracts/api-state-names.ts';
import type { ProviderState } from '../generators/contracts/contract.ts';
import { shortJson } from '../specs/explain-violations.ts';
import type { JsonValue } from '../specs/json-value.ts';

/** Values of parameters, each of the kind in the table. */
export type ApiStateValues = {
  -readonly [Param in ApiStateParam]?: (typeof apiStateParams)[Param]['kind'] extends 'id' | 'seconds'
    ? number
    : (typeof apiStateParams)[Param]['kind'] extends 'boolean'
      ? boolean
      : string;
};

/** A state that the simulated service can be put into. */
export interface ReadApiState {
  readonly name: ApiStateName;
  readonly params: ApiStateValues;
}

/** Why an inbox cannot be put into a state, or an interaction cannot be tested, for the author of the contract. */
export interface StateFault {
  /** The known state that is meant. */
  readonly state?: ApiStateName;
  /** There is no state of this name. */
  readonly isUnknown?: true;
  readonly expected: string;
  readonly received: string;
}

/** `expected X, received Y`, after the name of the state. */
export function formatStateFault({ state, expected, received }: StateFault): string {
  return `${state === undefined ? '' : `“${state}”: `}expected ${expected}, received ${received}`;
}

/** A state that cannot be read, and how to fix it. */
export interface UnreadApiState {
  readonly fault: StateFault;
  /** Known names that are similar, the most similar first. */
  readonly near: readonly ApiStateName[];
}

/**
 * The state that a contract requires. Names ignore case, spaces and a full stop; numbers may be written as strings. A
 * state that cannot be read has the reason.
 */
export function readApiState({ name, params = {} }: ProviderState): ReadApiState | UnreadApiState {
  const wanted = plain(name);
  const known = apiStateNames.find((one) => plain(one) === wanted);
  if (known === undefined) {
    const near = nearStates(name);
    const advice = near.length > 0 ? `the nearest are ${quoted(near)}` : 'none is similar';
    const received = `${shortJson(name)}; ${advice}`;
    return { fault: { isUnknown: true, expected: 'one of the known states', received }, near };
  }
  const { params: taken } = apiState(known);
  const values: Record<string, JsonValue> = {};
  for (const [param, value] of Object.entries(params)) {
    // null means the same as no value.
    if (value === null) continue;
    if (!(taken as readonly string[]).includes(param)) {
      const only = taken.length === 0 ? 'no parameter' : `only ${taken.join(', ')}`;
      const received = `the parameter ${shortJson(param)}`;
      return { fault: { state: known, expected: only, received }, near: [] };
    }
    const spec: StateParam = apiStateParams[param as ApiStateParam];
    const read = readValue(spec, value);
    if (read === undefined) {
      const expected = `${param} to be ${describeKind(spec)}`;
      return { fault: { state: known, expected, received: shortJson(value) }, near: [] };
    }
    values[param] = read;
  }
  return { name: known, params: values };
}

/** The known states among those that a contract requires. */
export function requestedStates(states: readonly ProviderState[]): ReadApiState[] {
  return states.flatMap((state) => {
    const read = readApiState(state);
    return 'name' in read ? [read] : [];
  });
}

const kinds: Readonly<Record<StateParam['kind'], { words: string; fits: (text: string) => boolean }>> = {
  id: { words: 'a positive integer', fits: (text) => /^[1-9]\d{0,14}$/.test(text) },
  seconds: { words: 'a whole number of seconds from 1', fits: (text) => /^[1-9]\d{0,5}$/.test(text) },
  text: { words: 'a string', fits: () => true },
  phone: {
    words: 'a phone number like "+4930901820"',
    fits: (text) => /^\+[1-9](?:[ ./()-]*\d){6,14}$/.test(text),
  },
  email: {
    words: 'an email address',
    fits: (text) => text.length <= 254 && /^[^@\s]+@[^@\s]+$/.test(text),
  },
  boolean: { words: 'true or false', fits: (text) => text === 'true' || text === 'false' },
  time: {
    words: 'a UTC time like "2026-10-12T09:00:00Z"',
    fits: (text) => /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)?$/.test(text),
  },
};

function describeKind({ kind, oneOf }: StateParam): string {
  return oneOf === undefined ? kinds[kind].words : `one of ${oneOf.join(', ')}`;
}

function readValue({ kind, oneOf }: StateParam, value: JsonValue): JsonValue | undefined {
  if (typeof value === 'object') return undefined;
  const text = String(value);
  const isText = kind !== 'id' && kind !== 'seconds' && kind !== 'boolean';
  if (!kinds[kind].fits(text) || (isText && typeof value !== 'string')) return undefined;
  if (oneOf !== undefined && !oneOf.includes(text)) return undefined;
  return isText ? text : kind === 'boolean' ? text === 'true' : Number(text);
}

function plain(name: string): string {
  return name.trim().replace(/\.$/, '').replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Maximum number of names in a message. */
const mostNear = 3;

/**
 * States that share the most words with a string, rare words before common ones; none where only small words are
 * shared.
 */
export function nearStates(name: string): ApiStateName[] {
  const wanted = wordsIn(name);
  const known = apiStateNames.map((one) => ({ one, words: wordsIn(one) }));
  const weight = (word: string) => 1 / known.filter(({ words }) => words.has(word)).length;
  return known
    .map(({ one, words }) => {
      const shared = [...words].filter((word) => wanted.has(word));
      return { one, likeness: shared.reduce((sum, word) => sum + weight(word), 0) / Math.sqrt(words.size) };
    })
    .filter(({ likeness }) => likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, mostNear)
    .map(({ one }) => one);
}

const smallWords = new Set(['a', 'an', 'the', 'is', 'are', 'was', 'were', 'has', 'have', 'with', 'there', 'of', 'this', 'for', 'in', 'to', 'by', 'be', 'on', 'and', 'that', 'id']); // prettier-ignore

/** Synonyms, mapped to the words of the table. */
const sameWords: Readonly<Record<string, string>> = {
  agent: 'assistant',
  bot: 'assistant',
  conversation: 'project',
  case: 'project',
  ticket: 'project',
  customer: 'contact',
  person: 'contact',
  caller: 'contact',
  user: 'contact',
  booking: 'appointment',
  meeting: 'appointment',
  missing: 'such',
  unknown: 'such',
  nonexistent: 'such',
  not: 'no',
  without: 'no',
  canceled: 'cancelled',
  transcript: 'messages',
  history: 'messages',
  rate: 'requests',
  unauthorized: 'known',
  invalid: 'known',
  unreachable: 'reached',
  undeliverable: 'reached',
  muted: 'paused',
  handed: 'off',
  team: 'off',
};

function wordsIn(name: string): Set<string> {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/\b(?:(?:does|do|did) not|doesn't) exists?\b/g, 'no such')
    .split(/[^a-z]+/)
    .filter((word) => word !== '' && !smallWords.has(word));
  return new Set(words.map((word) => stem(sameWords[word] ?? word)));
}

/** `appointments` and `appointment` are the same word. */
function stem(word: string): string {
  return word.length > 3 ? word.replace(/s$/, '') : word;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(', ');
}
