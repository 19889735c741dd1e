import type { Call } from '../../harness/wire/call.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import { currentRecord } from '../../harness/checks/check-record.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import type { CallAnswer, CallObservation } from '../../harness/wire/observation.ts';
import type { HoldOptions } from '../../harness/wire/phone-driver.ts';
import {
  answerFinding,
  closingFinding,
  isWordless,
  labelSentence,
  toBeAnswered,
  toHaveSpoken,
  toStayUp,
} from '../matchers/call-matchers.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { expect } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { limitMixedUpCalls } from './silent-callers.ts';
import { isSpeaking, settleMs } from './speech.ts';

/**
 * Says the plain sentence, which the AI answers; once more if only an empty closing piece answers it, since one silence
 * may be intended. An AI may also stay silent at every repetition of a sentence that it has answered.
 */
export async function askUntilHeard(
  { phone, sample }: Pick<CheckKit, 'phone' | 'sample'>,
  call: Call,
  hear = (said: number): Promise<CallAnswer> => call.answer(said),
): Promise<CallAnswer> {
  const { observation } = call;
  const isRepetition = observation.answers.some(({ pieces, toFrame }) => {
    return pieces > 0 && sentenceAt(observation, toFrame) === sample.callerSentence;
  });
  const answer = await hear(call.speak(sample.callerSentence));
  if (!call.isUp || !isWordless(answer)) return answer;
  const again = await hear(call.speak(sample.callerSentence));
  const isDue = !isRepetition || [observation, ...phone.calls].some(answersRepetition);
  if (isDue && isWordless(again)) again.isUnheard = true;
  return again;
}

/** Whether the AI spoke in answer to a sentence and, right after it, to the same one again. */
function answersRepetition(call: CallObservation): boolean {
  return call.answers.some(({ pieces, toFrame }, at) => {
    const before = call.answers[at - 1];
    return pieces > 0 && before && before.pieces > 0 && sentenceAt(call, toFrame) === sentenceAt(call, before.toFrame);
  });
}

function sentenceAt({ frames }: CallObservation, at: number): unknown {
  const value = frames[at]?.value;
  return isJsonObject(value) ? value.text : undefined;
}

/**
 * Asks a plain sentence before the case itself, unless the AI answers none. Throws {@link HarnessFault} `control-failed`
 * when that is not answered to its end: what comes after it would prove nothing.
 */
export async function requireAnswer(kit: CheckKit, call: Call): Promise<void> {
  const { notExercised } = kit;
  if (await isSilent(kit)) return;
  const answer = await askUntilHeard(kit, call);
  const { observation } = call;
  await isDown(call);
  const finding = answerFinding(observation, answer) ?? closingFinding(observation, answer) ?? toStayUp(observation);
  if (!finding) {
    if (!call.isUp) notExercised(isOverReason);
    return;
  }
  throw new HarnessFault('control-failed:sentence', {
    sentence: labelSentence(observation, answer),
    received: finding.received,
  });
}

/** Plain sentences until one is answered by more than an empty closing piece: a single silence may be intended. */
const mostSentences = 3;

/**
 * A typical call with a plain sentence, from which every check learns whether this AI answers sentences. An AI that was
 * silent in the first call of the run is asked once more, for a shorter time. Awaited before other calls that need it,
 * not during them: both would wait for the same lanes for ever. In a run of all checks, calls that the AI mixes up are
 * recognised next, except while a check has the endpoint to itself.
 */
export async function plainCall(kit: CheckKit): Promise<CallObservation> {
  const call = await once(kit.session, 'phone plain call', () => holdPlainCall(kit));
  if (currentRecord()?.alone !== true) await recogniseMixedUpCalls(kit, call);
  return call;
}

/**
 * Limits calls that the AI mixes up to one at a time, in a run of all checks.
 *
 * @param plain the plain call
 */
export async function recogniseMixedUpCalls(kit: CheckKit, plain: CallObservation): Promise<void> {
  const { session, settings } = kit;
  const known = plainAnswer(plain);
  if (settings.only.length > 0 || known === '') return;
  await once(session, 'phone mixed-up calls', () => limitMixedUpCalls(kit, known));
}

/** What the AI said in answer to the plain sentence of this call; empty where it said nothing. */
export function plainAnswer({ answers }: CallObservation): string {
  return answers.at(-1)?.text ?? '';
}

async function holdPlainCall({ phone, sample }: CheckKit): Promise<CallObservation> {
  const silent = await phone.silentCall();
  const options = { label: 'a plain call', started: sample.callerToCompare(), needsNoAnswer: true };
  return await phone.hold(options, async (held) => {
    if (silent) {
      const said = held.speak(sample.callerSentence);
      if (!(await held.firstPiece(said, phone.timeoutMs))) return silent;
      await held.answer(said);
    }
    for (let at = 0; at < mostSentences && held.isUp; at++) {
      if (!isWordless(await held.ask(sample.callerSentence))) break;
    }
    await held.settle(settleMs);
    return held.observation;
  });
}

/** Whether the AI leaves a plain sentence unanswered while the call continues. */
export async function isSilent(kit: CheckKit): Promise<boolean> {
  const call = await plainCall(kit);
  return toStayUp(call) === undefined && (toBeAnswered(call) ?? toHaveSpoken(call)) !== undefined;
}

/** Reason why a rule about what follows an answer was not exercised. */
export const silentReason =
  'The AI answered no plain sentence. Set stimuli.phone.answer in the config to a sentence that it answers.';

/** Ends the check where the AI answers no plain sentence, so that nothing that follows an answer can be judged. */
export async function requireAnswers(kit: CheckKit): Promise<void> {
  if (await isSilent(kit)) kit.notExercised(silentReason);
}

/**
 * Requires a typical call to stay up and to be answered. Where it breaks off, calls that differ from it fail for
 * another reason: throws {@link HarnessFault} `control-failed`.
 */
export async function requirePlainCall(kit: CheckKit): Promise<void> {
  await requireAnswers(kit);
  const call = await plainCall(kit);
  const finding = toStayUp(call) ?? toBeAnswered(call) ?? toHaveSpoken(call);
  if (!finding) return;
  throw new HarnessFault('control-failed:plain-call', { received: finding.received });
}

/**
 * Lets the AI finish, and interrupts it if it is still speaking, as usual before the next sentence. Whether it takes
 * a sentence into its speech is a separate requirement.
 */
export async function waitForTurn(call: Call): Promise<void> {
  await call.settle(settleMs);
  if (!call.isUp || !isSpeaking(call.observation)) return;
  call.interrupt();
  await call.settle(settleMs);
}

/** Milliseconds in which an AI that answers nothing would break off a call. */
const silentCallMs = 500;

/** Expects a call with an AI that answers no sentence to stay up; whether it would be answered cannot be judged. */
export async function expectToStay(
  kit: CheckKit,
  options: HoldOptions,
  happen: (call: Call) => Promise<void> | void = () => undefined,
): Promise<never> {
  const seen = await kit.phone.hold({ ...options, greetingMs: 0, needsNoAnswer: true }, async (call) => {
    await happen(call);
    call.speak(kit.sample.callerSentence);
    await call.pass(silentCallMs);
    await isDown(call);
    return call.observation;
  });
  expect(seen).toStayUp();
  return kit.notExercised(`The call stayed up, but whether it continues is unknown: ${silentReason}`);
}

/** Expects the call to continue: it is up, and a plain sentence is answered. */
export async function expectToContinue(kit: CheckKit, call: Call): Promise<void> {
  await isDown(call);
  expect(call.observation).toStayUp();
  if (!call.isUp) kit.notExercised(isOverReason);
  await askUntilHeard(kit, call);
  await isDown(call);
  expect(call.observation).toStayUp();
  expect(call.observation).toBeAnswered();
}

/** Holds a call in which a plain sentence is answered, runs `happen`, and expects the call to continue. */
export async function expectToContinueAfter(
  kit: CheckKit,
  options: HoldOptions,
  happen: (call: Call) => Promise<void> | void,
): Promise<CallObservation> {
  if (await isSilent(kit)) return await expectToStay(kit, options, happen);
  return await kit.phone.hold(options, async (call) => {
    await requireAnswer(kit, call);
    await happen(call);
    await isDown(call);
    expect(call.observation).toStayUp();
    // It may also have led to an action, such as a handover at a key.
    if (!isOver(call)) await expectToContinue(kit, call);
    return call.observation;
  });
}

/**
 * Dials the next call after one that broke off. Returns a finding when the endpoint does not accept it; one that is
 * restarting gets a moment.
 */
export async function nextCall(
  dial: (options: HoldOptions) => Promise<Call>,
  broken: CallObservation,
): Promise<Call | Finding> {
  const label = `the call after ${broken.label}`;
  const tryToDial = () =>
    dial({ label }).catch((error: unknown) => {
      if (error instanceof HarnessFault && failedCalls.has(error.code)) return error;
      throw error;
    });
  let next = await tryToDial();
  if (next instanceof HarnessFault) {
    await new Promise((wake) => setTimeout(wake, restartMs));
    next = await tryToDial();
  }
  if (!(next instanceof HarnessFault)) return next;
  return {
    expected: `the next call to be accepted after ${broken.label}`,
    received: next.message,
    frame: broken.frames.length - 1,
    hint: 'Catch what sending to a closed connection throws, and errors of the connection itself; neither may end the process.',
  };
}

/** Milliseconds after which a failed call is dialled once more: a restarting process is up by then. */
const restartMs = 1_000;
const failedCalls = new Set<string>(['target-unreachable', 'target-stopped', 'control-failed', 'target-silent']);

const isOverReason = 'The AI had already ended the call or put the caller through, so nothing could follow.';

/** Waits for the end of a call that is closing: only then is it known which side ended it. */
export async function isDown(call: Call): Promise<boolean> {
  if (!call.isUp) await call.end();
  return !call.isUp;
}

/** Whether the AI has ended the call by itself in a permitted way, so that nothing after it can be judged. */
export function isOver(call: Call): boolean {
  return !call.isUp && toStayUp(call.observation) === undefined;
}

/** Whether the end of a spoken answer was awaited in this call; otherwise it does not show whether answers are closed. */
export function hasAwaitedAnswer({ answers }: Pick<CallObservation, 'answers'>): boolean {
  return answers.some(({ pieces, outcome }) => pieces > 0 && outcome !== 'begun');
}
