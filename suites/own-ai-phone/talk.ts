import type { Call } from '../../harness/wire/call.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { HoldOptions } from '../../harness/wire/phone-driver.ts';
import {
  answerFinding,
  closingFinding,
  labelSentence,
  toBeAnswered,
  toHaveSpoken,
  toStayUp,
} from '../matchers/call-matchers.ts';
import { expect } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { settleMs } from './speech.ts';

/**
 * Asks a plain sentence before the case itself. Throws {@link HarnessFault} `control-failed` when that is not answered
 * to its end: what comes after it would prove nothing.
 */
export async function requireAnswer({ sample, notExercised }: CheckKit, call: Call): Promise<void> {
  const answer = await call.ask(sample.callerSentence);
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

/**
 * Requires a typical call with one sentence to be answered and stay up: where that fails too, calls that differ from
 * it fail for another reason. Throws {@link HarnessFault} `control-failed` when it does not.
 */
export async function requirePlainCall({ session, phone, sample }: CheckKit): Promise<void> {
  const call = await once(session, 'phone plain call', () =>
    phone.hold({ label: 'a plain call' }, async (held) => {
      await held.ask(sample.callerSentence);
      await held.settle(settleMs);
      return held.observation;
    }),
  );
  const finding = toStayUp(call) ?? toBeAnswered(call) ?? toHaveSpoken(call);
  if (!finding) return;
  throw new HarnessFault('control-failed:plain-call', { received: finding.received });
}

/** Expects the call to continue: it is up, and a plain sentence is answered. */
export async function expectToContinue({ sample, notExercised }: CheckKit, call: Call): Promise<void> {
  await isDown(call);
  expect(call.observation).toStayUp();
  if (!call.isUp) notExercised(isOverReason);
  await call.ask(sample.callerSentence);
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
    expected: `the next call to be taken after ${broken.label}`,
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
