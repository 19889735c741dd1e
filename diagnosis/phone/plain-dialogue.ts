import { formatMs } from '../format-ms.ts';
import { timelinessOf } from '../../harness/wire/timeliness.ts';
import type { CallAnswer, CallEnd, CallObservation } from '../../harness/wire/observation.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import type { Found, Suspect } from '../outcome.ts';
import { describeClose, ownEndMs, unexpectedEnd } from './call-end.ts';
import { describeAnswer } from './describe-answer.ts';
import { frameFaults, type FrameFault } from './frame-faults.ts';
import type { PhoneCalls } from './phone-calls.ts';
import { closedAtSentence, explainClose } from './explain-close.ts';
import { slowAnswerCause, explainUnanswered } from './explain-unanswered.ts';

/** Sentences of the first call. */
const sentences = 3;
/** Sentences that reveal an AI that answers only a few, if a failed requirement is about that. */
export const manySentences = 11;
/** Milliseconds of silence at the end of the first call. */
export const silenceMs = 1_500;
/** Milliseconds in which speech after an answer still belongs to it. */
const settleMs = 150;
/** Silence that makes a call older than an earlier one at the same sentence: in sentences, and at least in milliseconds. */
const silentSentences = 2;
const leastSilenceMs = 800;

/** Result of plain calls. `found` ends the search: nothing else can be judged in such calls. */
export interface PlainDialogue {
  found?: Found | undefined;
  suspects: Suspect[];
  /** Faults that do not prevent other checks. */
  lesser: Found[];
  passed: string[];
  /** What could not be judged, one sentence each. */
  notObserved: string[];
  /** The answer to a plain sentence. */
  text: string;
  /** Milliseconds of silence after which the first call was still up. */
  quietMs?: number;
  /** Milliseconds between the last sentence of the first call and the action or forward with which the AI ended it. */
  ownEndMs?: number | undefined;
}

/** Returns a function that removes what is added to the results from now on. */
export function restorePoint({ suspects, lesser, passed, notObserved }: PlainDialogue, seen: string[]): () => void {
  const lists: unknown[][] = [suspects, lesser, passed, notObserved, seen];
  const lengths = lists.map(({ length }) => length);
  return () => {
    for (const [at, list] of lists.entries()) list.length = Math.min(list.length, lengths[at] ?? 0);
  };
}

/**
 * Holds a call with a few plain sentences and judges whether and when they are answered, the frames, and whether the call
 * stays up.
 *
 * @param quietForMs milliseconds of silence after them
 */
export async function plainDialogue(
  calls: PhoneCalls,
  seen: string[],
  { count = sentences, quietForMs = silenceMs }: { count?: number; quietForMs?: number } = {},
): Promise<PlainDialogue> {
  const result: PlainDialogue = { suspects: [], lesser: [], passed: [], notObserved: [], text: '' };
  const call = await calls.begin({ label: 'a call with plain sentences' });
  const { observation } = call;
  if (!isConnected(observation.answer)) {
    const why = `A correctly signed call got ${describeAnswer(observation.answer)}.`;
    seen.push(why);
    return result;
  }
  const unasked = call.isUp ? call.heardSince(0) : '';
  if (unasked !== '') {
    await call.settle(settleMs);
    seen.push('The AI spoke before the caller had said anything.');
    result.lesser.push({ id: 'phone/speaks-first' });
  }
  for (let nth = 0; nth < count && call.isUp; nth++) {
    const answer = await calls.ask(call);
    if (answer.outcome === 'nothing' && nth > 0) break;
    if (answer.outcome === 'not-closed') break;
    await call.settle(settleMs);
  }
  const quietMs = Math.min(quietForMs, calls.connection.remainingMs);
  if (call.isUp) await call.pass(quietMs);
  if (call.isUp) result.quietMs = quietMs;
  else {
    await call.end();
    result.ownEndMs = ownEndMs(observation);
  }
  await calls.end(call);
  result.text = observation.answers[0]?.text ?? '';
  const faults = frameFaults(calls.connected);
  result.lesser.push(...faults.filter(({ does }) => does === 'loses'));
  await judge(calls, observation, faults, result, seen, Math.max(quietForMs, silenceMs));
  return result;
}

async function judge(
  calls: PhoneCalls,
  observation: CallObservation,
  faults: readonly FrameFault[],
  result: PlainDialogue,
  seen: string[],
  quietForMs: number,
): Promise<void> {
  const { answers } = observation;
  const [first] = answers;
  const worst = (...does: FrameFault['does'][]) => faults.find((fault) => does.includes(fault.does));
  const ended = worst('ends');
  if (ended) return void (result.found = saw(seen, ended));
  const end = unexpectedEnd(observation);
  if (end) {
    const last = observation.frames.at(-1);
    const isSentence = last?.from === 'service';
    const asked = answers.at(-1);
    if (isSentence && asked?.outcome === 'call-ended' && asked.pieces === 0) {
      const answered = answers.length - 1;
      result.found = await (answered === 0 ? closedAtSentence(calls, seen) : stops(calls, answered, seen, end));
    }
    result.found ??= await explainClose(calls, quietForMs + silenceMs, seen);
    if (!result.found) result.suspects.push(broke(end, seen));
    return;
  }
  const silent = answers.findIndex(
    ({ outcome, pieces }) => outcome === 'nothing' || (outcome === 'closed' && pieces === 0),
  );
  if (silent >= 0) {
    // The answer may be an unknown action, which is ignored.
    const ignored = silent === 0 ? faults.find(({ id }) => id === 'phone/action-unknown') : undefined;
    const fault = worst('silences') ?? ignored;
    if (fault) result.found = saw(seen, fault);
    else if (answers.slice(0, 2).every(({ outcome, pieces }) => outcome === 'closed' && pieces === 0)) {
      seen.push('Answers were closed without a word.');
      result.found = { id: 'phone/answers-are-empty' };
    } else if (silent === 0)
      result.found = await explainUnanswered(calls, (answers[1]?.firstPieceMs ?? null) !== null, seen);
    else result.found = await stops(calls, silent, seen);
    return;
  }
  if (first?.outcome === 'not-closed' || answers.some(({ outcome }) => outcome === 'not-closed')) {
    const fault = worst('opens', 'silences');
    if (fault) return void (result.found = saw(seen, fault));
    return void (await leftOpen(calls, answers, result, seen));
  }
  // Some of the words may be lost while other frames are handled.
  const partly = worst('silences', 'opens');
  if (partly) result.lesser.push(partly);
  await judgeTimes(calls, answers, result, seen);
  if (answers.length > 0 && !result.found) {
    const slowest = Math.max(...answers.map(({ firstPieceMs }) => firstPieceMs ?? 0));
    result.passed.push(
      `${answers.length} sentences of one call are answered and closed, each begun within ${formatMs(slowest)}.`,
    );
    const { quietMs = 0 } = result;
    if (quietMs >= silenceMs) result.passed.push(`The call stays up while nothing is said for ${formatMs(quietMs)}.`);
  }
}

function saw(seen: string[], { id, summary: text }: FrameFault): Found {
  seen.push(text ?? id);
  return { id, summary: text };
}

function broke(end: NonNullable<CallObservation['end']>, seen: string[]): Suspect {
  const why = `One call was closed ${describeClose(end)}, and the next ones were not.`;
  seen.push(why);
  return { id: 'phone/closes-after-a-time', summary: 'Your endpoint sometimes closes calls.', why };
}

/**
 * Confirms after how many sentences the AI stops answering.
 *
 * @param end how the first call was closed at that sentence. The second one is older then: it begins with a silence.
 */
async function stops(calls: PhoneCalls, answered: number, seen: string[], end?: CallEnd): Promise<Found | undefined> {
  const call = await calls.begin({ label: 'a call with plain sentences, once more' });
  if (end) await call.pass(Math.max(leastSilenceMs, (silentSentences * end.atMs) / (answered + 1)));
  for (let nth = 0; nth <= answered && call.isUp; nth++) {
    const { outcome } = await calls.ask(call);
    if (outcome === 'nothing') break;
    await call.settle(settleMs);
  }
  await calls.end(call);
  const again = call.observation.answers.findIndex(({ outcome }) => outcome === (end ? 'call-ended' : 'nothing'));
  const words = answered === 1 ? 'the first sentence' : `${answered} sentences`;
  const later = end ? ', which began with a silence,' : '';
  seen.push(`One call answered ${words} and no more; the next call${later} answered ${again < 0 ? 'all' : again}.`);
  const exact = again === answered;
  if (again < 0 || (end && !exact)) return undefined;
  const how = end ? `, and then closes the connection ${describeClose(end)}` : ' and no more';
  return {
    id: 'phone/stops-answering',
    summary: exact
      ? `Your endpoint answers ${words} of a call${how}.`
      : 'Your endpoint stops answering in the middle of a call.',
  };
}

/** Confirms that an answer has no closing piece. */
async function leftOpen(
  calls: PhoneCalls,
  answers: readonly CallAnswer[],
  result: PlainDialogue,
  seen: string[],
): Promise<void> {
  const nth = answers.findIndex(({ outcome }) => outcome === 'not-closed');
  const call = await calls.begin({ label: 'a call with answers that may be left open' });
  for (let at = 0; at <= nth && call.isUp; at++) await calls.ask(call);
  const again = call.observation.answers.at(-1);
  await calls.end(call);
  const which = nth === 0 ? 'the first answer' : `answer ${nth + 1}`;
  seen.push(`In two calls ${which} ${again?.outcome === 'not-closed' ? 'had' : 'had once'} no piece with last true.`);
  if (again?.outcome === 'not-closed') {
    const text =
      nth === 0
        ? 'Your endpoint never sends "last": true, so no answer ends.'
        : `Your endpoint leaves ${which} of a call without "last": true.`;
    result.found = { id: 'phone/answers-not-closed', summary: text };
  } else result.suspects.push({ id: 'phone/answers-not-closed', why: 'It was missing in one of two calls.' });
}

/** Judges first pieces after the waiting time. */
async function judgeTimes(
  calls: PhoneCalls,
  answers: readonly CallAnswer[],
  result: PlainDialogue,
  seen: string[],
): Promise<void> {
  const { limitMs } = calls.connection;
  if (limitMs === undefined) return;
  const begun = answers.flatMap(({ firstPieceMs: ms, lagMs }) => (ms === null ? [] : [{ ms, lagMs, limitMs }]));
  const times = begun.map(({ ms }) => ms);
  const wasLate = begun.map((time) => timelinessOf(time) === 'late');
  const late = times.filter((_, at) => wasLate[at]);
  if (late.length === 0) return;
  seen.push(`First pieces came after ${times.map(formatMs).join(', ')}.`);
  const limit = `the waiting time is ${formatMs(limitMs)}`;
  if (late.length === times.length && times.length > 1) {
    result.found = slowAnswerCause(Math.min(...late), limitMs);
    return;
  }
  const call = await calls.begin({ label: 'a call in which a late answer may come again' });
  const again: CallAnswer[] = [];
  for (const _ of times) if (call.isUp) again.push(await calls.ask(call));
  await calls.end(call);
  const lateAgain = again.map(
    ({ firstPieceMs, lagMs }) => timelinessOf({ ms: firstPieceMs ?? Infinity, lagMs, limitMs }) === 'late',
  );
  const nth = wasLate.indexOf(true);
  const firstMs = formatMs(late[0] ?? 0);
  const isSame = times.length > 1 && lateAgain.every((isLate, at) => isLate === wasLate[at]);
  if (isSame && late.length === 1 && nth === 0) {
    const text = `Your endpoint begins the first answer of a call after ${firstMs}, later ones in ${formatMs(Math.max(...times.slice(1)))}; ${limit}.`;
    result.found = { id: 'phone/first-piece-slow-at-first', summary: text };
  } else if (lateAgain.length > 0 && lateAgain.every(Boolean)) {
    result.found = slowAnswerCause(Math.min(...late), limitMs);
  } else if (isSame) {
    const text = `Your endpoint begins answer ${nth + 1} of a call after ${firstMs}; ${limit}.`;
    result.found = { id: 'phone/first-piece-slow', summary: text };
  } else {
    const why = `${late.length} of ${times.length + again.length} answers began late.`;
    result.suspects.push({ id: 'phone/first-piece-slow', why });
  }
}
