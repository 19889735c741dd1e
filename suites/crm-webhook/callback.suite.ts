import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { currentRecord } from '../../harness/checks/check-record.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import { parseJson } from '../../harness/checks/json.ts';
import type { Finding, FindingPart } from '../../harness/checks/finding.ts';
import type { Arrival, WireRequest } from '../../harness/wire/observation.ts';
import { bodyOfArrival, judgeJsonObject, unreadBody, type ReceivedBody } from '../json-object.ts';
import { judgeAll, type JudgeableBody } from '../judgement.ts';
import { conclude } from '../matchers/expect.ts';
import { crmAnswerAspects, type CrmAnswerBody } from './answer-aspects.ts';
import { awaitCallbacks, postsOf } from './callbacks.ts';
import { endWithoutCallback, noneArrived, noneDue, unfinishedCallback } from './missing-callback.ts';

/** Milliseconds by which the network and our own process may delay the arrival of a callback. */
const arrivalErrorMs = 250;
/** Length from which a token within another string cannot be a coincidence. */
const telltaleCharacters = 8;

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
      const late = lateCallback(delivery, callbackLimitMs);
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
    const posts = await postsOfAll(kit);
    judgeAll(
      kit,
      { needs: noneArrived, judge: (read: ReceivedBody) => judgeJsonObject(read, 'the body of a callback') },
      posts.map(({ arrival }) => ({ exchange: arrival, body: bodyOfArrival(arrival) })),
    );
    // Nothing is known about the one body that has not ended, whatever the others are.
    const { later } = await awaitCallbacks(kit);
    const arriving = later.filter(({ callback }) => callback.isArriving);
    if (arriving.length > 0) endWithoutCallback(kit, arriving);
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
