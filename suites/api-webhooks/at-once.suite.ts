import { setTimeout as delay } from 'node:timers/promises';
import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import { requestedPauseMs } from '../../harness/wire/requested-pause.ts';
import { judgeAcceptanceAtOnce, someUnanswered } from '../judge-acceptance-at-once.ts';
import { conclude } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { requireControl } from '../require-control.ts';
import { sampleEvent } from './sample-event.ts';

/** Different deliveries at the same moment. */
const atOnce = 5;
/** Milliseconds of one delivery from which several at once would take too long. */
const slowMs = 2_000;
/** Longest requested pause in milliseconds after which the deliveries are tried again. */
const longestPauseMs = 10_000;
/** Milliseconds without deliveries before another attempt: a limit per second that the run has used up is free again. */
const restMs = 3_000;

const unavailable = 503;

describe.concurrent('api-webhooks at once', () => {
  check(
    'api-webhooks/accepts-deliveries-at-once',
    'several deliveries at the same moment are each accepted',
    async (kit) => {
      const sendAlone = () => kit.hooks.post(signed(kit), { label: 'one delivery alone' });
      // How long answers take is not limited, and pauses are judged by another check.
      await judgeAcceptanceAtOnce(kit, (await deliveredAtOnce(kit)).latest, sendAlone, requestsPause);
    },
    { alone: true },
  );

  check(
    'api-webhooks/needs-no-pause-at-once',
    'several deliveries at the same moment lead to no request for a pause',
    async (kit) => {
      const { latest, wasPaused } = await deliveredAtOnce(kit);
      const paused = latest.find(requestsPause);
      if (paused && !wasPaused) kit.notExercised('Whether a pause is also requested after a rest is unknown.');
      if (paused) return conclude(paused, { expected: 'a 2xx status', received: describePause(paused) });
      if (latest.some(({ answer }) => answer.outcome !== 'answered')) kit.notExercised(someUnanswered);
      for (const answer of latest) conclude(answer, undefined);
    },
    { alone: true },
  );
});

interface DeliveredAtOnce {
  /** The answers of the second attempt, if there was one. */
  latest: Observation[];
  /** A pause was requested at first, and granted before a second attempt. */
  wasPaused: boolean;
}

function signed(kit: CheckKit) {
  return kit.hooks.sign(sampleEvent(kit));
}

/**
 * Several deliveries at the same moment; once more after a rest if an answer requests a pause that is short, or is a 503, since
 * a limit may have been used up by the checks before.
 */
function deliveredAtOnce(kit: CheckKit): Promise<DeliveredAtOnce> {
  return once(kit.session, 'hooks delivered at once', async () => {
    const label = 'a delivery before several at once';
    const control = await kit.hooks.post(signed(kit), { label, returnsPauses: true });
    if (requestsPause(control)) kit.notExercised('One delivery alone already led to a request for a pause.');
    requireControl(control, 'one delivery alone');
    if ((control.times.totalMs ?? 0) > slowMs)
      kit.notExercised('One delivery alone takes too long to send several at once.');
    const first = await postTogether(kit);
    const pauseMs = Math.max(0, ...first.map(({ answer }) => requestedPauseMs(answer) ?? 0));
    if (!first.some(mayBeLimited) || pauseMs > longestPauseMs) return { latest: first, wasPaused: false };
    await delay(pauseMs + restMs);
    return { latest: await postTogether(kit), wasPaused: first.some(requestsPause) };
  });
}

async function postTogether(kit: CheckKit): Promise<Observation[]> {
  const labels = Array.from({ length: atOnce }, (_, at) => `a delivery, ${at + 1} of ${atOnce} at once`);
  // Timed, so that a missing answer says nothing about other deliveries.
  return await Promise.all(
    labels.map((label) => kit.hooks.post(signed(kit), { label, timed: true, returnsPauses: true })),
  );
}

function requestsPause({ answer }: Observation): boolean {
  return requestedPauseMs(answer) !== undefined;
}

function mayBeLimited(observation: Observation): boolean {
  const { answer } = observation;
  return requestsPause(observation) || (answer.outcome === 'answered' && answer.status === unavailable);
}

function describePause({ answer }: Observation): string {
  const seconds = Math.round((requestedPauseMs(answer) ?? 0) / 100) / 10;
  const status = answer.outcome === 'answered' ? `status ${answer.status}, ` : '';
  return `${status}a request to wait for ${seconds} s, twice`;
}
