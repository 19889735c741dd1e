import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import { requestedPauseMs } from '../../harness/wire/pace.ts';
import { toBeAccepted } from '../matchers/answer-matchers.ts';
import { conclude } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { requireControl } from '../require-control.ts';
import { sentAtOnce } from '../sent-at-once.ts';
import { sampleEvent } from './sample-event.ts';

/** Different deliveries at the same moment. */
const atOnce = 5;

describe.concurrent('api-webhooks at once', () => {
  check(
    'api-webhooks/accepts-deliveries-at-once',
    'several deliveries at the same moment are each accepted',
    async (kit) => {
      const answers = (await deliveredAtOnce(kit)).filter((answer) => !requestsPause(answer));
      if (answers.length === 0) kit.notExercised('Each of them was answered with a request for a pause.');
      for (const answer of answers) {
        const finding = toBeAccepted(answer);
        // Only a delivery that is accepted alone shows that the others are the reason.
        if (finding) requireControl(await kit.hooks.post(signed(kit), { label: 'one delivery alone' }), 'one alone');
        conclude(
          answer,
          finding && {
            ...finding,
            hint: 'One delivery alone is accepted. Keep the raw body and all state of a delivery with its request, not in a variable that requests share.',
          },
        );
      }
    },
    { alone: true },
  );

  check(
    'api-webhooks/needs-no-pause-at-once',
    'several deliveries at the same moment lead to no request for a pause',
    async (kit) => {
      for (const answer of await deliveredAtOnce(kit)) {
        const isPause = requestsPause(answer);
        conclude(answer, isPause ? { expected: 'a 2xx status', received: describePause(answer) } : undefined);
      }
    },
    { alone: true },
  );
});

function signed(kit: CheckKit) {
  return kit.hooks.sign(sampleEvent(kit));
}

/** The answers to several deliveries at the same moment, after one that was accepted alone. */
function deliveredAtOnce(kit: CheckKit): Promise<Observation[]> {
  const { session, hooks } = kit;
  return once(session, 'hooks delivered at once', async () => {
    requireControl(await hooks.post(signed(kit), { label: 'a delivery before several at once' }), 'one delivery alone');
    return await sentAtOnce(kit, 'apiWebhooks', atOnce, () =>
      Promise.all(
        Array.from({ length: atOnce }, (_, at) =>
          hooks.post(signed(kit), { label: `a delivery, ${at + 1} of ${atOnce} at once`, sentOnce: true }),
        ),
      ),
    );
  });
}

function requestsPause({ answer }: Observation): boolean {
  return requestedPauseMs(answer) !== undefined;
}

function describePause({ answer }: Observation): string {
  const seconds = Math.round((requestedPauseMs(answer) ?? 0) / 100) / 10;
  return `status ${answer.outcome === 'answered' ? answer.status : 'unknown'}, a request to wait for ${seconds} s`;
}
