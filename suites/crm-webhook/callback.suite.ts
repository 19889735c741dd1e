import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { currentRecord } from '../../harness/checks/check-record.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import { limits } from '../../specs/limits.ts';
import { parseJson } from '../../harness/checks/json.ts';
import type { FindingPart } from '../../harness/checks/finding.ts';
import type { Arrival, WireRequest } from '../../harness/wire/observation.ts';
import { bodyOfArrival, judgeJsonObject, unreadBody, type ReceivedBody } from '../json-object.ts';
import { judgeAll, notReadFault, type JudgeableBody } from '../judgement.ts';
import { conclude } from '../matchers/expect.ts';
import { crmAnswerAspects, type CrmAnswerBody } from './answer-aspects.ts';
import { awaitCallbacks, postsOf } from './callbacks.ts';
import { redeliverAtOnce, redeliveredTypes, redeliverLater, type Redelivery } from './redeliveries.ts';

/** Length from which a token within another string cannot be a coincidence. */
const telltaleCharacters = 8;
const noneDue = 'No event was answered 202.';
const noneArrived = 'No callback came.';

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

  check('crm-webhook/calls-back-once', 'one event gets one callback', async (kit) => {
    const { later } = await awaitCallbacks(kit);
    const calledBack = later.filter((delivery) => !delivery.redelivered && delivery.callback.arrivals.length > 0);
    if (calledBack.length === 0) return endWithoutCallback(kit, later);
    for (const delivery of calledBack) judgeOne(delivery);
  });

  for (const [requirement, title, redeliver] of [
    ['crm-webhook/one-callback-after-redelivery', 'an event delivered again still gets one callback', redeliverLater],
    [
      'crm-webhook/one-callback-after-redelivery-at-once',
      'an event delivered twice at once gets one callback',
      redeliverAtOnce,
    ],
  ] as const) {
    for (const type of redeliveredTypes) {
      check(requirement, `${title} (${type})`, async (kit) => {
        await awaitCallbacks(kit);
        const [first]: Redelivery = await redeliver(kit, type);
        if (first.callback.arrivals.length === 0)
          return endWithoutCallback(kit, [first], `No callback came for ${type} delivered twice.`);
        judgeOne(first);
      });
    }
  }

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
    const posts = await postsOfAll(kit);
    judgeAll(
      kit,
      { needs: noneArrived, judge: (read: ReceivedBody) => judgeJsonObject(read, 'the body of a callback') },
      posts.map(({ arrival }) => ({ exchange: arrival, body: bodyOfArrival(arrival) })),
    );
  });

  check('crm-webhook/callback-carries-no-token', 'a callback does not carry the webhook token', async (kit) => {
    for (const arrival of await arrivalsOf(kit)) {
      const carrier = carrierOf(arrival.request, kit.crm.token);
      conclude(
        arrival,
        carrier === undefined
          ? undefined
          : {
              expected: 'a callback without the webhook token',
              received: `the token in ${carrier.what}`,
              hint: 'callbackUrl needs no authorisation.',
              part: carrier.part,
            },
      );
    }
  });

  check('crm-webhook/answers-now-or-by-callback', 'an event answered 200 or 204 gets no callback', async (kit) => {
    await awaitCallbacks(kit);
    const answeredNow = kit.crm.answeredNow.filter(({ redelivered }) => !redelivered);
    if (answeredNow.length === 0) return kit.notExercised('No event was answered 200 or 204.');
    for (const delivery of answeredNow) {
      const [arrival] = delivery.callback.arrivals;
      const { answer } = delivery;
      if (!arrival) conclude(delivery, undefined);
      else {
        conclude(arrival, {
          expected: `no callback, since ${delivery.label} was answered ${answer.outcome === 'answered' ? answer.status : ''}`,
          received: `a ${arrival.request.method} to its callbackUrl`,
        });
      }
    }
  });

  for (const aspect of crmAnswerAspects) {
    check(aspect.requirement, `in callbacks, ${aspect.title}`, async (kit) => {
      const bodies = (await postsOfAll(kit)).flatMap(({ arrival, delivery }): JudgeableBody<CrmAnswerBody>[] => {
        const unread = unreadBody(bodyOfArrival(arrival));
        if (unread) return [{ exchange: arrival, ...unread }];
        const parsed = parseJson(arrival.request.body);
        return 'error' in parsed ? [] : [{ exchange: arrival, body: { value: parsed.value, event: delivery.event } }];
      });
      judgeAll(kit, aspect, bodies);
    });
  }
});

/** Ends a check without a callback to judge; an incomplete callback is unknown. */
function endWithoutCallback(
  { notExercised }: CheckKit,
  later: readonly CrmObservation[],
  why = later.length === 0 ? noneDue : noneArrived,
): never {
  for (const delivery of later) {
    const begun = unfinishedCallback(delivery);
    if (begun !== undefined) throw notReadFault(`at callbackUrl ${begun}, for the event sent`, delivery);
  }
  return notExercised(why);
}

/** The received part of an incomplete callback. */
function unfinishedCallback({ callback }: CrmObservation): string | undefined {
  const [first] = callback.unfinished;
  return first && `a ${first.method} whose body had not ended after ${first.bodyBytes} bytes`;
}

function judgeOne(delivery: CrmObservation): void {
  const arrivals = postsOf(delivery);
  const last = arrivals.at(-1);
  const isFull = arrivals.length === delivery.callback.arrivals.length;
  conclude(
    last ?? delivery,
    arrivals.length <= limits.crmCallbackPosts
      ? undefined
      : {
          expected: `one callback for one callbackUrl (${delivery.label})`,
          received: `${isFull ? delivery.callback.count : arrivals.length}`,
          hint: 'Remember each callbackUrl before the work starts, and post to it once only.',
        },
  );
}

/** The place of the token in a request: a description, and the part. */
function carrierOf(
  { headers, url, body }: WireRequest,
  token: string,
): { what: string; part?: FindingPart } | undefined {
  // A short token occurs in other text by chance.
  const within = (text: string) => (token.length >= telltaleCharacters ? text.includes(token) : text === token);
  const name = headers.find(([, value]) => within(value.replace(/^bearer +/i, '')))?.[0];
  if (name !== undefined) return { what: name, part: { header: name.toLowerCase() } };
  if (within(url)) return { what: 'the address' };
  return within(Buffer.from(body).toString('utf8')) ? { what: 'the body', part: { body: [] } } : undefined;
}

async function postsOfAll(kit: CheckKit): Promise<{ arrival: Arrival; delivery: CrmObservation }[]> {
  const { later } = await awaitCallbacks(kit);
  const posts = later.flatMap((delivery) => postsOf(delivery).map((arrival) => ({ arrival, delivery })));
  if (posts.length === 0) endWithoutCallback(kit, later);
  return posts;
}

/** All requests, by any method, to the callback addresses of deliveries answered 202. */
async function arrivalsOf(kit: CheckKit): Promise<Arrival[]> {
  const { later } = await awaitCallbacks(kit);
  const arrivals = later.flatMap(({ callback }) => callback.arrivals);
  if (arrivals.length === 0) endWithoutCallback(kit, later);
  return arrivals;
}
