import { check, type CheckKit } from '../harness/checks/check.ts';
import { urlOfSurface } from '../harness/config/url-of-surface.ts';
import type { Observation } from '../harness/wire/observation.ts';
import type { RequirementId } from '../specs/requirements/catalogue.ts';
import { describeAnswer, describeExchange } from './matchers/describe-answer.ts';
import { toBeAccepted } from './matchers/answer-matchers.ts';
import { conclude } from './matchers/expect.ts';
import { addRemark } from './remark.ts';
import { jsonObjectOf } from './json-object.ts';

/** Refused deliveries that are sent again. */
const repeatedAtMost = 3;

const hint =
  'The content is not the reason, since the same content is accepted. Look at the log of the endpoint at that time: often a variable that requests share, a lock, a pool or a limit.';

/**
 * Registers the check that the endpoint refused no valid delivery of the run that it accepts when it comes again: a
 * refusal that depends on the content is judged by the checks of that content.
 *
 * @param repeat sends the same content again, or resolves with `undefined` if the delivery need not be accepted
 */
export function reliabilityCheck(
  requirement: RequirementId & `${string}/accepts-reliably`,
  repeat: (kit: CheckKit, refused: RefusedDelivery) => Promise<Observation | undefined>,
): void {
  const [surface] = requirement.split('/', 1);
  check(requirement, 'no valid delivery of the run is refused that is accepted when it comes again', async (kit) => {
    const { session, settings, notExercised } = kit;
    if (session.stops > 0)
      return notExercised('The endpoint stopped during the run, which may be why it refused some.');
    const { accepted, latest, refused } = session.acceptance.at(urlOfSurface(settings.config, surface) ?? '');
    if (!latest) return notExercised('No valid delivery was accepted.');
    const open = refused.filter((one) => !mayBeOurFault(kit, one));
    for (const first of open.slice(0, repeatedAtMost)) {
      const event = jsonObjectOf(first.request.body);
      if (!event) continue;
      const label = `${first.label}, with the same content once more`;
      const again = await repeat(kit, { first, event, text: Buffer.from(first.request.body).toString('utf8'), label });
      if (!again || toBeAccepted(again)) continue;
      conclude(first, {
        expected: 'a 2xx status for a valid delivery, as when it came again',
        received: `${describeAnswer(first.answer)} ${describeExchange(first)}`,
        hint,
      });
    }
    if (open.length > 0) return notExercised('What was refused is refused again; other checks judge why.');
    conclude(latest, undefined);
    addRemark(`${accepted} valid deliveries were accepted.`);
  });
}

/** A valid delivery that was refused. */
export interface RefusedDelivery {
  first: Observation;
  event: Record<string, unknown>;
  /** Its body. */
  text: string;
  /** The label of its repetition. */
  label: string;
}

/** Whether we refused a request of the endpoint meanwhile: it may have passed our error on. */
function mayBeOurFault({ inbox }: CheckKit, { at, times }: Observation): boolean {
  const until = at + (times.totalMs ?? 0);
  return inbox.refusedAt.some((refusedAt) => refusedAt >= at && refusedAt <= until);
}
