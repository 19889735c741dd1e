import type { Call } from '../../harness/wire/call.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import { limits } from '../../specs/limits.ts';
import type { Connection } from '../connection.ts';
import type { Found, Outcome, Probe } from '../outcome.ts';
import { describeAnswer } from './describe-answer.ts';
import { brokeOff, describeClose, formatTime } from './call-end.ts';
import { diagnoseDialogue } from './diagnose-dialogue.ts';
import { explainRefusal } from './diagnose-upgrade.ts';
import { findFirstFrame } from './find-first-frame.ts';
import { PhoneCalls } from './phone-calls.ts';
import { explainSlowness, isSlowSetUp, setUpMs } from './slow-set-up.ts';

/** Milliseconds between the connection and the first frame in which an AI that closes at once has done so. */
const beforeFirstFrameMs = 400;

/** Requirements about calls that may fail at their set-up, and later on as well. */
const ofWholeCalls = new Set(
  ['keeps-the-call-open', 'takes-a-connection-test', 'survives-a-broken-call'].map((slug) => `own-ai-phone/${slug}`),
);

/**
 * The set-up of calls: whether a connection comes about, in time, and stays up until the caller could speak. Says no
 * sentence, so an AI has nothing to think about;
 * only of a failing requirement that is about the whole of calls the dialogue is looked at too.
 */
export const diagnoseCall: Probe = async (connection, failing) => {
  const outcome = await diagnoseSetUp(connection);
  const isOver = outcome.found ?? outcome.ends ?? outcome.suspects.length > 0;
  if (isOver || failing === undefined || !ofWholeCalls.has(failing.requirement)) return outcome;
  const dialogue = await diagnoseDialogue(connection, failing);
  return { ...dialogue, passed: [...outcome.passed, ...dialogue.passed], seen: [...outcome.seen, ...dialogue.seen] };
};

async function diagnoseSetUp(connection: Connection): Promise<Outcome> {
  await using calls = new PhoneCalls(connection);
  const first = await calls.dial({ label: 'a call' });
  const { observation } = first;
  if (!isConnected(observation.answer)) {
    return observation.answer.outcome === 'no-answer'
      ? neverAnswered(observation)
      : await explainRefusal(calls, observation);
  }
  const seen = [`A call came about in ${formatTime(setUpMs(observation))}.`];
  if (isSlowSetUp(observation)) {
    await first.vanish('close');
    return await explainSlowness(calls, observation, seen);
  }
  await first.pass(beforeFirstFrameMs);
  if (!first.isUp) {
    const early = await explainEarlyEnd(calls, first, seen);
    if (early) return early;
  }
  return await withSession(calls, first, seen);
}

async function withSession(calls: PhoneCalls, first: Call, seen: string[]): Promise<Outcome> {
  let call = first;
  if (call.isUp) {
    call.start(calls.session(call.observation.callId));
    await call.pass(calls.greetingMs);
  } else call = await calls.begin({ label: 'a call that begins at once' });
  if (!call.isUp) {
    await call.end();
    const end = brokeOff(call.observation);
    if (end) return await findFirstFrame(calls, end, seen);
  }
  await calls.end(call);
  const passed = [
    `A call comes about in ${formatTime(setUpMs(call.observation))}, of the ${limits.phoneSetupMs / 1000} s that it has.`,
    'The connection stays up after session.started.',
  ];
  return { suspects: [], passed, seen };
}

function neverAnswered({ answer }: CallObservation): Outcome {
  const why = `The upgrade got ${describeAnswer(answer)}, so that it is not known whether it would ever come.`;
  return { suspects: [{ id: 'phone/set-up-too-slow', why }], passed: [], seen: [why], ends: true };
}

/**
 * The connection went down before anything was said. One that stays up when the first frame comes at once only does not
 * like the silence, which is no fault.
 */
async function explainEarlyEnd(calls: PhoneCalls, silent: Call, seen: string[]): Promise<Outcome | undefined> {
  await silent.end();
  const end = brokeOff(silent.observation);
  if (!end) return undefined;
  const afterMs = end.atMs - (silent.observation.times.totalMs ?? 0);
  seen.push(
    `The connection stood and was closed ${describeClose(end)} ${formatTime(afterMs)} later, before the first frame.`,
  );
  const spoken = await calls.begin({ label: 'a call that begins at once' });
  const { isUp } = spoken;
  await calls.end(spoken);
  seen.push(`With session.started at once it ${isUp ? 'stayed up' : 'was closed as well'}.`);
  if (isUp || !brokeOff(spoken.observation)) return undefined;
  const found: Found = {
    id: 'phone/closed-at-once',
    summary: `Your endpoint takes the call and closes the connection ${describeClose(end)} ${formatTime(afterMs)} later, before anything is said.`,
  };
  return {
    found,
    suspects: [],
    passed: ['The upgrade of a correctly signed call is answered with 101.'],
    seen,
    ends: true,
  };
}
