import type { UnacceptedDelivery } from '../harness/checks/acceptance.ts';
import { check, type CheckKit } from '../harness/checks/check.ts';
import { isSuccess } from '../harness/wire/answer-status.ts';
import { describeAnswer, describeExchange } from './matchers/describe-answer.ts';
import { conclude } from './matchers/expect.ts';
import { addRemark } from './remark.ts';

/** Refused deliveries that are sent again, each with another label. */
const repeatedAtMost = 3;

const hint =
  'The content is not the reason, since the same content is accepted. Check the log of the endpoint at that time: often a variable that requests share, a lock, a pool or a limit.';

/**
 * Registers the check that the endpoint refused no valid delivery of the run whose content it accepts: a refusal that
 * depends on the content is judged by the checks of that content.
 */
export function reliabilityCheck(surface: 'crm-webhook' | 'api-webhooks' | 'own-ai-chat'): void {
  check(`${surface}/accepts-reliably`, 'every valid delivery is accepted the first time', async (kit) => {
    const { session, notExercised } = kit;
    if (session.stops > 0)
      return notExercised('The endpoint stopped during the run, which may be why it refused some.');
    const { accepted, latest, refused, isFull } = session.acceptance.of(surface);
    const open = refused.filter((one) => !mayBeOurFault(kit, one));
    const byLabel = Map.groupBy(open, ({ observation }) => observation.label);
    const repeated = [...byLabel.values()].flatMap(([one]) => one ?? []).slice(0, repeatedAtMost);
    for (const { observation, again } of repeated) {
      const { answer } = await again(`${observation.label}, with the same content once more`);
      if (answer.outcome !== 'answered' || !isSuccess(answer.status)) continue;
      return conclude(observation, {
        expected: 'a 2xx status for a valid delivery, as when its content came again',
        received: `${describeAnswer(observation.answer)} ${describeExchange(observation)}`,
        hint,
      });
    }
    if (open.length > 0 || isFull) {
      return notExercised(
        `Of ${refused.length}${isFull ? ' or more' : ''} valid deliveries that were refused, ${repeated.length} were sent again and not accepted; other checks judge the content.`,
      );
    }
    if (!latest) return notExercised('No valid delivery was accepted.');
    conclude(latest, undefined);
    const excused =
      refused.length === 0
        ? ''
        : ` ${refused.length} were refused while we refused or delayed a request of the endpoint, and are not judged.`;
    addRemark(`${accepted} valid deliveries were accepted.${excused}`);
  });
}

/** Whether we refused or delayed a request of the endpoint meanwhile, whose error it may have passed on. */
function mayBeOurFault({ inbox }: CheckKit, { observation: { at }, until }: UnacceptedDelivery): boolean {
  return inbox.wasDisturbed(at, until);
}
