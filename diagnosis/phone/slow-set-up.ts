import { formatMs } from '../format-ms.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { timelinessOf } from '../../harness/wire/timeliness.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import { limits } from '../../specs/limits.ts';
import type { ProbeOutcome, Suspect } from '../outcome.ts';
import { describeAnswer } from './describe-answer.ts';
import type { PhoneCalls } from './phone-calls.ts';

/** Distinguishes a cold start, which is late once, from a slow set-up, which is late again immediately. */
export async function explainSlowness(calls: PhoneCalls, slow: CallObservation, seen: string[]): Promise<ProbeOutcome> {
  const dialled = [slow];
  for (const label of ['a call immediately after a slow one', 'another call immediately after']) {
    const call = await calls.dial({ label });
    await call.vanish('close');
    if (!isConnected(call.observation.answer)) {
      seen.push(`The next call got ${describeAnswer(call.observation.answer)}.`);
      break;
    }
    dialled.push(call.observation);
    seen.push(`The next call connected in ${formatMs(setUpMs(call.observation))}.`);
  }
  const times = dialled.map(setUpMs);
  const limit = `${limits.phoneSetupMs / 1000} s`;
  if (times.length > 1 && dialled.every(isSlowSetUp)) {
    const text = `Your endpoint takes ${times.map(formatMs).join(', ')} to accept a call, and the service waits ${limit}.`;
    return { found: { id: 'phone/set-up-too-slow', summary: text }, suspects: [], passed: [], seen };
  }
  const atFirst: Suspect = {
    id: 'phone/set-up-slow-at-first',
    summary: `Your endpoint took ${formatMs(times[0] ?? 0)} for the first call, over the ${limit} that the service waits, and ${times.slice(1).map(formatMs).join(' and ')} for the next.`,
    why: 'Only the first call was late; only another call after a long pause could distinguish a cold start from chance.',
  };
  const always: Suspect = { id: 'phone/set-up-too-slow', why: 'It may also be late at random.' };
  return {
    suspects: times.length > 2 && !dialled.slice(1).some(isSlowSetUp) ? [atFirst, always] : [always, atFirst],
    passed: [],
    seen,
  };
}

/** Milliseconds from dialling until the connection was established. */
export function setUpMs({ times }: CallObservation): number {
  return times.totalMs ?? 0;
}

/** Whether a set-up took longer than the service waits, even after subtracting our own delay. */
export function isSlowSetUp(call: CallObservation): boolean {
  const limitMs = limits.phoneSetupMs;
  return timelinessOf({ ms: setUpMs(call), lagMs: call.times.lagMs, limitMs }) === 'late';
}
