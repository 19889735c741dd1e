import { randomUUID } from 'node:crypto';
import { pause } from './wire.ts';
import { exchange, type ApiAnswer, type WireCall } from './client-wire.ts';

/** Environment of the client. */
export interface ClientEnvironment {
  /** Without `/v1`. */
  baseUrl: string;
  apiKey: string;
  /** A conversation that the own AI answers. */
  projectId: number;
  agentId: number;
}

/** One call of the client. */
export interface ApiCall {
  /** Its name here; each call is made once. */
  name: string;
  method: string;
  /** Below the base address, `/v1` included. */
  path: string;
  body?: Record<string, unknown>;
}

/** Everything that an API client decides. */
export interface ClientSeams {
  /** Returns the call to send; a fault in its content changes it here. */
  shape(call: ApiCall, environment: ClientEnvironment): ApiCall;
  /** Idempotency-Key of one attempt, from 1 on. */
  keyOf(call: ApiCall, intent: string, attempt: number): string | undefined;
  wire(call: ApiCall, key: string | undefined, environment: ClientEnvironment): WireCall;
  exchange(wire: WireCall): Promise<ApiAnswer>;
  /** Milliseconds until the next attempt; `undefined` for none. */
  retryAfterMs(call: ApiCall, answer: ApiAnswer, attempt: number): number | undefined;
  /** All calls of the client, from its start to its end. */
  work(api: ApiCaller, environment: ClientEnvironment): Promise<void>;
  /** Actions afterwards. */
  afterwards(api: ApiCaller, environment: ClientEnvironment): Promise<void>;
}

/** Makes a call with all its attempts, and returns the last answer. */
export type ApiCaller = (call: ApiCall) => Promise<ApiAnswer>;

/** Attempts at one call. */
const attempts = 3;
/** Milliseconds before a call is retried if no pause is requested. */
const pauseMs = 20;

/** Whether a call accepts an Idempotency-Key. */
export function takesKey({ path }: ApiCall): boolean {
  return /\/(messages|notes)$|\/skills\/[^/]+$/.test(path);
}

/** Whether a call may be repeated although the outcome of the first is unknown: it is recognised, or only reads. */
export function isRepeatable(call: ApiCall): boolean {
  return call.method === 'GET' || takesKey(call) || /\/(log|contacts)$/.test(call.path);
}

export function againAfterMs(call: ApiCall, { status, retryAfter }: ApiAnswer, attempt: number): number | undefined {
  if (attempt === attempts) return undefined;
  if (status === 429) return retryAfter * 1000;
  return (status === 0 || status >= 500) && isRepeatable(call) ? pauseMs : undefined;
}

export function plainWire(call: ApiCall, key: string | undefined, { baseUrl, apiKey }: ClientEnvironment): WireCall {
  const body = call.body === undefined ? '' : JSON.stringify(call.body);
  return {
    method: call.method,
    url: baseUrl + call.path,
    headers: [
      ['X-Api-Key', apiKey],
      ...(body === '' ? [] : [['Content-Type', 'application/json'] as const]),
      ...(key === undefined ? [] : [['Idempotency-Key', key] as const]),
    ],
    body,
  };
}

/** A correct client that uses every operation. */
export function correctClient(): ClientSeams {
  return {
    shape: (call) => call,
    keyOf: (call, intent) => (takesKey(call) ? `${call.name} ${intent}` : undefined),
    wire: plainWire,
    exchange,
    retryAfterMs: againAfterMs,
    work: allCalls,
    afterwards: () => Promise.resolve(),
  };
}

/** Runs the client from its start to its end. */
export async function runProvingClient(seams: ClientSeams, environment: ClientEnvironment): Promise<void> {
  const intent = randomUUID();
  const api: ApiCaller = async (meant) => {
    const call = seams.shape(meant, environment);
    for (let attempt = 1; ; attempt++) {
      const key = seams.keyOf(call, intent, attempt);
      const answer = await seams.exchange(seams.wire(call, key, environment));
      const againMs = seams.retryAfterMs(call, answer, attempt);
      if (againMs === undefined) return answer;
      await pause(againMs);
    }
  };
  await seams.work(api, environment);
  await seams.afterwards(api, environment);
}

const phone = '+4930901820';
const otherPhone = '+49 30 901821';

async function allCalls(api: ApiCaller, { projectId, agentId }: ClientEnvironment): Promise<void> {
  const get = (name: string, path: string) => api({ name, method: 'GET', path });
  const post = (name: string, path: string, body?: Record<string, unknown>) =>
    api({ name, method: 'POST', path, ...(body && { body }) });
  await get('me', '/v1/me');
  await get('senders', '/v1/senders');
  await get('templates', '/v1/whatsapp/templates');
  const first = await post('contact', '/v1/contacts', {
    phone,
    firstName: 'Erika',
    lastName: 'Mustermann',
    email: 'erika@integrator.example',
    serviceConsent: true,
  });
  const second = await post('other-contact', '/v1/contacts', { phone: otherPhone, firstName: 'Max' });
  const [contactId, otherId] = [first, second].map(({ body }) => body.id);
  if (contactId !== undefined && otherId !== undefined) await write(api, { contactId, otherId, projectId });
  await plan(api);
  await post('subscription', '/v1/webhooks', {
    url: 'https://integrator.example/hooks',
    events: ['appointment.confirmed', 'appointment.cancelled'],
    description: 'Calendar',
  });
  await assistantsWork(api, { projectId, agentId });
}

async function write(
  api: ApiCaller,
  { contactId, otherId, projectId }: Record<'contactId' | 'otherId' | 'projectId', unknown>,
): Promise<void> {
  const post = (name: string, path: string, body: Record<string, unknown>) => api({ name, method: 'POST', path, body });
  await post('ready', '/v1/messages', {
    contactId,
    text: 'Your bicycle is ready.',
    purpose: 'service',
    channels: ['whatsapp', 'sms'],
  });
  await post('sale', '/v1/messages', { contactId: otherId, text: 'Everything must go.', purpose: 'marketing' });
  await post('fetch', '/v1/messages', { contactId, text: 'Please fetch it.', whatsApp: { template: 'order_ready' } });
  await post('thanks', '/v1/messages', { contactId: otherId, text: 'Thank you.', purpose: 'none' });
  await post('note', '/v1/notes', { contactId, title: 'Order 77', text: 'Paid in cash.' });
  await post('case-note', '/v1/notes', { projectId, text: 'Wants an invoice.' });
  await post('mail-in', '/v1/messages/log', {
    contactId,
    direction: 'in',
    channel: 'email',
    subject: 'My order',
    text: 'When may I come?',
    occurredAt: '2026-10-11T09:30:00Z',
    externalId: 'mail-1',
  });
  await post('mail-out', '/v1/messages/log', {
    contactId,
    direction: 'out',
    channel: 'email',
    text: 'Any day after nine.',
    externalId: 'mail-2',
  });
  await post('sms-in', '/v1/messages/log', {
    contactId: otherId,
    direction: 'in',
    channel: 'sms',
    text: 'I am late.',
    externalId: 'sms-1',
    ai: 'resume',
    notify: false,
  });
}

async function plan(api: ApiCaller): Promise<void> {
  const { body } = await api({
    name: 'visit',
    method: 'POST',
    path: '/v1/appointments',
    body: {
      phone,
      start: '2026-12-01T09:00:00Z',
      durationMinutes: 30,
      title: 'Consultation',
      kind: 'in_person',
      confirmed: false,
      externalId: 'cal-4711',
      metadata: { source: 'website' },
    },
  });
  if (typeof body.id !== 'number') return;
  const path = `/v1/appointments/${body.id}`;
  await api({ name: 'move', method: 'PATCH', path, body: { start: '2026-12-02T09:00:00Z', confirmed: true } });
  await api({ name: 'cancel', method: 'DELETE', path, body: { message: 'We are sorry.' } });
}

async function assistantsWork(
  api: ApiCaller,
  { projectId, agentId }: Pick<ClientEnvironment, 'projectId' | 'agentId'>,
): Promise<void> {
  const agent = `/v1/agents/${agentId}`;
  const project = `/v1/projects/${projectId}`;
  const post = (name: string, path: string, body?: Record<string, unknown>) =>
    api({ name, method: 'POST', path, ...(body && { body }) });
  await api({ name: 'agents', method: 'GET', path: '/v1/agents' });
  await api({ name: 'agent', method: 'GET', path: agent });
  await api({
    name: 'agent-change',
    method: 'PATCH',
    path: agent,
    body: {
      chatUrl: 'https://integrator.example/chat',
      voiceUrl: 'wss://integrator.example/voice',
      timeoutSeconds: 10,
      voiceId: '',
    },
  });
  await post('secret', `${agent}/secret`);
  await post('test', `${agent}/test`);
  await post('alert', `${project}/skills/urgent`, { note: 'Heating has failed.' });
  await post('second-alert', `${project}/skills/invoice`);
  await post('hello', `${project}/agent-replies`, { text: 'Good morning.' });
  await post('answer', `${project}/agent-replies`, { text: 'Yes, at ten.', action: 'none' });
  await post('skilled', `${project}/agent-replies`, {
    text: 'I tell them.',
    note: 'Is in a hurry.',
    executeSkills: ['complaint'],
    announcement: '',
  });
  await post('handover', `${project}/agent-replies`, { text: 'A colleague takes over.', action: 'handover' });
  await api({ name: 'transcript', method: 'GET', path: `${project}/messages` });
}
