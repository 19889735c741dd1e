import { signatureHeader } from '../../specs/signing.ts';
import type { RuleCase } from './rule-case.ts';
import { addresses, began, sample, secret, signedHeaders, textOf, type RecordedMessage } from './recorded.ts';

type Surface = 'api-webhooks' | 'own-ai-chat' | 'own-ai-phone';

/** An appointment event of the service, signed at the time of sending. */
export function hook(type: string, traffic: Partial<RecordedMessage> & { id?: string } = {}): RecordedMessage {
  const { id = 'whd_1', ...rest } = traffic;
  const event = { ...sample.apiWebhookEvent(), type };
  const at = rest.at ?? 0;
  return {
    url: addresses.hooks,
    body: event,
    at,
    headers: { 'X-Svc-Delivery-Id': id, ...signedHeaders(event, at) },
    ...rest,
  };
}

/** A chat event of the service, signed at the time of sending. */
export function chat(event: Record<string, unknown>, traffic: Partial<RecordedMessage> = {}): RecordedMessage {
  const at = traffic.at ?? 0;
  const headers = {
    'x-svc-event': String(event['type']),
    'x-svc-delivery-id': String(event['id']),
    'x-svc-agent-protocol': String(event['protocol']),
    ...signedHeaders(event, at),
  };
  return { url: addresses.chat, body: event, at, headers, status: 204, ...traffic };
}

/** A call that was established, with these frames. */
export function call(
  frames: RecordedMessage['frames'] & object,
  traffic: Partial<RecordedMessage> = {},
): RecordedMessage {
  const at = traffic.at ?? 0;
  const callId = 'call_42';
  const headers = { 'x-svc-call-id': callId, ...signedHeaders(callId, at) };
  return { method: 'GET', url: addresses.phone, at, headers, status: 101, frames, ...traffic };
}

const ofSurface = {
  'api-webhooks': (traffic: Partial<RecordedMessage>) =>
    hook('appointment.created', { id: `whd_${traffic.at ?? 0}`, ...traffic }),
  'own-ai-chat': (traffic: Partial<RecordedMessage>) => chat({ ...sample.messageReceived() }, traffic),
  'own-ai-phone': (traffic: Partial<RecordedMessage>) =>
    call([{ from: 'ai', at: 1, value: { type: 'text', text: 'Hello', last: true } }], traffic),
} satisfies Record<Surface, (traffic: Partial<RecordedMessage>) => RecordedMessage>;

/** The header for each fault of a signature. */
const faults: readonly [
  slug: string,
  write: (right: { t: number; v1: string; signed: string }) => string | undefined,
][] = [
  ['refuses-missing-signature', () => undefined],
  ['refuses-empty-signature', () => ''],
  ['refuses-garbage-signature', () => 'signature'],
  ['refuses-timestamp-only', ({ t }) => `t=${t}`],
  ['refuses-v1-only', ({ v1 }) => `v1=${v1}`],
  ['refuses-short-v1', ({ t, v1 }) => `t=${t},v1=${v1.slice(0, 32)}`],
  ['refuses-long-v1', ({ t, v1 }) => `t=${t},v1=${v1}00`],
  ['refuses-non-hex-v1', ({ t, v1 }) => `t=${t},v1=${v1.slice(0, 63)}z`],
  ['refuses-stale-timestamp', ({ t, signed }) => signatureHeader({ secret, t: t - 900, body: signed })],
  ['refuses-future-timestamp', ({ t, signed }) => signatureHeader({ secret, t: t + 900, body: signed })],
  ['refuses-other-secret', ({ t, signed }) => signatureHeader({ secret: 'whsec_another', t, body: signed })],
];

function spoilt(surface: Surface, write: (typeof faults)[number][1], status: number): RecordedMessage[] {
  const right = ofSurface[surface]({ at: 0, ...(surface !== 'own-ai-phone' && { status: 200 }) });
  // The same delivery with a valid signature shows that its bytes were recorded unchanged.
  const wrong = { ...right, at: 9, status };
  const signed = surface === 'own-ai-phone' ? 'call_42' : textOf(wrong.body);
  const t = began / 1000 + 9;
  const v1 = signatureHeader({ secret, t, body: signed }).slice(-64);
  const value = write({ t, v1, signed });
  const { 'x-svc-signature': _, ...others } = wrong.headers ?? {};
  const isTaken = status === 101 || status < 300;
  return [
    right,
    {
      ...wrong,
      headers: { ...others, ...(value !== undefined && { 'x-svc-signature': value }) },
      ...(!isTaken && surface === 'own-ai-phone' && { frames: [] }),
    },
  ];
}

const writeOf = (slug: string) => faults.find(([name]) => name === slug)?.[1] ?? (() => '');
const garbage = writeOf('refuses-garbage-signature');
const otherSecret = writeOf('refuses-other-secret');

/** The rules about signatures, for one surface. */
export function signedCases(surface: Surface): RuleCase[] {
  const taken = surface === 'own-ai-phone' ? 101 : 200;
  const one = (slug: string, right: number, wrong: number, write = garbage): RuleCase => ({
    requirement: `${surface}/${slug}`,
    right: spoilt(surface, write, right),
    wrong: spoilt(surface, write, wrong),
  });
  return [
    {
      requirement: `${surface}/accepts-valid-signature`,
      right: [ofSurface[surface]({ status: taken })],
      wrong: [ofSurface[surface]({ status: 401, ...(surface === 'own-ai-phone' && { frames: [] }) })],
    },
    ...faults.map(([slug, write]): RuleCase => ({
      requirement: `${surface}/${slug}`,
      right: spoilt(surface, write, 401),
      wrong: spoilt(surface, write, taken),
    })),
    ...(surface === 'own-ai-phone'
      ? [one('refuses-with-4xx', 403, 101)]
      : [
          one('refuses-with-401', 401, 400, otherSecret),
          one('refuses-with-4xx-if-unreadable', 400, 302),
          one('refuses-with-401-if-unreadable', 401, 400),
          one('bad-signature-is-answered', 401, 500),
        ]),
  ];
}

const types = ['created', 'confirmed', 'rescheduled', 'cancelled', 'finished', 'reminder_sent'];

export const hookCases: readonly RuleCase[] = [
  ...signedCases('api-webhooks'),
  ...types.map((type): RuleCase => ({
    requirement: 'api-webhooks/accepts-every-event-type',
    title: new RegExp(`^appointment.${type} `),
    right: [hook(`appointment.${type}`)],
    wrong: [hook(`appointment.${type}`, { status: 500 })],
  })),
  {
    requirement: 'api-webhooks/accepts-later-event-type',
    right: [hook('appointment.no_show')],
    wrong: [hook('appointment.no_show', { status: 400 })],
  },
  {
    requirement: 'api-webhooks/answers-200',
    right: [hook('appointment.created')],
    wrong: [hook('appointment.created', { status: 201 })],
  },
  {
    requirement: 'api-webhooks/accepts-redelivery',
    right: [hook('appointment.created'), hook('appointment.created', { at: 5 })],
    wrong: [hook('appointment.created'), hook('appointment.created', { at: 5, status: 409 })],
  },
];
