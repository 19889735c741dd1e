import { apiOperation, matchOperation } from '../../specs/api-operations.ts';
import { limits } from '../../specs/limits.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { validate, type Violation, type SchemaViolation } from '../../specs/validators.ts';
import { parseJson } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { header } from '../../harness/wire/observation.ts';
import type {
  Capture,
  CapturedCall,
  CapturedDelivery,
  CapturedSurface,
  ServiceDeviation,
} from '../../harness/capture/capture.ts';
import { isComplete, type CapturedExchange } from '../../harness/capture/captured-exchange.ts';
import { isListed, isShown } from './shown-answers.ts';
import type { CredentialFault, CredentialState } from '../../harness/capture/credential-state.ts';
import { eventTypeName } from '../../specs/crm-event-types.ts';

const credentialFaultLabels: Readonly<Record<CredentialFault, string>> = {
  'wrong-token': 'a different or missing token',
  'missing-signature': 'no X-Svc-Signature',
  'empty-signature': 'an empty X-Svc-Signature',
  'garbage-signature': 'an X-Svc-Signature without the form t=…,v1=…',
  'timestamp-only': 'an X-Svc-Signature without v1',
  'v1-only': 'an X-Svc-Signature without t',
  'short-v1': 'a v1 of fewer than 64 hex digits',
  'long-v1': 'a v1 of more than 64 hex digits',
  'non-hex-v1': 'a v1 that is not hexadecimal',
  stale: 'a t more than five minutes in the past',
  future: 'a t more than five minutes in the future',
  unfitting: 'a v1 that does not match the body and the secret',
};

/** Schemas of the frames that the service sends, by type. */
const frameSchemas: Readonly<Record<string, SchemaName>> = {
  'session.started': 'sessionStarted',
  prompt: 'prompt',
  dtmf: 'dtmf',
  interrupt: 'interrupt',
  'skill.result': 'skillResult',
  'session.ended': 'sessionEnded',
};

/**
 * Deviations of the recorded service, or of the sender in its place, from the interface. Bounds that the document does
 * not state are our choice and are not checked, and a log of the simulated service contains no bodies to check.
 */
export function serviceDeviations({ kind, crm, hooks, chat, calls, requests }: Capture): ServiceDeviation[] {
  if (kind === 'log') return [];
  return [
    ...crm.flatMap((delivery) => [...credential(delivery, 'crm-webhook'), ...shape(delivery, 'crm-webhook', crmShape)]),
    ...repeated(crm, 'crm-webhook', 1 + limits.crmRedeliveries),
    ...hooks.flatMap((delivery) => [
      ...credential(delivery, 'api-webhooks'),
      ...shape(delivery, 'api-webhooks', ({ event }) => ['apiWebhookEvent', event]),
    ]),
    ...chat.flatMap((delivery) => [
      ...credential(delivery, 'own-ai-chat'),
      ...shape(delivery, 'own-ai-chat', chatShape),
      ...headers(delivery),
    ]),
    ...repeated(chat, 'own-ai-chat', 1),
    ...calls.flatMap((call) => [...credential(call, 'own-ai-phone'), ...frames(call)]),
    ...requests.flatMap(({ exchange, base }) => answer(exchange, base)),
  ].toSorted((a, b) => a.entry - b.entry);
}

type Shape = readonly [schema: SchemaName, value: unknown] | undefined;

function crmShape({ event }: CapturedDelivery): Shape {
  const { eventType } = event ?? {};
  const named = eventTypeName(eventType);
  return ['crmEvent', named === undefined ? event : { ...event, eventType: named }];
}

function chatShape({ event }: CapturedDelivery): Shape {
  return [event?.type === 'ping' ? 'ping' : 'messageReceived', event];
}

function shape(
  delivery: CapturedDelivery,
  surface: CapturedSurface,
  schemaOf: (delivery: CapturedDelivery) => Shape,
): ServiceDeviation[] {
  const wanted = delivery.isWhole && delivery.credential.is !== 'invalid' ? schemaOf(delivery) : undefined;
  if (!wanted) return [];
  const differing = drift(wanted[0], wanted[1]).filter(isListed);
  return differing.map((violation) => toDeviation(delivery.entry, surface, 'the event', violation));
}

function drift(schema: SchemaName, value: unknown): SchemaViolation[] {
  return validate(schema, value).filter(isStated);
}

/** Whether the document itself covers the violated rule: fields and their types, and enumerated values. */
function isStated({ rule }: SchemaViolation): boolean {
  if (rule.keyword === 'enum') return rule.values.length > 1;
  return rule.keyword === 'required' || rule.keyword === 'type';
}

function toDeviation(
  entry: number,
  surface: CapturedSurface,
  what: string,
  { pointer, expected, received }: Violation,
) {
  return { entry, surface, expected: `${expected} at ${pointer === '' ? what : pointer}`, received };
}

function credential(
  { entry, credential: state }: { entry: number; credential: CredentialState },
  surface: CapturedSurface,
): ServiceDeviation[] {
  if (state.is !== 'invalid') return [];
  const expected = surface === 'crm-webhook' ? 'the bearer token of the webhook' : 'a signature with the secret';
  return [{ entry, surface, expected, received: credentialFaultLabels[state.fault] }];
}

function headers({ entry, event, isWhole: whole, request }: CapturedDelivery): ServiceDeviation[] {
  if (!whole || !event) return [];
  const pairs = [
    ['X-Svc-Delivery-Id', event.id],
    ['X-Svc-Event', event.type],
    ['X-Svc-Agent-Protocol', event.protocol],
  ] as const;
  return pairs.flatMap(([name, inBody]) => {
    const value = header(request, name);
    if (value === undefined || value === inBody) return [];
    const expected = `${name} to be as in the body (${String(inBody)})`;
    return [{ entry, surface: 'own-ai-chat' as const, expected, received: value }];
  });
}

function repeated(deliveries: readonly CapturedDelivery[], surface: CapturedSurface, most: number): ServiceDeviation[] {
  const groups = Map.groupBy(deliveries, ({ key }) => key);
  return [...groups].flatMap(([key, group]) => {
    const first = group[most];
    if (key === undefined || !first) return [];
    const times = most === 1 ? 'once' : `at most ${most} times`;
    return [
      { entry: first.entry, surface, expected: `an event to be sent ${times}`, received: `${group.length} times` },
    ];
  });
}

function frames({ entry, frames: all }: CapturedCall): ServiceDeviation[] {
  return all.flatMap(({ from, value }) => {
    if (from !== 'service' || !isJsonObject(value) || typeof value.type !== 'string') return [];
    const schema = frameSchemas[value.type];
    if (schema === undefined) {
      const expected = `a frame of type ${Object.keys(frameSchemas).join(', ')}`;
      return [{ entry, surface: 'own-ai-phone' as const, expected, received: value.type }];
    }
    const what = `the ${value.type} frame`;
    return drift(schema, value).map((violation) => toDeviation(entry, 'own-ai-phone', what, violation));
  });
}

function answer({ entry, request, answer: given, answerBody }: CapturedExchange, base: string): ServiceDeviation[] {
  const matched = matchOperation(request.method, request.url.slice(base.length).split(/[?#]/, 1)[0] ?? '');
  if (!matched || !('id' in matched) || given.outcome !== 'answered' || !isComplete(answerBody)) return [];
  const { responses } = apiOperation(matched.id);
  const schema = (responses as Readonly<Record<number, SchemaName | undefined>>)[given.status];
  const parsed = parseJson(answerBody.bytes);
  if (schema === undefined || 'error' in parsed) return [];
  const what = `the ${given.status} answer to ${matched.id}`;
  const differing = drift(schema, parsed.value).filter((violation) => isShown(matched.id, violation));
  return differing.map((violation) => toDeviation(entry, 'api-client', what, violation));
}
