import type { Capture, CapturedDelivery } from '../../harness/capture/capture.ts';
import { isHidden } from '../../harness/capture/credential-state.ts';
import { parseJson } from '../../harness/checks/json.ts';
import { findSecret, telltaleCharacters, type NamedValue } from '../../harness/wire/find-secret.ts';
import { header, type Arrival } from '../../harness/wire/observation.ts';
import { limits } from '../../specs/limits.ts';
import { crmAnswerAspects } from '../crm-webhook/answer-aspects.ts';
import { secretFinding } from '../crm-webhook/callback-findings.ts';
import { jsonObjectFinding } from '../json-object.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import type { CaptureJudged, CaptureRule } from './capture-rules.ts';
import { judgeable } from './deliveries.ts';

/** Milliseconds by which a callback may be late without a finding: it was in flight, and clocks differ. */
const onItsWayMs = 2_000;
const noneArrived = 'The recording has no callback.';

/** Deliveries of one event, and what came to its callback address. */
interface RecordedCallbacks {
  first: CapturedDelivery;
  deliveries: readonly CapturedDelivery[];
  posts: readonly Arrival[];
}

/** Rules about recorded callbacks (interface: CRM webhook, Limits). */
export const crmCallbackRules: readonly CaptureRule[] = [
  {
    requirement: 'crm-webhook/calls-back-after-202',
    title: 'an event answered 202 gets its callback in time',
    needs: 'The recording has no event answered 202 with its callback; that none came, a recording does not show.',
    judge: (capture) => askedIn(capture).flatMap(calledBack),
  },
  ...(
    [
      ['crm-webhook/calls-back-once', 'one event gets one callback', false],
      ['crm-webhook/one-callback-after-redelivery', 'an event that came again gets one callback', true],
    ] as const
  ).map(([requirement, title, redelivered]): CaptureRule => ({
    requirement,
    title,
    needs: noneArrived,
    judge: (capture) =>
      askedIn(capture)
        .filter(({ deliveries, posts }) => posts.length > 0 && deliveries.length > 1 === redelivered)
        .flatMap(({ posts }): CaptureJudged[] => {
          // A callback that the service did not accept may come again.
          const taken = posts.findIndex(({ response }) => isSuccess(response.status));
          const [first, again] = taken < 0 ? [] : posts.slice(taken);
          if (!first) return [];
          if (!again) return [{ exchange: first }];
          const received = `another one after ${Math.round(again.at - first.at)} ms`;
          return [
            { exchange: again, beside: first, finding: { expected: 'one callback for one callbackUrl', received } },
          ];
        }),
  })),
  {
    requirement: 'crm-webhook/callback-is-a-post',
    title: 'a callback is a POST',
    needs: noneArrived,
    judge: (capture) =>
      arrivals(capture).map((exchange) => {
        const { method } = exchange.request;
        return {
          exchange,
          finding: method === 'POST' ? undefined : { expected: 'a POST to callbackUrl', received: method },
        };
      }),
  },
  {
    requirement: 'crm-webhook/callback-uses-the-address-given',
    title: 'a callback goes to callbackUrl exactly as given',
    needs: noneArrived,
    judge: (capture) => [
      ...capture.misdirectedCallbacks.map((exchange) => ({
        exchange,
        finding: {
          expected: 'the callback at callbackUrl exactly as given, with its query',
          received: `a ${exchange.request.method} to ${exchange.request.url}`,
          hint: 'Use callbackUrl unchanged; do not parse and rebuild it.',
        },
      })),
      ...arrivals(capture).map((exchange) => ({ exchange })),
    ],
  },
  {
    requirement: 'crm-webhook/callback-is-a-json-object',
    title: 'the body of a callback is a JSON object',
    needs: 'The recording has no callback with its body.',
    judge: (capture) =>
      bodies(capture).map(({ arrival }) => ({
        exchange: arrival,
        finding: jsonObjectFinding(arrival.request.body, 'the body of a callback'),
      })),
  },
  {
    requirement: 'crm-webhook/callback-carries-no-token',
    title: 'a callback carries neither the webhook token nor the API key',
    needs:
      'The recording has no callback with its headers, shows no Authorization anywhere, or the token was not given.',
    judge: (capture, { crmWebhook, service }) => {
      const token = { name: 'the webhook token', value: crmWebhook?.token };
      const secrets = [token, { name: 'an API key', value: service.apiKey }].filter(isTelltale);
      // A recorded secret is proof; its absence is proof only if the recorder keeps such headers.
      const areShown = secrets.some(({ name }) => name === token.name) && showsAuthorization(capture);
      return arrivals(capture).flatMap((exchange): CaptureJudged[] => {
        const { request, truncated } = exchange;
        const found = findSecret(request, secrets);
        if (found) return [{ exchange, finding: secretFinding(found) }];
        const isHeld = areShown && request.headers.length > 0 && !truncated;
        return isHeld && !request.headers.some(([, value]) => isHidden(value)) ? [{ exchange }] : [];
      });
    },
  },
  {
    requirement: 'crm-webhook/answers-now-or-by-callback',
    title: 'an event answered 200 or 204 gets no callback',
    needs: 'The recording has no event answered 200 or 204 among callbacks of others.',
    judge: (capture) => {
      const showsCallbacks = arrivals(capture).length > 0;
      return askedIn(capture).flatMap(({ deliveries, first, posts }): CaptureJudged[] => {
        const [only, ...others] = judgeable(deliveries);
        if (!showsCallbacks || !only || others.length > 0 || deliveries.length > 1) return [];
        if (only.answer.status !== 200 && only.answer.status !== 204) return [];
        const [post] = posts;
        if (!post) return [{ exchange: first }];
        const expected = `no callback, since ${first.label} was answered ${only.answer.status}`;
        return [{ exchange: post, beside: first, finding: { expected, received: 'a POST to its callbackUrl' } }];
      });
    },
  },
  ...crmAnswerAspects.map((facet): CaptureRule => ({
    requirement: facet.requirement,
    title: `in callbacks ${facet.title}`,
    needs: `${noneArrived} ${facet.needs}`,
    judge: (capture) =>
      bodies(capture).flatMap(({ arrival, event }): CaptureJudged[] => {
        const parsed = parseJson(arrival.request.body);
        if ('error' in parsed) return [];
        const judgement = facet.judge({ value: parsed.value, event });
        if (judgement === 'nothing') return [];
        return [{ exchange: arrival, finding: judgement === true ? undefined : judgement }];
      }),
  })),
];

/** Events by their callback address. Requests to an address belong to the first delivery with it. */
function askedIn({ crm }: Capture): RecordedCallbacks[] {
  return [...Map.groupBy(crm, ({ key }) => key)].flatMap(([key, deliveries]) => {
    const [first] = deliveries;
    if (key === undefined || !first || first.credential.is === 'invalid') return [];
    const later = deliveries.flatMap((delivery) => delivery.later).toSorted((a, b) => a.at - b.at);
    return [{ first, deliveries, posts: later.filter(({ request }) => request.method === 'POST') }];
  });
}

/** The latest 202 before the callback counts: a repeated event may have been deferred again. */
function calledBack({ deliveries, posts: [first] }: RecordedCallbacks): CaptureJudged[] {
  const putOff = judgeable(deliveries).filter(({ answer }) => answer.status === 202);
  const later = putOff.findLast(({ startedAt }) => first && startedAt.getTime() <= first.at) ?? putOff[0];
  if (!first || !later) return [];
  const dueMs = later.startedAt.getTime() + (later.times.totalMs ?? 0) + limits.crmCallbackWithinMs;
  const expected = `a POST to callbackUrl within ${limits.crmCallbackWithinMs / 1000} s of the 202 to ${later.label}`;
  const lateMs = first.at - dueMs;
  if (lateMs <= onItsWayMs) return [{ exchange: first, beside: later }];
  const received = `one ${Math.round(lateMs / 1000)} s later than that`;
  return [{ exchange: first, beside: later, finding: { expected, received } }];
}

function arrivals({ crm }: Capture): Arrival[] {
  return crm.flatMap(({ later }) => later).filter(({ request }) => request.method !== 'OPTIONS');
}

function showsAuthorization({ crm, hooks, chat, calls, traffic }: Capture): boolean {
  return [
    ...crm,
    ...crm.flatMap(({ later }) => later),
    ...hooks,
    ...chat,
    ...calls,
    ...(traffic?.exchanges ?? []),
  ].some(({ request }) => header(request, 'authorization') !== undefined);
}

function bodies(capture: Capture): { arrival: Arrival; event: Record<string, unknown> }[] {
  return askedIn(capture).flatMap(({ first, posts }) =>
    posts.filter(({ truncated }) => !truncated).map((arrival) => ({ arrival, event: first.event ?? {} })),
  );
}

function isTelltale(secret: { name: string; value: string | undefined }): secret is NamedValue {
  return secret.value !== undefined && secret.value.length >= telltaleCharacters;
}
