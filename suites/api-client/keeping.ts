import type { FindingPart } from '../../harness/checks/finding.ts';
import { jsonObjectOf } from '../json-object.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import { byWholeRequest, isLater, isRefused, isAccepted, groupIdentical, deliberateRepeats } from './attempts.ts';
import type { ClientRule, JudgedRequest } from './rules.ts';
import { plainNumber, hasTarget, targetPath, targetValue } from './targets.ts';
import type { ClientRequest } from './traffic.ts';

/** Milliseconds in which a second message with the same words is a reaction to the answer; later it may be meant. */
const reactionMs = 30_000;
/**
 * Milliseconds in which a contact is sent again because the client did not keep it; later it may be sent anew on
 * purpose.
 */
const keptMs = 3_600_000;
/** Milliseconds in which a second secret counts as not having kept the first; later the first may have leaked. */
const atOnceMs = 600_000;

/**
 * Rules about the data of answers that a client stores (interface: Contact, Key responses, Message, Authentication).
 */
export const keepingRules: readonly ClientRule[] = [
  {
    requirement: 'api-client/waiting-message-is-not-sent-again',
    title: 'a message that waits for the customer is not sent again',
    needs: 'No message was answered with waitingForReply true.',
    judge: ({ requests }) => {
      const messages = requests.filter(({ operation }) => operation === 'sendMessage');
      const meantTwice = deliberateRepeats(messages, byWholeRequest, (message) => !isWaiting(message));
      const groups = groupIdentical(messages, byWholeRequest.says).filter(([{ whole = '' }]) => !meantTwice.has(whole));
      return groups.flatMap((same) =>
        same.filter(isWaiting).map((waiting): JudgedRequest => {
          const again = same.find(
            (message) =>
              isLater(waiting, message) &&
              message.exchange.at >= waiting.exchange.endedAt &&
              message.exchange.at - waiting.exchange.endedAt <= reactionMs &&
              // With the key of the first, it is not a second message.
              (waiting.idempotencyKey === undefined || message.idempotencyKey !== waiting.idempotencyKey),
          );
          return outcome(waiting, again, 'no second message while the first waits for the customer', 'the same again');
        }),
      );
    },
  },
  {
    requirement: 'api-client/contact-is-not-sent-again-unchanged',
    title: 'a known contact is not sent again unchanged',
    needs: 'No contact was accepted.',
    judge: ({ requests }) => {
      const contacts = requests.filter(({ operation }) => operation === 'upsertContact');
      return groupIdentical(contacts, ({ listed }) => listed).flatMap((same) =>
        same.filter(isAccepted).map((taken) =>
          outcome(
            taken,
            same.find(
              (contact) =>
                followsWithin(keptMs, taken, contact) &&
                // A 404 in between may mean that the contact is gone.
                !requests.some(
                  (between) => isRefused(between, 404) && follows(taken, between) && follows(between, contact),
                ),
            ),
            'a contact to be sent again only when something about it has changed',
            'the same contact again',
          ),
        ),
      );
    },
  },
  {
    requirement: 'api-client/ids-are-of-their-kind',
    title: 'the id of a contact is not sent as that of a project, nor the other way round',
    needs: 'No request named a contact or a project whose id had been returned.',
    judge: ({ requests }) => {
      const returned = requests
        .filter(isAccepted)
        .flatMap((request) => idsIn(request).map((named) => ({ ...named, from: request.exchange.endedAt })));
      return requests.flatMap((request): JudgedRequest[] => {
        const { exchange, given } = request;
        return idsNamedBy(request).flatMap(({ kind, id, part }): JudgedRequest[] => {
          const known = returned.filter(({ from }) => from <= exchange.at);
          const kinds = known.filter((one) => one.id === id).map((one) => one.kind);
          if (id === given) kinds.push('projectId');
          if (kinds.includes(kind)) return [{ exchange }];
          const [other] = kinds;
          if (other === undefined || !isRefused(request, 404)) return [];
          const received = `${id}, which is a ${other}`;
          return [{ exchange, finding: { expected: `a ${kind} that the service has returned`, received, part } }];
        });
      });
    },
  },
  {
    requirement: 'api-client/addresses-contacts-by-their-id',
    title: 'a contact whose id is known is addressed by it',
    needs: 'Nothing was sent to a contact whose id had been returned.',
    judge: ({ requests }) => {
      const known = requests.flatMap((request) => {
        const id = request.operation === 'upsertContact' && isAccepted(request) ? answerOf(request)?.id : undefined;
        const phone = request.body?.phone;
        return typeof id === 'number' && typeof phone === 'string' ? [{ id, phone: plainNumber(phone), request }] : [];
      });
      return requests.flatMap(({ exchange, operation, body }): JudgedRequest[] => {
        if (!hasTarget(operation) || !body) return [];
        const before = known.filter(
          ({ request }) => request.exchange.round === exchange.round && request.exchange.endedAt < exchange.at,
        );
        const contactId = targetValue(body, 'contactId');
        if (before.some(({ id }) => id === contactId)) return [{ exchange }];
        const phone = targetValue(body, 'phone');
        const contact = before.find((one) => typeof phone === 'string' && one.phone === plainNumber(phone));
        if (!contact) return [];
        return [
          {
            exchange,
            beside: contact.request.exchange,
            finding: {
              expected: `contactId ${contact.id}, which the service had returned`,
              received: 'phone',
              part: { body: targetPath(body, 'phone') },
            },
          },
        ];
      });
    },
  },
  {
    requirement: 'api-client/one-subscription-for-one-address',
    title: 'an address is subscribed once for an event',
    needs: 'No subscription was accepted, or only one at each start of the client.',
    judge: ({ requests }) => {
      const made = requests.filter(({ operation }) => operation === 'subscribeWebhook');
      return made.filter(isAccepted).flatMap((taken): JudgedRequest[] => {
        const alike = made.filter(
          ({ body }) =>
            body?.url === taken.body?.url &&
            listOf(body?.events).some((event) => listOf(taken.body?.events).includes(event)),
        );
        const again = alike.find((other) => follows(taken, other));
        // Once at each start: a client may be meant to start afresh, so this neither passes nor fails.
        if (!again && alike.some(({ exchange }) => exchange.round !== taken.exchange.round)) return [];
        const received = `${shortJson(again?.body?.url)} again`;
        return [outcome(taken, again, 'one subscription for an address', received, { body: ['url'] })];
      });
    },
  },
  {
    requirement: 'api-client/agent-secret-is-not-replaced-at-once',
    title: 'a new agent secret is not replaced at once',
    needs: 'The client made no agent secret.',
    judge: ({ requests }) => {
      const made = requests.filter(({ operation }) => operation === 'replaceAgentSecret');
      return made.filter(isAccepted).map((taken) =>
        outcome(
          taken,
          made.find((other) => followsWithin(atOnceMs, taken, other) && other.parameters.id === taken.parameters.id),
          'one new secret for an assistant',
          'another one, which ends the first',
        ),
      );
    },
  },
];

/** An id of a contact or a project, and its place in a request. */
interface NamedId {
  kind: 'contactId' | 'projectId';
  id: number;
  part?: FindingPart;
}

const kindsOfId = ['contactId', 'projectId'] as const;

/** The ids of contacts and projects in the answer to a request. */
function idsIn(request: ClientRequest): NamedId[] {
  const { id: own, ...answer } = answerOf(request) ?? {};
  const ids = request.operation === 'upsertContact' ? { contactId: own } : answer;
  return kindsOfId.flatMap((kind) => (typeof ids[kind] === 'number' ? [{ kind, id: ids[kind] }] : []));
}

/** The ids of contacts and projects that a request names, in its path or as its target. */
function idsNamedBy({ operation, parameters, path, body }: ClientRequest): NamedId[] {
  const inPath = path.startsWith('/v1/projects/') ? Number(parameters.id) : NaN;
  const named = Number.isSafeInteger(inPath) ? [{ kind: 'projectId' as const, id: inPath }] : [];
  if (!hasTarget(operation) || !body) return named;
  return kindsOfId.flatMap((kind): NamedId[] => {
    const id = targetValue(body, kind);
    return typeof id === 'number' ? [{ kind, id, part: { body: targetPath(body, kind) } }] : [];
  });
}

function outcome(
  taken: ClientRequest,
  again: ClientRequest | undefined,
  expected: string,
  received: string,
  part?: FindingPart,
): JudgedRequest {
  if (!again) return { exchange: taken.exchange };
  return { exchange: again.exchange, beside: taken.exchange, finding: { expected, received, part } };
}

/** Whether a request came after the answer to another one, in the same round. */
function follows({ exchange: first }: ClientRequest, { exchange: second }: ClientRequest): boolean {
  return first.round === second.round && second.at >= first.endedAt && second !== first;
}

function followsWithin(ms: number, first: ClientRequest, second: ClientRequest): boolean {
  return follows(first, second) && second.exchange.at - first.exchange.endedAt <= ms;
}

function isWaiting(message: ClientRequest): boolean {
  return isAccepted(message) && answerOf(message)?.waitingForReply === true;
}

function answerOf({ exchange: { response } }: ClientRequest): Record<string, unknown> | undefined {
  return jsonObjectOf(Buffer.from(response.body));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
