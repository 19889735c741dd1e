import type { ApiStateName } from '../generators/contracts/api-state-names.ts';
import type { OperationId } from '../specs/api-operations.ts';
import type { AssumptionId } from '../specs/assumptions.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { requestedStates } from './api-states.ts';
import type { ConsumerInteraction } from './consumer-contract.ts';
import { fieldName, type ContractFinding } from './contract-finding.ts';
import { requestFindings } from './document-findings.ts';
import { leadingStates } from './leading-states.ts';
import { missingState } from './leading-values.ts';
import type { PactMismatch } from './mismatch-finding.ts';
import { isNamedCode, openOutcome, openValue } from './not-shown-rules.ts';
import { omitAdvice, openAdvice } from './kind-and-advice.ts';
import { isMatched, fieldOf } from './pact-matchers.ts';
import { pactPathSteps } from './pact-path-steps.ts';
import { missingKeys, pactSentence } from './pact-sentence.ts';
import type { ReplayedInteraction } from './replay-interactions.ts';
import { formatPointer } from '../specs/json-pointer.ts';

/** Findings from comparing the simulated service's answer with the expectations of an interaction. */
export function replayFindings(
  interaction: ConsumerInteraction,
  id: OperationId | undefined,
  { mismatches, skipped, answer }: ReplayedInteraction,
): ContractFinding[] {
  const at = `/interactions/${interaction.index}`;
  if (skipped !== undefined) {
    const isState = interaction.states.length > 0;
    return [
      {
        kind: 'not-judged',
        place: isState ? 'state' : 'request-body',
        pointer: isState ? `${at}/providerStates` : `${at}/request/body`,
        expected: `${skipped.state === undefined ? '' : `“${skipped.state}”: `}${skipped.expected}`,
        received: skipped.received,
        advice: skipped.isUnknown
          ? 'Use a known state (docs/pact-compare.md lists them), or translate yours with --states.'
          : 'Fix the contract; nothing was sent.',
      },
    ];
  }
  // An operation that the document does not have was already reported.
  if (id === undefined) return [];
  const ofStatus = mismatches.find(({ type }) => type === 'StatusMismatch');
  if (ofStatus) return statusFindings(interaction, id, Number(ofStatus.actual), answer?.body ?? '');
  return mismatches.flatMap((mismatch) => {
    if (mismatch.type === 'HeaderMismatch') return headerFindings(interaction, mismatch);
    return bodyFindings(interaction, id, mismatch, answer?.status ?? interaction.response.status);
  });
}

function statusFindings(
  interaction: ConsumerInteraction,
  id: OperationId,
  received: number,
  body: string,
): ContractFinding[] {
  const { index, states, response } = interaction;
  const { status } = response;
  // The comparator does not know the formats of our schemas: the schema explains the refusal.
  const refused = received === 400 && status < 300 ? requestFindings(interaction, id) : [];
  if (refused.length > 0) return refused;
  const asked = requestedStates(states).map(({ name }) => name);
  const causes = leadingStates(id, received);
  const leading = leadingStates(id, status).filter((name) => !asked.includes(name));
  const isCaused = asked.some((name) => causes.includes(name) && !(received < 300 && status >= 300));
  const place = {
    place: 'status',
    pointer: `/interactions/${index}/response/status`,
    expected: `status ${status}`,
    received: `status ${received}${codeOf(body)}`,
    status: received,
  } as const;
  const assumption = openOutcome(id, status, received);
  if (assumption !== undefined) return [{ kind: 'not-shown', ...place, assumption, advice: openAdvice(assumption) }];
  if (!isCaused && leading.length > 0) {
    const names = leading
      .slice(0, 2)
      .map((name) => `“${name}”`)
      .join(' or ');
    return [{ kind: 'not-judged', ...place, advice: requireStates(names, asked.length > 0) }];
  }
  const where = asked.length === 0 ? 'to this request' : 'in the states that it requires';
  return [{ kind: 'not-provided', ...place, advice: `Expect the answer that the interface specifies ${where}.` }];
}

function requireStates(names: string, hasStates: boolean): string {
  return `The contract requires ${hasStates ? 'other states' : 'no state'}: require ${names}.`;
}

/** The code of a problem with its detail. */
function codeOf(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    const [title, detail] = [fieldOf(value, 'title'), fieldOf(value, 'detail')];
    return typeof title === 'string' && typeof detail === 'string' ? ` (${title}: ${detail})` : '';
  } catch {
    return '';
  }
}

function headerFindings(
  interaction: ConsumerInteraction,
  { key = '', expected, actual }: PactMismatch,
): ContractFinding[] {
  const [wanted, got] = [expected, actual].map(mediaType);
  // Its parameters are not part of the interface.
  if (/^content-type$/i.test(key) && wanted === got) return [];
  const missing = actual === undefined || actual === null || actual === '';
  const assumption: AssumptionId | undefined = /^retry-after$/i.test(key) ? 'rate-limit-status' : undefined;
  const place = {
    place: 'response-header',
    pointer: `/interactions/${interaction.index}/response/headers${formatPointer([key])}`,
    expected: `the header ${key}: ${unquoted(expected)}`,
    received: missing ? 'none' : unquoted(actual),
  } as const;
  if (assumption !== undefined) return [{ kind: 'not-shown', ...place, assumption, advice: openAdvice(assumption) }];
  if (missing) return [{ kind: 'not-in-document', ...place, advice: omitAdvice }];
  const byTheLibrary =
    wanted === 'application/json' && got === 'application/problem+json'
      ? ' Where your Pact library adds this header to every JSON body, set it to application/problem+json.'
      : '';
  return [{ kind: 'not-provided', ...place, advice: `Expect the header of the interface, or omit it.${byTheLibrary}` }];
}

function mediaType(value: unknown): string {
  return unquoted(value).split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function unquoted(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).replace(/^"(.*)"$/, '$1');
}

function bodyFindings(
  { index, response, states }: ConsumerInteraction,
  id: OperationId,
  difference: PactMismatch,
  status: number,
): ContractFinding[] {
  const { path = '$', mismatch = '', expected, actual } = difference;
  const steps = pactPathSteps(path);
  const finding = (
    all: readonly (string | number)[],
    received: unknown,
    words: Pick<ContractFinding, 'expected' | 'received' | 'advice'>,
  ): ContractFinding => {
    const place = {
      place: 'response-body',
      pointer: `/interactions/${index}${response.bodyPointer}${formatPointer(all)}`,
    } as const;
    const wanted = all.reduce<unknown>((value, step) => fieldAt(value, step), response.body);
    const isCode = status >= 400 && all.length === 1 && all[0] === 'title';
    const isOpenCode = isCode && !isNamedCode(wanted) && !isNamedCode(received);
    const assumption = isOpenCode ? 'error-codes' : openValue(id, status, all);
    if (assumption !== undefined)
      return { kind: 'not-shown', ...place, ...words, assumption, advice: openAdvice(assumption) };
    const asked = requestedStates(states);
    const missing = missingState({ id, steps: all, expected: wanted, received }, asked);
    if (missing === undefined) return { kind: 'not-provided', ...place, ...words };
    const advice = missing === '' ? noState : requireStates(missing, asked.length > 0);
    return { kind: 'not-judged', ...place, ...words, advice };
  };
  const missing = missingKeys(difference);
  if (missing.length > 0) {
    return missing.map((key) =>
      finding([...steps, key], undefined, {
        expected: `the field ${fieldName([...steps, key])}`,
        received: 'none',
        advice: 'The interface does not promise it in this answer: omit it, or require a state in which it exists.',
      }),
    );
  }
  const name = fieldName(steps);
  const received = parsed(actual);
  if (Array.isArray(received) && received.length === 0) {
    const place = {
      place: 'response-body',
      pointer: `/interactions/${index}${response.bodyPointer}${formatPointer(steps)}`,
    } as const;
    const words = { expected: `${name} to have items`, received: 'an empty list' };
    const isEmptied = requestedStates(states).some((state) => emptying.includes(state.name));
    if (isEmptied) return [{ kind: 'not-provided', ...place, ...words, advice: 'Expect none in the required state.' }];
    const state = id === 'getTranscript' ? ': “the project has messages”' : '';
    return [{ kind: 'not-judged', ...place, ...words, advice: `Require a state in which it has some${state}.` }];
  }
  const sentence = pactSentence(mismatch);
  return [
    finding(steps, received, {
      expected: sentence ? `${name} ${sentence.rule}` : `${name}: ${plain(expected)}`,
      received: sentence?.received ?? plain(actual),
      advice: isMatched(response.matchers, steps)
        ? 'Expect the value of the interface.'
        : 'Expect the value of the interface; match values that the service chooses, such as ids, by type.',
    }),
  ];
}

/** Advice for a value of the interface for which the simulated service has no state. */
const noState = 'The interface has this value, but no state leads to it here: match it by its type, or omit it.';

/** States in which a list is empty. */
const emptying: readonly ApiStateName[] = [
  'the inbox has no assistant',
  'the inbox has no senders',
  'the inbox has no templates',
];

function fieldAt(value: unknown, step: string | number): unknown {
  return Array.isArray(value) ? (value as unknown[])[Number(step)] : fieldOf(value, String(step));
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function plain(value: unknown): string {
  return shortJson(parsed(value));
}
