import { legacyEventTypes, crmEventTypes } from '../../specs/crm-event-types.ts';
import { limits } from '../../specs/limits.ts';
import { parseJson } from '../../harness/checks/json.ts';
import { crmAnswerAspects } from '../crm-webhook/answer-aspects.ts';
import { outcomeDifference } from '../crm-webhook/outcome-difference.ts';
import { permittedStatuses } from '../crm-webhook/typical-answers.ts';
import { jsonObjectFinding } from '../json-object.ts';
import { toBeRefused, toHaveNoBody, toHaveStatus } from '../matchers/answer-matchers.ts';
import { isRefusal, isSuccess } from '../../harness/wire/answer-status.ts';
import type { CaptureJudged, CaptureRule } from './capture-rules.ts';
import { answered, inTime, judgeable, notJudgedReason, withStatus, type AnsweredDelivery } from './deliveries.ts';

/** Label of an event with another token: it was not meant for this endpoint, or has an old token. */
const badToken = 'an event without the valid token';

/** Rules about recorded CRM events and their answers (interface: CRM webhook). */
export const crmWebhookRules: readonly CaptureRule[] = [
  {
    requirement: 'crm-webhook/accepts-the-token',
    title: 'an event that carries the token is accepted',
    needs: ({ crm }) =>
      `The recording has no answer to an event that carries the configured token.${notJudgedReason(crm)}`,
    judge: ({ crm }) =>
      judgeable(crm)
        .filter(({ credential }) => credential.is === 'authentic')
        .map((exchange) => ({
          exchange,
          finding:
            exchange.answer.status === 401 || exchange.answer.status === 403
              ? { expected: 'to be accepted', received: `status ${exchange.answer.status}`, part: { status: true } }
              : undefined,
        })),
  },
  {
    requirement: 'crm-webhook/refuses-wrong-token',
    title: 'an event without the valid token is refused',
    needs: 'The recording does not show an event with another token.',
    judge: ({ crm }) =>
      answered(crm)
        .filter(({ credential }) => credential.is === 'invalid')
        .map((exchange) => ({ exchange, finding: toBeRefused(exchange, badToken) })),
  },
  {
    requirement: 'crm-webhook/refuses-with-401',
    title: 'what is refused for its token gets 401',
    needs: 'The recording does not show an event that was refused for its token.',
    judge: ({ crm }) =>
      withStatus(
        answered(crm).filter(({ credential, answer }) => credential.is === 'invalid' && isRefusal(answer)),
        401,
      ),
  },
  ...crmEventTypes.map((type): CaptureRule => ({
    requirement: 'crm-webhook/answers-every-event',
    title: `${type} is answered 200, 202 or 204`,
    needs: ({ crm }) => `The recording has no answer to a ${type} of the service.${notJudgedReason(crm)}`,
    judge: ({ crm }) =>
      withStatus(
        judgeable(crm).filter(({ event }) => event?.eventType === type),
        ...permittedStatuses,
      ),
  })),
  {
    requirement: 'crm-webhook/accepts-legacy-numbers',
    title: 'an eventType in numbers is answered 200, 202 or 204',
    needs: 'The recording has no event with a legacy number.',
    judge: ({ crm }) =>
      withStatus(
        judgeable(crm).filter(({ event }) => legacyEventTypes[event?.eventType as number] !== undefined),
        ...permittedStatuses,
      ),
  },
  {
    requirement: 'crm-webhook/unknown-event-name-204',
    title: 'an event type that came later is answered 204',
    needs: 'The recording has no event of an unknown name.',
    judge: ({ crm }) =>
      withStatus(
        judgeable(crm).filter(({ event }) => {
          const type = event?.eventType;
          return typeof type === 'string' && !crmEventTypes.some((known) => known === type);
        }),
        204,
      ),
  },
  {
    requirement: 'crm-webhook/unknown-event-number-204',
    title: 'a number without a meaning is answered 204',
    needs: 'The recording has no event of an unknown number.',
    judge: ({ crm }) =>
      withStatus(
        judgeable(crm).filter(({ event }) => {
          const type = event?.eventType;
          return typeof type === 'number' && legacyEventTypes[type] === undefined;
        }),
        204,
      ),
  },
  ...(
    [
      ['crm-webhook/lookup-within-two-seconds', 'IncomingCallLookup'],
      ['crm-webhook/new-conversation-within-two-seconds', 'NewConversation'],
    ] as const
  ).map(([requirement, type]): CaptureRule => ({
    requirement,
    title: `${type} is answered in time`,
    needs: `The recording has no ${type} with a time that was measured.`,
    judge: ({ crm }) =>
      inTime(
        crm.filter(({ event }) => event?.eventType === type),
        limits.crmLookupAnswerMs,
        'crm-webhook/lookup',
      ),
  })),
  {
    requirement: 'crm-webhook/answer-is-a-json-object',
    title: 'the body of a 200 answer is a JSON object',
    needs: 'The recording has no 200 answer with its body.',
    judge: ({ crm }) =>
      with200(crm).map((exchange) => ({
        exchange,
        finding: jsonObjectFinding(exchange.answer.body, 'the body of a 200 answer'),
      })),
  },
  {
    requirement: 'crm-webhook/no-content-has-no-body',
    title: 'a 204 answer has no body',
    needs: 'The recording has no 204 answer.',
    judge: ({ crm, kind }) =>
      kind === 'log'
        ? []
        : judgeable(crm)
            .filter(({ answer }) => answer.status === 204)
            .map((exchange) => ({ exchange, finding: toHaveNoBody(exchange) })),
  },
  ...crmAnswerAspects.map((facet): CaptureRule => ({
    requirement: facet.requirement,
    title: `in 200 answers ${facet.title}`,
    needs: facet.needs,
    judge: ({ crm }) =>
      with200(crm).flatMap((exchange): CaptureJudged[] => {
        const parsed = parseJson(exchange.answer.body);
        if ('error' in parsed) return [];
        const judgement = facet.judge({ value: parsed.value, event: exchange.event ?? {} });
        return judgement === 'nothing' ? [] : [{ exchange, finding: judgement === true ? undefined : judgement }];
      }),
  })),
  {
    requirement: 'crm-webhook/redelivery-has-the-same-outcome',
    title: 'an event that came again has the same outcome',
    needs: 'The recording has no repeated event after an answer with data.',
    judge: ({ crm }) =>
      [...Map.groupBy(judgeable(crm), ({ key }) => key)].flatMap(([key, same]): CaptureJudged[] => {
        const [first, ...again] = same.filter(({ answer }) => isSuccess(answer.status));
        if (key === undefined || !first) return [];
        return again.map((second) => ({
          exchange: second,
          beside: first,
          finding: toHaveStatus(second, ...permittedStatuses) ?? difference(first, second),
        }));
      }),
  },
];

/** 200 answers to the service whose bodies the recording has. */
function with200(crm: Parameters<typeof judgeable>[0]): AnsweredDelivery[] {
  return judgeable(crm).filter(({ answer }) => answer.status === 200 && !answer.truncated);
}

function difference(first: AnsweredDelivery, second: AnsweredDelivery): CaptureJudged['finding'] {
  if (first.answer.truncated || second.answer.truncated) return undefined;
  return outcomeDifference(first, second);
}
