import type { ApiStateName } from '../generators/contracts/api-state-names.ts';
import { apiOperation, type OperationId } from '../specs/api-operations.ts';
import type { AssumptionId } from '../specs/assumptions.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { schemas } from '../specs/schemas.ts';
import { validate } from '../specs/validators.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { requestedStates } from './api-states.ts';
import type { ConsumerInteraction } from './consumer-contract.ts';
import { fieldName } from './contract-finding.ts';
import type { OpenPoint } from './open-point.ts';
import { openRequest } from './open-requests.ts';
import { fieldOf } from './pact-matchers.ts';
import type { JsonObject } from '../specs/json-value.ts';
import { parsePointer, formatPointer } from '../specs/json-pointer.ts';

/** Fields in which a note and a logged message may identify their customer. */
const targets = ['target', 'projectId', 'contactId', 'phone', 'email'];
/** Fields of a new appointment that get a default when they are missing. */
const withDefaults = ['durationMinutes', 'title', 'kind', 'confirmed'];
/** Bounds within which our own tests create appointments (assumption appointment-request-bounds). */
const usual = { minutes: 1440, characters: 200 };

/** Open points of the interface behind the request of an interaction, and behind its states. */
export function requestOpenPoints(interaction: ConsumerInteraction, id: OperationId, status: number): OpenPoint[] {
  const { request, states } = interaction;
  const body: JsonObject = isJsonObject(request.body) ? request.body : {};
  const asked = new Set(requestedStates(states).map(({ name }) => name));
  const points: OpenPoint[] = [];
  const ofField = (assumption: AssumptionId, ...steps: readonly (string | number)[]) =>
    void points.push({
      assumption,
      place: 'request-body',
      pointer: request.bodyPointer + formatPointer(steps),
      expected: `${fieldName(steps)}: ${shortJson(steps.reduce<unknown>((value, step) => fieldOf(value, String(step)), body))} to be accepted`,
    });
  const without = (assumption: AssumptionId, names: readonly string[], what = 'to be accepted') => {
    const missing = names.filter((name) => (body[name] ?? null) === null);
    if (missing.length === 0 || status >= 300) return;
    const expected = `a request without ${missing.join(', ')} ${what}`;
    points.push({ assumption, place: 'request-body', pointer: request.bodyPointer, expected });
  };

  ofHeaders(interaction, id, points);
  if (id === 'cancelAppointment' && new URLSearchParams(request.query).has('message')) {
    const pointer = '/request/query/message';
    points.push({ assumption: 'appointment-cancellation-message', place: 'query', pointer, expected: 'message' });
  }
  if (id === 'cancelAppointment' && body['message'] !== undefined)
    ofField('appointment-cancellation-message', 'message');
  if (id === 'addNote' || id === 'logMessage') {
    for (const name of targets) if (body[name] !== undefined) ofField('api-target-form', name);
  }
  if (id === 'logMessage') {
    if (body['subject'] !== undefined && body['channel'] !== 'email') ofField('log-subject-elsewhere', 'subject');
    if (body['notify'] === true && body['direction'] === 'out') ofField('log-notify-direction', 'notify');
  }
  if (id === 'sendMessage') {
    if (body['purpose'] === 'service') ofField('service-purpose-consent', 'purpose');
    const whatsApp = isJsonObject(body['whatsApp']) ? Object.keys(body['whatsApp']) : [];
    for (const name of whatsApp)
      ofField(name === 'template' ? 'message-template-reference' : 'whatsapp-object', 'whatsApp', name);
    if (whatsApp.includes('template') && asked.has('the WhatsApp window is open'))
      ofField('template-in-open-window', 'whatsApp', 'template');
  }
  if (id === 'createAppointment') {
    without('api-required-members', Object.keys(schemas.appointmentRequest.properties ?? {}));
    without('appointment-defaults', withDefaults, 'to get values of the service');
    if (typeof body['kind'] === 'string' && body['kind'] !== 'in_person') ofField('appointment-request-bounds', 'kind');
    if (Number(body['durationMinutes']) > usual.minutes) ofField('appointment-request-bounds', 'durationMinutes');
    if (String(body['title']).length > usual.characters) ofField('appointment-request-bounds', 'title');
  }
  if (id === 'subscribeWebhook') without('api-required-members', ['description']);
  ofUnknownFields(id, body, ofField);
  if (status === 400 || status === 422) points.push(...ofRefusal(interaction, id));
  points.push(...ofStates(asked, id, status));
  return points;
}

function ofHeaders({ request: { headers } }: ConsumerInteraction, id: OperationId, points: OpenPoint[]): void {
  const named = (name: string) => Object.keys(headers).find((one) => one.toLowerCase() === name);
  const [key, api, bearer] = ['idempotency-key', 'x-api-key', 'authorization'].map(named);
  const add = (assumption: AssumptionId, name: string) => {
    const pointer = `/request/headers${formatPointer([name])}`;
    points.push({ assumption, place: 'request-header', pointer, expected: `the header ${name} to be checked` });
  };
  if (key !== undefined && apiOperation(id).idempotent === undefined) add('idempotency-key-form', key);
  if (api !== undefined && bearer !== undefined) add('api-two-keys', bearer);
}

/** Fields that the operation does not list. */
function ofUnknownFields(
  id: OperationId,
  body: JsonObject,
  add: (assumption: AssumptionId, name: string) => void,
): void {
  const { request } = apiOperation(id);
  const known = request === undefined ? {} : (schemas[request].properties ?? {});
  for (const name of Object.keys(body).filter((one) => !Object.hasOwn(known, one))) {
    add(id === 'upsertContact' ? 'contact-fields' : 'api-unknown-members', name);
  }
}

/** Open points behind a refusal: the interface may not require what is missing or invalid in the request. */
function ofRefusal({ request }: ConsumerInteraction, id: OperationId): OpenPoint[] {
  const { request: name } = apiOperation(id);
  if (name === undefined || request.body === undefined) return [];
  return validate(name, request.body).flatMap((violation): OpenPoint[] => {
    const { pointer, received } = violation;
    const steps = parsePointer(pointer);
    const assumption = openRequest(id, violation) ?? openReply(id, steps);
    if (assumption === undefined) return [];
    const words = `${fieldName(steps)}: ${received} to be refused`;
    return [{ assumption, place: 'request-body', pointer: request.bodyPointer + pointer, expected: words }];
  });
}

/** Only an unknown action and an overlong text have a code (interface: Errors). */
function openReply(id: OperationId, [field]: readonly string[]): AssumptionId | undefined {
  const isNamed = field === 'text' || field === 'action';
  return id === 'sendAgentReply' && !isNamed ? 'agent-reply-codes' : undefined;
}

function ofStates(asked: ReadonlySet<ApiStateName>, id: OperationId, status: number): OpenPoint[] {
  const found: [AssumptionId, ApiStateName][] = [];
  const makesContacts = id === 'sendMessage' || id === 'logMessage' || id === 'addNote' || id === 'createAppointment';
  if (status === 429) found.push(['rate-limit-minute', 'too many requests were sent']);
  if (makesContacts && status < 300) found.push(['api-new-contacts', 'no such contact']);
  if (id === 'sendAgentReply' && status < 300)
    found.push(['agent-reply-conflict', 'auto-reply is off'], ['agent-reply-conflict', 'auto-reply is paused']);
  return found
    .filter(([, state]) => asked.has(state))
    .map(([assumption, state]) => ({
      assumption,
      place: 'status',
      pointer: '/response/status',
      expected: `status ${status} where “${state}”`,
    }));
}
