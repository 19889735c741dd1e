import type { CheckKit } from '../harness/checks/check.ts';
import type { Finding } from '../harness/checks/finding.ts';
import { conclude } from './matchers/expect.ts';
import {
  effectsBetween,
  hasEffect,
  isAccepted,
  noEffectReason,
  noteWatched,
  observeEffects,
  settledState,
  type Delivered,
  type DeliveryEffects,
  type ObservedDelivery,
} from './observed-effects.ts';

/** Deliveries that are sent at once, or more if the endpoint is known to handle more. */
const leastAtOnce = 8;
/** Times that a refused delivery must show its effect: other work of the endpoint could appear as one once. */
const confirmations = 2;

/** A delivery that must be refused. */
export interface RefusedDelivery {
  what: string;
  send: () => Promise<Delivered>;
}

/**
 * Sends every kind of delivery that must be refused, with the endpoint to itself, and compares its state and its requests
 * to the simulated service. Where an effect shows, each kind is repeated by itself to find which has it. Not exercised
 * when an accepted delivery has no effect that could be seen. Effects are watched for until the state has settled.
 */
export async function judgeRefusedEffects(
  kit: CheckKit,
  { answer: { request, answer: accepted }, effects: usual }: ObservedDelivery,
  refused: readonly RefusedDelivery[],
): Promise<void> {
  if (!isAccepted({ answer: accepted }))
    return kit.notExercised('The delivery with the valid credentials was not accepted.');
  if (!hasEffect(usual)) return kit.notExercised(noEffectReason(kit));
  noteWatched(kit, usual);
  const before = await settledState(kit, 'the state before the refused deliveries', { isPatient: true });
  const answers: { delivery: RefusedDelivery; answer: Delivered }[] = [];
  while (answers.length < refused.length) {
    const { most } = kit.session.paceOf(request.url, { toBeRefused: true });
    const together = refused.slice(answers.length, answers.length + Math.max(leastAtOnce, most));
    answers.push(
      ...(await Promise.all(together.map(async (delivery) => ({ delivery, answer: await delivery.send() })))),
    );
  }
  const after = await settledState(kit, 'the state after the refused deliveries', { isPatient: true });
  const judged = answers.filter(({ answer }) => isRefused(answer));
  if (judged.length === 0) return kit.notExercised('None of the deliveries was refused; other checks judge that.');
  if (describeEffect(effectsBetween(kit, before, after), usual) !== undefined) {
    for (const { delivery } of judged) {
      const shown = await confirmedEffect(kit, delivery, (effects) => describeEffect(effects, usual));
      if (shown && isRefused(shown.answer)) {
        return conclude(shown.answer, refusedEffect(delivery, shown.effect));
      }
    }
    if (judged.length < answers.length) {
      return kit.notExercised('Some of the deliveries were accepted, so their effects hide those of the refused ones.');
    }
  }
  for (const { answer } of judged) conclude(answer, undefined);
}

/** A delivery that must be refused, of a type whose effects may show at other places. */
export interface RefusedDeliveryOfType extends RefusedDelivery {
  /** The same with the valid credentials. */
  sendValid: () => Promise<Delivered>;
}

/**
 * The same for deliveries of several types, as far as the state shows it: requests to API v1 are judged by what they are
 * about at the end of the run. Where the refusals show an effect, each type is delivered by itself, with valid credentials
 * and then without. Places that also grow by the refusal of `usual` are a log and do not count.
 */
export async function judgeRefusedEffectsOfTypes(
  kit: CheckKit,
  usual: RefusedDelivery,
  refused: readonly RefusedDeliveryOfType[],
): Promise<void> {
  const before = await settledState(kit, 'the state before the refused deliveries', { isPatient: true });
  const answers = await Promise.all(refused.map(({ send }) => send()));
  const after = await settledState(kit, 'the state after the refused deliveries', { isPatient: true });
  const judged = answers.filter(isRefused);
  if (judged.length === 0) return kit.notExercised('None of the deliveries was refused; other checks judge that.');
  if (effectsBetween(kit, before, after).grown.size > 0) {
    const log = (await observeEffects(kit, usual.send, { isPatient: true, isLate: false })).effects.grown;
    for (const delivery of refused) {
      const valid = await observeEffects(kit, delivery.sendValid, { isPatient: true });
      const grown = new Map([...valid.effects.grown].filter(([place]) => !log.has(place)));
      if (!isAccepted(valid.answer) || grown.size === 0) continue;
      const shown = await confirmedEffect(kit, delivery, (effects) =>
        describeEffect({ ...effects, requests: [] }, { grown, requests: [] }),
      );
      if (shown && isRefused(shown.answer)) return conclude(shown.answer, refusedEffect(delivery, shown.effect));
    }
  }
  for (const answer of judged) conclude(answer, undefined);
}

function refusedEffect({ what }: RefusedDelivery, effect: string): Finding {
  return {
    expected: `no effect of ${what}, which was refused`,
    received: effect,
    hint: 'Verify the credentials before anything else runs, also before work is queued or stored.',
  };
}

function isRefused({ answer }: Delivered): boolean {
  return answer.outcome === 'answered' && answer.status >= 300;
}

/** The effect of one refused delivery, if it has one each time, and none shows without it. */
async function confirmedEffect(
  kit: CheckKit,
  { send }: RefusedDelivery,
  describe: (effects: DeliveryEffects) => string | undefined,
): Promise<{ answer: Delivered; effect: string } | undefined> {
  for (let time = 1; ; time++) {
    const idle = await settledState(kit, 'the state before a refused delivery');
    const before = await settledState(kit, 'the state without a delivery', { isPatient: true, isFresh: true });
    if (describe(effectsBetween(kit, idle, before)) !== undefined) return undefined;
    const answer = await send();
    const after = await settledState(kit, 'the state after a refused delivery', { isPatient: true });
    const effect = describe(effectsBetween(kit, before, after));
    if (effect === undefined) return undefined;
    if (time === confirmations) return { answer, effect };
  }
}

/** Describes an effect at a place where an accepted delivery has one: a log of refusals is none. */
function describeEffect({ grown, requests }: DeliveryEffects, usual: DeliveryEffects): string | undefined {
  const [request] = requests;
  if (request) return `a request to API v1: ${request.signature}`;
  const place = [...usual.grown.keys()].find((one) => grown.has(one));
  return place === undefined
    ? undefined
    : `${grown.get(place)} more at ${place === '' ? 'the top' : place} of the state`;
}
