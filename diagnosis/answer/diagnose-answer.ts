import { isJsonObject } from '../../specs/json-object.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import { unknownCaller, type ChatEvent, type Samples } from '../../harness/checks/samples.ts';
import type { Connection } from '../connection.ts';
import type { PreparedEvent } from '../prepared-event.ts';
import type { Failing, ProbeOutcome, Probe, Suspect } from '../outcome.ts';
import { levelOf, type AnswerFault } from './answer-fault.ts';
import { answerFaults } from './answer-faults.ts';

/** Milliseconds for a callback or reply after a 202, before its body counts as lost. */
const followsWithinMs = 1_500;
/** Faults of answers that may be only a confirmation, if a callback or reply follows. */
const mayConfirm: readonly AnswerFault['id'][] = ['answer/text-elsewhere', 'answer/error-in-success'];

const nothingToUse =
  'No answer had content (a body with status 200, or a callback or reply), so it is unknown whether answers are usable.';

interface AnswerQuestion {
  label: string;
  event: Record<string, unknown> | undefined;
}

/**
 * Requests answers of every kind that this endpoint can give, and judges the successful ones: status, bytes, and every
 * field that the service reads. Ends with the first unusable answer, which is requested once more, since an AI may answer
 * differently. Milder faults do not end the probe: a fault that only should not be there is the result if nothing worse
 * follows; violations of mere advice are suspects.
 */
export const diagnoseAnswer: Probe = async (connection, failing) => {
  const seen: string[] = [];
  const right: string[] = [];
  const milder: AnswerFault[] = [];
  const boxes: PreparedEvent['box'][] = [];
  for (const { label, event } of questions(connection, failing)) {
    const { made, observation } = await askOnce(connection, event, label);
    boxes.push(made.box);
    seen.push(`${capital(label)}: ${describeResult(observation)}.`);
    const all = await faultsOf(connection, made, observation);
    const faults = all.filter((fault) => levelOf(fault) === 'must');
    for (const fault of all)
      if (levelOf(fault) !== 'must' && !milder.some(({ id }) => id === fault.id)) milder.push(fault);
    const [first] = faults;
    if (!first) {
      if (hasContent(observation)) right.push(label);
      continue;
    }
    if (first.doubt === undefined) {
      const again = await askOnce(connection, event, `${label}, again`);
      seen.push(`${capital(label)}, again: ${describeResult(again.observation)}.`);
      const repeated = await faultsOf(connection, again.made, again.observation);
      if (!repeated.some(({ id }) => id === first.id))
        first.doubt = 'It was observed once, but not when the request was repeated.';
    }
    const outcome = outcomeOf(faults, label, seen, right);
    return { ...outcome, suspects: [...outcome.suspects, ...milder.map(asSuspect)] };
  }
  const isSilent = right.length === 0 && !(await anyFollows(connection, boxes));
  const found = milder.find((fault) => levelOf(fault) === 'should');
  return {
    ...(found && { found: { id: found.id, summary: found.summary } }),
    suspects: milder.filter((fault) => fault !== found).map(asSuspect),
    passed: fineOf(right),
    seen,
    ...(isSilent && { notObserved: [nothingToUse] }),
  };
};

/** Whether a callback or reply follows, which another probe judges. */
async function anyFollows({ remainingMs }: Connection, boxes: readonly PreparedEvent['box'][]): Promise<boolean> {
  const withinMs = Math.min(followsWithinMs, remainingMs);
  const arrivals = await Promise.all(boxes.map(async (box) => (await box?.atLeast(1, { withinMs })) ?? []));
  return arrivals.some(({ length }) => length > 0);
}

function questions({ session, surface, config }: Connection, failing?: Failing): AnswerQuestion[] {
  const { sample } = session;
  const given = isJsonObject(failing?.event) ? [{ label: 'the failing event', event: failing.event }] : [];
  switch (surface) {
    case 'own-ai-chat': {
      const { answer: _, async: __, ...sentences } = config.stimuli.chat ?? {};
      const asking = Object.entries(sentences).map(([name, sentence]) => ({
        label: `a message that asks for ${name}`,
        event: chatEvent(sample.messageReceived(), sentence),
      }));
      return [...given, { label: 'a message', event: chatEvent(sample.messageReceived()) }, ...asking];
    }
    case 'crm-webhook':
      return [
        ...given,
        ...(sample.contactData().phoneNumber === unknownCaller
          ? []
          : [{ label: 'IncomingCallLookup of an unknown caller', event: ofUnknownCaller(sample) }]),
        ...(['IncomingCallLookup', 'NewConversation', 'FinishedCall', 'FormSubmitted'] as const).map((type) => ({
          label: type,
          event: { ...sample.crmEvent(type) },
        })),
      ];
    case 'api-webhooks':
    case 'own-ai-phone':
      return [...given, { label: 'an appointment event', event: undefined }];
  }
}

function ofUnknownCaller(sample: Samples): Record<string, unknown> {
  return {
    ...sample.crmEvent('IncomingCallLookup', { contactData: sample.contactData({ phoneNumber: unknownCaller }) }),
  };
}

function chatEvent(event: ChatEvent, sentence?: string): Record<string, unknown> {
  if (sentence === undefined) return { ...event };
  return { ...event, data: { ...event.data, message: { ...event.data.message, text: sentence } } };
}

async function askOnce(
  connection: Connection,
  event: Record<string, unknown> | undefined,
  label: string,
): Promise<{ made: PreparedEvent; observation: Observation }> {
  const isMessage = connection.surface === 'own-ai-chat' && event !== undefined;
  const made = connection.case({ event: isMessage ? { ...event, id: connection.session.ids.event() } : event });
  return { made, observation: await connection.ask(made.delivery, { label }) };
}

async function faultsOf(
  connection: Connection,
  { event, box }: PreparedEvent,
  { answer }: Observation,
): Promise<AnswerFault[]> {
  const faults = answerFaults(connection.surface, answer, { event, skills: connection.config.skills });
  const [first] = faults;
  const mayFollow =
    (first !== undefined && mayConfirm.includes(first.id)) ||
    (first?.id === 'answer/lost-in-status' && connection.surface === 'crm-webhook');
  if (!mayFollow || !box) return faults;
  // The actual answer may follow in a callback or reply; then this is only a confirmation.
  const withinMs = Math.min(followsWithinMs, connection.remainingMs);
  return (await box.atLeast(1, { withinMs })).length > 0 ? [] : faults;
}

function outcomeOf(
  faults: readonly AnswerFault[],
  label: string,
  seen: readonly string[],
  right: string[],
): ProbeOutcome {
  const [first, ...others] = faults;
  const suspects = (first?.doubt === undefined ? others : faults).map(
    ({ id, summary: text, doubt = `It is in the same answer (to ${label}).` }): Suspect => ({
      id,
      summary: text,
      why: doubt,
    }),
  );
  const found = first?.doubt === undefined ? first : undefined;
  return { found: found && { id: found.id, summary: found.summary }, suspects, passed: fineOf(right), seen };
}

/** A milder fault as a suspect: it may explain an unexpected result. */
function asSuspect(fault: AnswerFault): Suspect {
  const why =
    levelOf(fault) === 'advice'
      ? 'It violates no rule, since the service ignores it, but it may explain why something does not appear.'
      : 'The service ignores it, so something does not appear.';
  return { id: fault.id, summary: fault.summary, why };
}

function fineOf(right: readonly string[]): string[] {
  return right.length === 0 ? [] : [`The answers to ${right.join(', ')} can be used.`];
}

/** Whether the answer has content to judge: only the body of a 200 is used. */
function hasContent({ answer }: Observation): boolean {
  return answer.outcome === 'answered' && answer.status === 200 && answer.bodyBytes > 0;
}

function capital(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** Describes an answer briefly, without quoting its body. */
function describeResult({ answer }: Observation): string {
  switch (answer.outcome) {
    case 'answered':
      return `status ${answer.status} with ${answer.bodyBytes} bytes`;
    case 'no-answer':
      return `no complete answer within ${answer.afterMs / 1000} s`;
    case 'closed':
      return 'the connection was closed';
    case 'malformed':
      return 'the answer cannot be parsed as HTTP';
    case 'unreachable':
      return 'no connection';
  }
}
