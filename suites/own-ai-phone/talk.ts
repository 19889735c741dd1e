import type { Call } from '../../harness/wire/call.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { HoldOptions } from '../../harness/wire/phone-driver.ts';
import {
  answerFinding,
  closingFinding,
  sentenceOf,
  toBeAnswered,
  toHaveSaidSomething,
  toStayUp,
} from '../matchers/call-matchers.ts';
import { expect } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { settleMs } from './speech.ts';

/**
 * Asks a plain sentence before the case itself. Throws {@link HarnessFault} `control-failed` when that is not answered
 * to its end: what comes after it would prove nothing.
 */
export async function control({ sample, notExercised }: CheckKit, call: Call): Promise<void> {
  const answer = await call.ask(sample.callerSentence);
  const { observation } = call;
  await isDown(call);
  const finding = answerFinding(observation, answer) ?? closingFinding(observation, answer) ?? toStayUp(observation);
  if (!finding) {
    if (!call.isUp) notExercised(isOverText);
    return;
  }
  throw new HarnessFault(
    'control-failed',
    `Not judged: ${sentenceOf(observation, answer)} must be answered first; received ${finding.received}.`,
  );
}

/**
 * A typical call with one sentence must be answered and stay up before anything is made of calls that differ from it:
 * what fails there as well has another cause. Throws {@link HarnessFault} `control-failed` when it does not.
 */
export async function requirePlainCall({ session, phone, sample }: CheckKit): Promise<void> {
  const call = await once(session, 'phone plain call', () =>
    phone.hold({ label: 'a plain call' }, async (held) => {
      await held.ask(sample.callerSentence);
      await held.settle(settleMs);
      return held.observation;
    }),
  );
  const finding = toStayUp(call) ?? toBeAnswered(call) ?? toHaveSaidSomething(call);
  if (!finding) return;
  throw new HarnessFault(
    'control-failed',
    `Not judged: a plain call must be answered and stay up first; received ${finding.received}.`,
  );
}

/** The call goes on: it is up, and a plain sentence is answered. */
export async function expectToGoOn({ sample, notExercised }: CheckKit, call: Call): Promise<void> {
  await isDown(call);
  expect(call.observation).toStayUp();
  if (!call.isUp) notExercised(isOverText);
  await call.ask(sample.callerSentence);
  await isDown(call);
  expect(call.observation).toStayUp();
  expect(call.observation).toBeAnswered();
}

/** Holds a call in which a plain sentence is answered, `happen` comes about, and the call must go on. */
export async function goesOnAfter(
  kit: CheckKit,
  options: HoldOptions,
  happen: (call: Call) => Promise<void> | void,
): Promise<CallObservation> {
  return await kit.phone.hold(options, async (call) => {
    await control(kit, call);
    await happen(call);
    await isDown(call);
    expect(call.observation).toStayUp();
    // It may also have led to an action, such as a handover at a key.
    if (!isOver(call)) await expectToGoOn(kit, call);
    return call.observation;
  });
}

/**
 * Dials the next call after one that broke off. What is wrong when the endpoint does not take it; one that is being
 * restarted gets a moment.
 */
export async function nextCall(
  dial: (options: HoldOptions) => Promise<Call>,
  broken: CallObservation,
): Promise<Call | Finding> {
  const label = `the call after ${broken.label}`;
  const tryToDial = () =>
    dial({ label }).catch((error: unknown) => {
      if (error instanceof HarnessFault && notTaken.has(error.code)) return error;
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

/** Milliseconds after which a call that was not taken is dialled once more: a process that was restarted is up then. */
const restartMs = 1_000;
const notTaken = new Set<string>(['target-unreachable', 'target-stopped', 'control-failed', 'target-silent']);

const isOverText = 'The AI had ended the call or put the caller through by then, so that nothing could follow.';

/** Waits for the end of a call that has begun to come down: only then it is known who ended it. */
export async function isDown(call: Call): Promise<boolean> {
  if (!call.isUp) await call.end();
  return !call.isUp;
}

/** Whether the AI has ended the call by itself in a permitted way, so that nothing after it can be judged. */
export function isOver(call: Call): boolean {
  return !call.isUp && toStayUp(call.observation) === undefined;
}
