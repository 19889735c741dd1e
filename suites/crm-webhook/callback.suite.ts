import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { currentRecord } from '../../harness/checks/check-record.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import { parseJson } from '../../harness/checks/json.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import { findSecret, type NamedValue } from '../../harness/wire/find-secret.ts';
import type { Arrival, WireRequest } from '../../harness/wire/observation.ts';
import { bodyOfArrival, judgeJsonObject, unreadBody, type ReceivedBody } from '../json-object.ts';
import { judgeAll, type JudgeableBody, type Judgement, type Unread } from '../judgement.ts';
import { conclude } from '../matchers/expect.ts';
import { crmAnswerAspects, type CrmAnswerBody } from './answer-aspects.ts';
import { postsOf, secretFinding } from './callback-findings.ts';
import { awaitCallbacks } from './callbacks.ts';
import { endWithoutCallback, noneArrived, noneDue, unfinishedCallback, unreadCallback } from './missing-callback.ts';

/** Milliseconds by which the network and our own process may delay the arrival of a callback. */
const arrivalErrorMs = 250;

describe.concurrent('crm-webhook callbacks', () => {
  check('crm-webhook/calls-back-after-202', 'every event answered 202 gets its callback in time', async (kit) => {
    const { owed, missing } = await awaitCallbacks(kit);
    if (owed.length === 0) return kit.notExercised(noneDue);
    const { callbackWaitMs, callbackLimitMs } = kit.settings;
    const [first] = missing;
    const begun = missing.map(unfinishedCallback).find((one) => one !== undefined);
    if (
      first &&
      begun === undefined &&
      !kit.crm.answeredLater.some(({ callback }) => callback.arrivals.length > 0) &&
      kit.settings.config.service.publicUrl === undefined &&
      !isLoopback(new URL(first.request.url).hostname)
    ) {
      throw new HarnessFault('still-open:no-route');
    }
    if (first && callbackWaitMs < callbackLimitMs) {
      const soFar = begun === undefined ? 'no callback' : `no complete callback (received ${begun})`;
      currentRecord()?.decideBy(first);
      throw new HarnessFault('still-open:callback', {
        missing: missing.length,
        of: owed.length,
        found: soFar,
        seconds: callbackWaitMs / 1000,
        limitSeconds: callbackLimitMs / 1000,
      });
    }
    for (const delivery of owed) {
      // One of dense traffic may have waited in a queue.
      const late = delivery.callbackDue === true ? lateCallback(delivery, callbackLimitMs) : undefined;
      if (late) conclude(late.arrival, late.finding);
      conclude(
        delivery,
        missing.includes(delivery)
          ? {
              expected: `a POST to callbackUrl within ${callbackLimitMs / 1000} s of the 202 to ${delivery.label}`,
              received: unfinishedCallback(delivery) ?? 'nothing',
              hint: `${missing.length} of ${owed.length} events answered 202 got no callback.`,
            }
          : undefined,
      );
    }
  });

  check('crm-webhook/callback-is-a-post', 'a callback is a POST', async (kit) => {
    const arrivals = await arrivalsOf(kit);
    for (const arrival of arrivals) {
      const { method } = arrival.request;
      conclude(arrival, method === 'POST' ? undefined : { expected: 'a POST to callbackUrl', received: method });
    }
  });

  check(
    'crm-webhook/callback-uses-the-address-given',
    'a callback goes to callbackUrl exactly as given',
    async (kit) => {
      const { misdirected } = await awaitCallbacks(kit);
      for (const arrival of misdirected) {
        conclude(arrival, {
          expected: 'the callback at callbackUrl exactly as given, with its query',
          received: `a ${arrival.request.method} to ${arrival.request.url}`,
          hint: 'Use callbackUrl unchanged; do not parse and rebuild it.',
        });
      }
      for (const arrival of await arrivalsOf(kit)) conclude(arrival, undefined);
    },
  );

  check('crm-webhook/callback-is-a-json-object', 'the body of a callback is a JSON object', async (kit) => {
    const aspect = {
      needs: noneArrived,
      judge: (read: ReceivedBody) => judgeJsonObject(read, 'the body of a callback'),
    };
    await judgeBodies(kit, aspect, postsOf, (arrival) => [{ exchange: arrival, body: bodyOfArrival(arrival) }]);
  });

  check(
    'crm-webhook/callback-carries-no-token',
    'a callback carries neither the webhook token nor an API key',
    async (kit) => {
      const { crm, inbox } = kit;
      const secrets = [
        { name: 'the webhook token', value: crm.token },
        ...[...inbox.service.inbox.workspace.keys.keys()].map((value) => ({ name: 'an API key', value })),
      ];
      const aspect = { needs: noneArrived, judge: (request: WireRequest) => judgeSecrets(request, secrets) };
      const arrivalsAt = ({ callback }: CrmObservation) => callback.arrivals;
      await judgeBodies(kit, aspect, arrivalsAt, (arrival) => [{ exchange: arrival, body: arrival.request }]);
    },
  );

  for (const aspect of crmAnswerAspects) {
    check(aspect.requirement, `in callbacks, ${aspect.title}`, async (kit) => {
      await judgeBodies(kit, aspect, postsOf, (arrival, { event }): JudgeableBody<CrmAnswerBody>[] => {
        const unread = unreadBody(bodyOfArrival(arrival));
        if (unread) return [{ exchange: arrival, ...unread }];
        const parsed = parseJson(arrival.request.body);
        return 'error' in parsed ? [] : [{ exchange: arrival, body: { value: parsed.value, event } }];
      });
    });
  }
});

/** The finding about a first callback that came after the limit, which runs from the 202. */
function lateCallback(
  { callback, answeredAt, label }: CrmObservation,
  limitMs: number,
): { arrival: Arrival; finding: Finding } | undefined {
  const [arrival] = callback.arrivals;
  if (!arrival || arrival.at <= answeredAt + limitMs + arrivalErrorMs) return undefined;
  return {
    arrival,
    finding: {
      expected: `a POST to callbackUrl within ${limitMs / 1000} s of the 202 to ${label}`,
      received: `one after ${((arrival.at - answeredAt) / 1000).toFixed(1)} s`,
    },
  };
}

function judgeSecrets(request: WireRequest, secrets: readonly NamedValue[]): Judgement {
  const found = findSecret(request, secrets);
  return found ? secretFinding(found) : true;
}

/** Judges the bodies of all callbacks. One that has not ended cannot be judged, even if all others are correct. */
async function judgeBodies<Body>(
  kit: CheckKit,
  aspect: { judge: (body: Body) => Judgement | Unread; needs: string },
  arrivalsAt: (delivery: CrmObservation) => readonly Arrival[],
  bodiesOf: (arrival: Arrival, delivery: CrmObservation) => JudgeableBody<Body>[],
): Promise<void> {
  const { later } = await awaitCallbacks(kit);
  if (later.every((delivery) => arrivalsAt(delivery).length === 0)) endWithoutCallback(kit, later);
  const complete = later.flatMap((delivery) => arrivalsAt(delivery).flatMap((arrival) => bodiesOf(arrival, delivery)));
  const arriving = later.flatMap((delivery): JudgeableBody<Body>[] => {
    const unread = delivery.callback.isArriving ? unreadCallback(delivery) : undefined;
    return unread ? [{ exchange: delivery, ...unread }] : [];
  });
  judgeAll(kit, aspect, [...complete, ...arriving]);
}

/** All requests, by any method, to the callback addresses of deliveries answered 202. */
async function arrivalsOf(kit: CheckKit): Promise<Arrival[]> {
  const { later } = await awaitCallbacks(kit);
  const arrivals = later.flatMap(({ callback }) => callback.arrivals);
  if (arrivals.length === 0) endWithoutCallback(kit, later);
  return arrivals;
}
