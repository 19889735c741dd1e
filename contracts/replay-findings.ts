import type { OperationId } from '../specs/api-operations.ts';
import type { AssumptionId } from '../specs/assumptions.ts';
import { shortJson } from '../specs/explain-violations.ts';
import type { ConsumerInteraction } from './consumer-contract.ts';
import { memberName, pointerOf, type ContractFinding } from './contract-finding.ts';
import { readApiState } from './api-states.ts';
import { leadingStates } from './leading-states.ts';
import { stepsOf, type PactMismatch } from './mismatch-finding.ts';
import { openOutcome, openValue } from './not-shown-rules.ts';
import { leaveItOut, openAdvice } from './open-or.ts';
import { isMatched, memberOf } from './pact-matchers.ts';
import type { ReplayedInteraction } from './replay-interactions.ts';

/** What the simulated service's answer says about the expectations of an interaction. */
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
        ...partsOf(skipped),
        advice: /^expected one of the states/.test(skipped)
          ? 'Name a state that is known (docs/pact-compare.md lists them), or say with --states what yours mean.'
          : 'Mend the contract; nothing was sent.',
      },
    ];
  }
  // An operation that the document does not have was told already.
  if (id === undefined) return [];
  const ofStatus = mismatches.find(({ type }) => type === 'StatusMismatch');
  if (ofStatus) return [statusFinding(interaction, id, Number(ofStatus.actual), answer?.body ?? '')];
  return mismatches.flatMap((mismatch) => {
    if (mismatch.type === 'HeaderMismatch') return headerFindings(interaction, mismatch);
    return bodyFindings(interaction, id, mismatch, answer?.status ?? interaction.response.status);
  });
}

/** `expected …, received …` as its two parts. */
function partsOf(sentence: string): Pick<ContractFinding, 'expected' | 'received'> {
  const [, before = '', expected = sentence, received = ''] =
    /^(.*?)expected (.+?), received (.+)$/s.exec(sentence) ?? [];
  return { expected: before + expected, received: received === '' ? 'something else' : received };
}

function statusFinding(
  { index, states, response: { status } }: ConsumerInteraction,
  id: OperationId,
  received: number,
  body: string,
): ContractFinding {
  const asked = states.flatMap((state) => {
    const read = readApiState(state);
    return 'name' in read ? [read.name] : [];
  });
  const causes = leadingStates(id, received);
  const leading = leadingStates(id, status).filter((name) => !asked.includes(name));
  const isCaused = asked.some((name) => causes.includes(name) && !(received < 300 && status >= 300));
  const place = {
    place: 'status',
    pointer: `/interactions/${index}/response/status`,
    expected: `status ${status}`,
    received: `status ${received}${codeOf(body)}`,
  } as const;
  const assumption = openOutcome(id, status, received);
  if (assumption !== undefined) return { kind: 'not-shown', ...place, assumption, advice: openAdvice(assumption) };
  if (!isCaused && leading.length > 0) {
    const names = leading
      .slice(0, 2)
      .map((name) => `“${name}”`)
      .join(' or ');
    return {
      kind: 'not-judged',
      ...place,
      advice: `The contract asks for ${asked.length === 0 ? 'no state' : 'no such state'}: ask for ${names}.`,
    };
  }
  const where = asked.length === 0 ? 'to this request' : 'in the states that it asks for';
  return { kind: 'not-given', ...place, advice: `Expect what the interface answers ${where}.` };
}

/** The code of a problem, in words. */
function codeOf(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    const [title, detail] = [memberOf(value, 'title'), memberOf(value, 'detail')];
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
  // Its parameters are no matter of the interface.
  if (/^content-type$/i.test(key) && wanted === got) return [];
  const missing = actual === undefined || actual === null || actual === '';
  const assumption: AssumptionId | undefined = /^retry-after$/i.test(key) ? 'rate-limit-status' : undefined;
  const place = {
    place: 'response-header',
    pointer: `/interactions/${interaction.index}/response/headers${pointerOf([key])}`,
    expected: `the header ${key}: ${unquoted(expected)}`,
    received: missing ? 'none' : unquoted(actual),
  } as const;
  if (assumption !== undefined) return [{ kind: 'not-shown', ...place, assumption, advice: openAdvice(assumption) }];
  if (missing) return [{ kind: 'not-in-document', ...place, advice: leaveItOut }];
  return [{ kind: 'not-given', ...place, advice: 'Expect what the interface gives, or leave it out.' }];
}

function mediaType(value: unknown): string {
  return unquoted(value).split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function unquoted(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).replace(/^"(.*)"$/, '$1');
}

function bodyFindings(
  { index, response }: ConsumerInteraction,
  id: OperationId,
  { path = '$', mismatch = '', expected, actual }: PactMismatch,
  status: number,
): ContractFinding[] {
  const steps = stepsOf(path);
  const pointer = `/interactions/${index}${response.bodyPointer}`;
  const finding = (
    all: readonly (string | number)[],
    words: Pick<ContractFinding, 'expected' | 'received' | 'advice'>,
  ): ContractFinding => {
    const assumption = openValue(id, status, all);
    const place = { place: 'response-body', pointer: pointer + pointerOf(all) } as const;
    if (assumption === undefined) return { kind: 'not-given', ...place, ...words };
    return { kind: 'not-shown', ...place, ...words, assumption, advice: openAdvice(assumption) };
  };
  const missing = /missing the following keys?:/.test(mismatch) ? missingKeys(expected, actual) : [];
  if (missing.length > 0) {
    return missing.map((key) =>
      finding([...steps, key], {
        expected: `the member ${memberName([...steps, key])}`,
        received: 'none',
        advice:
          'The interface does not promise it in this answer: leave it out, or ask for a state in which it is there.',
      }),
    );
  }
  const name = memberName(steps);
  if (Array.isArray(parsed(actual)) && (parsed(actual) as unknown[]).length === 0) {
    const [state] = id === 'getTranscript' ? ['“the project has messages”'] : [];
    return [
      {
        kind: 'not-judged',
        place: 'response-body',
        pointer: pointer + pointerOf(steps),
        expected: `${name} to have items`,
        received: 'an empty list',
        advice: `Ask for a state in which it has some${state === undefined ? '' : `: ${state}`}.`,
      },
    ];
  }
  const [, got, rule] =
    /^Expected (.+?) (?:\([^()]*\) )?(to (?:match|be|have|equal|contain|not).*)$/s.exec(mismatch) ?? [];
  return [
    finding(steps, {
      expected: rule === undefined ? `${name}: ${plain(expected)}` : `${name} ${rule}`,
      received: got ?? plain(actual),
      advice: isMatched(response.matchers, steps)
        ? 'Expect what the interface gives.'
        : 'Expect what the interface gives; what is the service’s own, such as an id, match by its type.',
    }),
  ];
}

/** Pact tells the keys of both sides as JSON lists. */
function missingKeys(expected: unknown, actual: unknown): string[] {
  const [wanted, got] = [parsed(expected), parsed(actual)];
  if (!Array.isArray(wanted) || !Array.isArray(got)) return [];
  return wanted.filter((key): key is string => typeof key === 'string' && !got.includes(key));
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
