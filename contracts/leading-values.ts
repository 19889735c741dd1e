import type { ApiStateName, ApiStateParam } from '../generators/contracts/api-state-names.ts';
import { apiStateParams } from '../generators/contracts/api-state-names.ts';
import type { OperationId } from '../specs/api-operations.ts';
import type { ReadApiState } from './api-states.ts';

/** States in which a field of an answer has a value. */
interface ValueLead {
  readonly operations: readonly OperationId[];
  /** By its names alone, without indices; `''` for the whole body. */
  readonly field: RegExp;
  readonly is: (value: unknown) => boolean;
  readonly states: readonly ApiStateName[];
  /** The parameter of the states that determines the value. */
  readonly param?: ApiStateParam;
  /** The usual value of an answer: these states contradict no other value. */
  readonly usual?: true;
}

const one =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    values.includes(value);
const any = () => true;

const skills = ['runSkill', 'sendAgentReply'] as const;
const agents = ['getAgent', 'listAgents', 'changeAgent'] as const;
const [ok, reason] = [/^(?:skills\.)?ok$/, /^(?:skills\.)?reason$/];

const leads: readonly ValueLead[] = [
  { operations: skills, field: ok, is: one(true), states: ['a skill is attached'], usual: true },
  { operations: skills, field: ok, is: one(false), states: ['the skill is refused', 'no such skill'] },
  { operations: skills, field: reason, is: one('unknown-skill'), states: ['no such skill'] },
  { operations: skills, field: reason, is: one('pending-approval'), states: ['the skill waits for approval'] },
  {
    operations: skills,
    field: reason,
    is: one(...apiStateParams.reason.oneOf),
    states: ['the skill is refused'],
    param: 'reason',
  },
  { operations: skills, field: reason, is: one('limit-reached', 'one-forward-per-turn'), states: [] },
  {
    operations: ['sendAgentReply'],
    field: /^autoReply\.state$/,
    is: one('on'),
    states: ['the own AI answers the project'],
    usual: true,
  },
  { operations: ['sendAgentReply'], field: /^autoReply\.state$/, is: one('off'), states: ['auto-reply is off'] },
  { operations: ['sendAgentReply'], field: /^autoReply\.state$/, is: one('paused'), states: ['auto-reply is paused'] },
  { operations: ['sendAgentReply'], field: /^autoReply\.pausedUntil$/, is: any, states: ['auto-reply is paused'] },
  { operations: agents, field: /^hasSecret$/, is: one(true), states: ['an assistant exists'], usual: true },
  { operations: agents, field: /^hasSecret$/, is: one(false), states: ['the assistant has no secret'] },
  ...(['name', 'chatUrl', 'voiceUrl'] as const).map((param) => ({
    operations: ['getAgent', 'listAgents'] as const,
    field: new RegExp(`^${param}$`),
    is: any,
    states: ['an assistant exists'] as const,
    param,
    usual: true as const,
  })),
  { operations: ['listAgents'], field: /^$/, is: isEmptyList, states: ['the inbox has no assistant'] },
  { operations: ['testAgent'], field: /^success$/, is: one(true), states: ['the own AI passes the test'] },
  { operations: ['testAgent'], field: /^success$/, is: one(false), states: ['the own AI fails the test'] },
  {
    operations: ['sendMessage'],
    field: /^waitingForReply$/,
    is: one(true),
    states: ['the WhatsApp window is closed'],
  },
  { operations: ['sendMessage'], field: /^waitingForReply$/, is: one(false), states: ['the WhatsApp window is open'] },
];

/** The value of a field of an answer, as expected by a contract and as received. */
export interface FieldValue {
  readonly id: OperationId;
  readonly steps: readonly (string | number)[];
  readonly expected: unknown;
  readonly received: unknown;
}

/**
 * The states that a contract must require so that a field has the expected value, to be read after "require"; empty if
 * the interface specifies the value and no state leads to it. `undefined`: the required states already decide, or the
 * value does not depend on states.
 */
export function missingState(
  { id, steps, expected, received }: FieldValue,
  asked: readonly ReadApiState[],
): string | undefined {
  const name = steps.filter((step) => typeof step === 'string').join('.');
  const rows = leads.filter(({ operations, field }) => operations.includes(id) && field.test(name));
  const isAsked = ({ states, param }: ValueLead, value: unknown) =>
    asked.some((state) => states.includes(state.name) && (param === undefined || state.params[param] === value));
  const isDecided = rows.some((row) => row.usual !== true && row.is(received) && isAsked(row, received));
  const leading = rows.filter((row) => row.is(expected));
  if (isDecided || leading.length === 0 || leading.some((row) => isAsked(row, expected))) return undefined;
  const wanted = leading.flatMap(({ states, param }) =>
    states.map((state) => `“${state}”${param === undefined ? '' : ` with ${param}: ${JSON.stringify(expected)}`}`),
  );
  return [...new Set(wanted)].slice(0, 2).join(' or ');
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
