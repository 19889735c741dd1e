import { header } from '../../harness/wire/observation.ts';
import type { Round } from '../../harness/client/api-exchange.ts';
import { jsonObjectOf } from '../json-object.ts';
import type { OperationId } from '../../specs/api-operations.ts';
import {
  byWholeRequest,
  isCopy,
  isLater,
  isRefused,
  isAccepted,
  deliberateRepeats,
  groupIdentical,
} from './attempts.ts';
import type { ClientRule, JudgedRequest } from './rules.ts';
import { plainNumber } from './targets.ts';
import type { ClientRequest, ReadTraffic } from './traffic.ts';

/**
 * Milliseconds during which a repetition is attributed to the client. Later, a person may try again or the situation
 * may have changed; the first retry of a client is sooner.
 */
const repetitionMs = 10_000;
/** Milliseconds by which the client's timer and ours may differ. */
const timerMs = 100;
/** Code of the simulated service for a key that was used before; the same request with another key is correct then. */
const keyReused = 'idempotency_key_reused';

/** Rules about what follows a refusal (interface: Errors, What the service does). */
export const refusalRules: readonly ClientRule[] = [
  {
    requirement: 'api-client/drops-the-reply-after-409',
    title: 'an agent reply is dropped after 409',
    needs: 'No agent reply was answered 409.',
    judge: droppedAfter409('sendAgentReply'),
  },
  {
    requirement: 'api-client/drops-the-skill-after-409',
    title: 'a skill is not asked for again after 409',
    needs: 'No skill was answered 409 because the team has the conversation.',
    judge: droppedAfter409('runSkill'),
  },
  {
    requirement: 'api-client/does-not-repeat-what-was-refused',
    title: 'a refused request is not sent again as it was',
    needs: 'No request that changes something was refused with 400, 403, 404 or 422.',
    judge: notAgain(
      (request) => isRefused(request, 400, 403, 404, 422) && codeOf(request) !== keyReused && changes(request),
      // Another request may meanwhile have made this one valid.
      changes,
    ),
  },
  {
    requirement: 'api-client/consent-refusal-is-not-worked-around',
    title: 'a message refused for want of consent is not sent under another purpose',
    needs: 'No marketing message was refused with 403.',
    judge: ({ requests }) =>
      requests
        .filter(
          (request) =>
            request.operation === 'sendMessage' && request.body?.purpose === 'marketing' && isRefused(request, 403),
        )
        .map((refused): JudgedRequest => {
          const around = requests.find(
            (request) =>
              request.operation === 'sendMessage' &&
              request.exchange.round === refused.exchange.round &&
              isLater(refused, request) &&
              request.exchange.at - refused.exchange.endedAt <= repetitionMs &&
              request.body?.purpose !== 'marketing' &&
              isText(request.body?.text) &&
              request.body.text === refused.body?.text &&
              hasTargetOf(request, refused),
          );
          if (!around) return { exchange: refused.exchange };
          return {
            exchange: around.exchange,
            beside: refused.exchange,
            finding: {
              expected: 'no further message with this text to this customer',
              received: `the same text with purpose ${JSON.stringify(around.body?.purpose ?? 'none')}`,
              hint: 'Without consent the message must not be sent at all.',
              part: { body: ['purpose'] },
            },
          };
        }),
  },
  {
    requirement: 'api-client/waits-after-429',
    title: 'a request is sent again only after the time that 429 asks for',
    needs: 'No request was sent again after 429 with Retry-After.',
    judge: ({ requests }) =>
      groupIdentical(requests, byWholeRequest.says).flatMap((same) =>
        same.flatMap((refused): JudgedRequest[] => {
          const seconds = Number(header(refused.exchange.response, 'retry-after') ?? Number.NaN);
          // A request that was already in flight is not a reaction.
          const again = same.find(({ exchange }) => exchange.at >= refused.exchange.endedAt)?.exchange;
          if (!isRefused(refused, 429) || !Number.isFinite(seconds) || !again) return [];
          const waitedMs = again.at - refused.exchange.endedAt;
          if (waitedMs >= seconds * 1000 - timerMs) return [{ exchange: again, beside: refused.exchange }];
          return [
            {
              exchange: again,
              beside: refused.exchange,
              finding: {
                expected: `a pause of ${seconds} s after 429 with Retry-After: ${seconds}`,
                received: `the request again after ${Math.max(0, Math.round(waitedMs))} ms`,
              },
            },
          ];
        }),
      ),
  },
];

/**
 * Judges each request that was answered 409. Where the undisturbed round shows how often the client says the same, once
 * more than that is the refused one again, whenever it comes and whatever came between.
 */
function droppedAfter409(operation: OperationId): ClientRule['judge'] {
  const isGone = (request: ClientRequest) =>
    request.operation === operation && isRefused(request, 409) && codeOf(request) === 'project_not_with_agent';
  const judgeBySight = notAgain(
    (request, traffic) => isGone(request) && undisturbedTimes(request, traffic) === undefined,
    // The conversation is back with the AI when something is accepted there again.
    (request, refused) => request.operation === operation && request.parameters.id === refused.parameters.id,
    // After another request, it may be a new one, such as the same words for the customer's next message.
    (request, refused) => request.operation === operation && request.whole !== refused.whole,
  );
  return (traffic) => [
    ...traffic.requests.filter(isGone).flatMap((refused): JudgedRequest[] => {
      const usual = undisturbedTimes(refused, traffic);
      if (usual === undefined) return [];
      const surplus = sameIn('troubled', refused, traffic).slice(usual);
      return [
        outcome(
          refused,
          surplus.find(({ exchange }) => exchange.at >= refused.exchange.endedAt),
        ),
      ];
    }),
    ...judgeBySight(traffic),
  ];
}

/**
 * How often a client sends a request undisturbed, which is refused in the troubled round only. `undefined`: that is not
 * known, because it fails, because it is random, or because a client that never ends repeats it.
 */
function undisturbedTimes(refused: ClientRequest, traffic: ReadTraffic): number | undefined {
  if (refused.exchange.trouble !== 'refused' || traffic.failure !== undefined) return undefined;
  const usual = sameIn('undisturbed', refused, traffic).length;
  return usual === 0 || (traffic.cutShort && usual > 1) ? undefined : usual;
}

/** The same requests in a round, without those that a client may repeat: unanswered, 429 and server errors. */
function sameIn(round: Round, { whole, operation }: ClientRequest, { requests }: ReadTraffic): ClientRequest[] {
  return requests.filter(
    (request) =>
      request.operation === operation &&
      request.whole === whole &&
      request.exchange.round === round &&
      request.exchange.ended === 'answered' &&
      request.exchange.response.status !== 429 &&
      request.exchange.response.status < 500,
  );
}

/**
 * Judges each refused request by whether the same one comes again soon.
 *
 * @param makesRight whether a request that was accepted after the refusal may have made the refused one valid
 * @param setsApart whether a request between the two may make the second a new request
 */
function notAgain(
  isMeant: (request: ClientRequest, traffic: ReadTraffic) => boolean,
  makesRight: (taken: ClientRequest, refused: ClientRequest) => boolean,
  setsApart: (between: ClientRequest, refused: ClientRequest) => boolean = () => false,
): ClientRule['judge'] {
  return (traffic) => {
    const { requests } = traffic;
    const meant = new Set(requests.filter((request) => isMeant(request, traffic)));
    const operations = [...new Set([...meant].map(({ operation }) => operation))];
    return operations.flatMap((operation) => {
      const own = requests.filter((request) => request.operation === operation);
      const meantTwice = deliberateRepeats(own, byWholeRequest);
      const groups = groupIdentical(own, byWholeRequest.says).filter(([{ whole = '' }]) => !meantTwice.has(whole));
      return groups.flatMap((same) =>
        same
          .filter((request) => meant.has(request))
          .flatMap((refused): JudgedRequest[] => {
            const { round, at, endedAt } = refused.exchange;
            const rightAt = requests.find(
              (request) =>
                isAccepted(request) &&
                request.exchange.round === round &&
                request.exchange.endedAt > at &&
                makesRight(request, refused),
            )?.exchange.at;
            const until = Math.min(endedAt + repetitionMs, rightAt ?? Infinity);
            const later = same.filter(
              ({ exchange, idempotencyKey }) =>
                exchange.at >= endedAt && exchange.at <= until && idempotencyKey === refused.idempotencyKey,
            );
            // Of two copies that were sent at once, the second is not a repetition; a third one is.
            const again = later[0] && isCopy(refused, later[0]) ? later[1] : later[0];
            const isApart =
              again !== undefined &&
              requests.some(
                (between) =>
                  between.exchange.round === round &&
                  isLater(refused, between) &&
                  isLater(between, again) &&
                  setsApart(between, refused),
              );
            return isApart ? [] : [outcome(refused, again)];
          }),
      );
    });
  };
}

function outcome(refused: ClientRequest, again: ClientRequest | undefined): JudgedRequest {
  const { exchange } = refused;
  if (!again) return { exchange };
  return {
    exchange: again.exchange,
    beside: exchange,
    finding: {
      expected: `no such request again after ${exchange.response.status} ${codeOf(refused) ?? ''}`.trim(),
      received: `the same one after ${Math.round(again.exchange.at - exchange.endedAt)} ms`,
      hint: 'Repeat only after no answer, 5xx or 429.',
    },
  };
}

function changes({ exchange: { request } }: ClientRequest): boolean {
  return ['POST', 'PATCH', 'DELETE'].includes(request.method);
}

function codeOf({ exchange: { response } }: ClientRequest): string | undefined {
  const title = jsonObjectOf(Buffer.from(response.body))?.title;
  return typeof title === 'string' ? title : undefined;
}

function hasTargetOf({ body: a }: ClientRequest, { body: b }: ClientRequest): boolean {
  return ['phone', 'email', 'contactId'].some((name) => {
    const [one, other] = [a?.[name], b?.[name]];
    if (name === 'phone' && isText(one) && isText(other)) return plainNumber(one) === plainNumber(other);
    return one !== undefined && one !== '' && one === other;
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
