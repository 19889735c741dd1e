import { formatMs } from '../format-ms.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import { limits } from '../../specs/limits.ts';
import type { Connection } from '../connection.ts';
import type { Found, ProbeOutcome, Probe } from '../outcome.ts';
import { describeAnswer } from './describe-answer.ts';
import { unexpectedEnd, describeClose } from './call-end.ts';
import { diagnoseDialogue } from './diagnose-dialogue.ts';
import { explainRefusal } from './diagnose-upgrade.ts';
import { findFirstFrame } from './find-first-frame.ts';
import { PhoneCalls } from './phone-calls.ts';
import { explainSlowness, isSlowSetUp, setUpMs } from './slow-set-up.ts';

/** Milliseconds between connection and first frame in which an AI may close the call. */
const beforeFirstFrameMs = 400;

/** Requirements that may fail during the set-up of a call or later. */
const ofWholeCalls = new Set(
  ['keeps-the-call-open', 'takes-a-connection-test', 'survives-a-broken-call'].map((slug) => `own-ai-phone/${slug}`),
);

/**
 * Checks the set-up of calls: whether the connection is established in time and stays up until the caller can speak. Says
 * no sentence. Checks the dialogue as well for a failed requirement about whole calls.
 */
export const diagnoseCall: Probe = async (connection, failing) => {
  const outcome = await diagnoseSetUp(connection);
  const isOver = outcome.found ?? outcome.ends ?? outcome.suspects.length > 0;
  if (isOver || failing === undefined || !ofWholeCalls.has(failing.requirement)) return outcome;
  const dialogue = await diagnoseDialogue(connection, failing);
  return { ...dialogue, passed: [...outcome.passed, ...dialogue.passed], seen: [...outcome.seen, ...dialogue.seen] };
};

async function diagnoseSetUp(connection: Connection): Promise<ProbeOutcome> {
  await using calls = new PhoneCalls(connection);
  const first = await calls.dial({ label: 'a call' });
  const { observation } = first;
  if (!isConnected(observation.answer)) {
    return observation.answer.outcome === 'no-answer'
      ? neverAnswered(observation)
      : await explainRefusal(calls, observation);
  }
  const seen = [`Call connected in ${formatMs(setUpMs(observation))}.`];
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

async function withSession(calls: PhoneCalls, first: Call, seen: string[]): Promise<ProbeOutcome> {
  let call = first;
  if (call.isUp) {
    call.start(calls.session(call.observation.callId));
    await call.pass(calls.greetingMs);
  } else call = await calls.begin({ label: 'a call that begins immediately' });
  if (!call.isUp) {
    await call.end();
    const end = unexpectedEnd(call.observation);
    if (end) return await findFirstFrame(calls, end, seen);
  }
  await calls.end(call);
  const passed = [
    `Call connected in ${formatMs(setUpMs(call.observation))}; the limit is ${limits.phoneSetupMs / 1000} s.`,
    'The connection stays up after session.started.',
  ];
  return { suspects: [], passed, seen };
}

function neverAnswered({ answer }: CallObservation): ProbeOutcome {
  const why = `The upgrade got ${describeAnswer(answer)}, so it is unknown whether the connection would ever be established.`;
  return { suspects: [{ id: 'phone/set-up-too-slow', why }], passed: [], seen: [why], ends: true };
}

/**
 * Explains a connection that closed before the first frame. One that stays up with an immediate first frame merely times
 * out, which is not a fault.
 */
async function explainEarlyEnd(calls: PhoneCalls, silent: Call, seen: string[]): Promise<ProbeOutcome | undefined> {
  await silent.end();
  const end = unexpectedEnd(silent.observation);
  if (!end) return undefined;
  const afterMs = end.atMs - (silent.observation.times.totalMs ?? 0);
  seen.push(
    `The connection was established and closed ${describeClose(end)} ${formatMs(afterMs)} later, before the first frame.`,
  );
  const spoken = await calls.begin({ label: 'a call that begins immediately' });
  const { isUp } = spoken;
  // The end of the call shows which side closed it; on a busy machine it is known late.
  await (isUp ? calls.end(spoken) : spoken.end());
  seen.push(`With an immediate session.started it ${isUp ? 'stayed up' : 'was closed as well'}.`);
  if (isUp || !unexpectedEnd(spoken.observation)) return undefined;
  const found: Found = {
    id: 'phone/closed-at-once',
    summary: `Your endpoint accepts the call and closes the connection ${describeClose(end)} ${formatMs(afterMs)} later, before anything is said.`,
  };
  return {
    found,
    suspects: [],
    passed: ['The upgrade of a correctly signed call is answered with 101.'],
    seen,
    ends: true,
  };
}
