import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noOutbound } from '../../harness/wire/no-outbound.ts';
import { SimulatedService } from '../../service/simulated-service.ts';
import { apiClient } from '../../specs/requirements/api-client.ts';
import { readTraffic } from '../../suites/api-client/traffic.ts';
import { allRules, apiKey, traffic } from '../suites/api-exchanges.ts';

/** Tests the promise that the API accepts every request that the rules for clients accept. */
let service: SimulatedService;
beforeAll(async () => {
  service = await SimulatedService.open({
    outbound: noOutbound,
    rateLimit: false,
    inboxes: [{ apiKeys: { [apiKey]: 'Tests' } }],
  });
});
afterAll(() => service[Symbol.asyncDispose]());

interface Answered {
  status: number;
  json: Record<string, unknown>;
}

async function post(path: string, body: unknown, type = 'application/json'): Promise<Answered> {
  const response = await fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { 'X-Api-Key': apiKey, 'Content-Type': type },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

/** Binding rules (MUST or SHOULD) that the request breaks. */
function faults(path: string, body: unknown): string[] {
  const read = readTraffic(traffic({ path, body }));
  return allRules
    .filter(({ requirement }) => apiClient[requirement].level !== 'advice')
    .filter(({ judge }) => judge(read).some(({ finding }) => finding !== undefined))
    .map(({ requirement }) => requirement);
}

const separator = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '\u00a0',
  '\u202f',
  '-',
  '\u2011',
  '\u2013',
  '.',
  '/',
  ' (',
  ') ',
  ' (0)',
);
const phone = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), separator), { minLength: 2, maxLength: 15 }),
    fc.constantFrom('+', '+', '+', '00', '0', ''),
    fc.constantFrom('', '', '', ' ext. 12', ';ext=7', ' x 34', ' or so'),
  )
  .map(([digits, lead, end]) => lead + digits.map(([digit, between]) => `${digit}${between}`).join('') + end);

const two = (most: number) => fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, '0'));
const day = fc.oneof(
  fc.tuple(two(13), two(32), fc.constantFrom('-', '')).map(([month, date, dash]) => ['2026', month, date].join(dash)),
  fc
    .tuple(two(54), fc.integer({ min: 0, max: 8 }), fc.constantFrom('-', ''))
    .map(([w, d, dash]) => `2026${dash}W${w}${dash}${d}`),
  fc
    .tuple(fc.integer({ min: 0, max: 367 }), fc.constantFrom('-', ''))
    .map(([n, dash]) => `2026${dash}${String(n).padStart(3, '0')}`),
);
const clock = fc
  .tuple(
    two(25),
    two(60),
    two(61),
    fc.constantFrom(':', ''),
    fc.integer({ min: 1, max: 3 }),
    fc.constantFrom('', '', '.5', ',25'),
  )
  .map(([h, m, s, colon, parts, fraction]) => [h, m, s].slice(0, parts).join(colon) + fraction);
const zone = fc.constantFrom('', 'Z', 'z', '+00:00', '-00', '+0000', '+02:00', '-0530', '+02', 'CET');
const time = fc.tuple(day, fc.constantFrom('T', 'T', 't', ' '), clock, zone).map((parts) => parts.join(''));
const text = fc.constantFrom('', 'Your bicycle is ready.');
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const requests: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
  '/v1/contacts': fc.record({ phone, firstName: optional(text), email: optional(fc.constantFrom('', 'a@b.example')) }),
  '/v1/messages': fc.record({
    phone,
    email: optional(fc.constant('')),
    text: optional(text),
    purpose: optional(fc.constantFrom('none', 'service', 'other')),
    channels: optional(fc.constantFrom([], ['whatsapp'], ['sms', 'whatsapp'], ['fax'])),
    whatsApp: optional(fc.constantFrom({}, { template: '' }, { template: 'order_ready' }, { template: { id: 7 } })),
  }),
  '/v1/messages/log': fc.record({
    target: phone.map((one) => ({ phone: one, email: '' })),
    direction: fc.constantFrom('in', 'out', 'inbound'),
    channel: fc.constantFrom('email', 'sms', 'fax'),
    text,
    subject: optional(text),
    occurredAt: optional(fc.oneof(day, time)),
    externalId: optional(fc.constantFrom('', 'mail-1')),
  }),
  '/v1/notes': fc.record({ phone, title: optional(text), text }),
  '/v1/appointments': fc.record({
    phone,
    start: fc.oneof(time, time, day),
    durationMinutes: optional(fc.integer({ min: 1, max: 10_000 })),
    title: optional(text),
    kind: optional(fc.constantFrom('in_person', '', 'video')),
    externalId: optional(text),
  }),
};

describe('the simulated API accepts what the client rules accept', () => {
  it.each(Object.entries(requests))('%s', async (path, arbitrary) => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(arbitrary, async (body) => {
        const found = faults(path, body);
        if (found.length > 0) return;
        accepted++;
        const { status, json } = await post(path, body);
        expect(status, `${JSON.stringify(body)}: ${String(json.detail)}`).toBeLessThan(300);
      }),
      { numRuns: 400, seed: 14 },
    );
    // Otherwise the property would be vacuous.
    expect(accepted).toBeGreaterThan(30);
  });

  it('and refuses a phone number or time that they refuse', async () => {
    for (const [path, body] of [
      ['/v1/contacts', { phone: '030 901820' }],
      ['/v1/contacts', { phone: '+49 30 901820 or so' }],
      ['/v1/appointments', { phone: '+4930901820', start: '2026-12-01T09:00:00+01:00' }],
      ['/v1/appointments', { phone: '+4930901820', start: '2026-12-01' }],
      [
        '/v1/messages/log',
        { phone: '+4930901820', direction: 'in', channel: 'sms', text: 'x', occurredAt: '11.10.2026' },
      ],
    ] as const) {
      expect([faults(path, body).length > 0, (await post(path, body)).status], JSON.stringify(body)).toEqual([
        true,
        400,
      ]);
    }
  });

  it('in any media type of JSON', async () => {
    const body = { phone: '+4930901820' };
    for (const type of ['application/json; charset=utf-8', 'application/vnd.integrator+json']) {
      expect((await post('/v1/contacts', body, type)).status).toBeLessThan(300);
    }
    expect((await post('/v1/contacts', body, 'text/plain')).status).toBe(415);
  });
});

describe('finds one contact for every form of its number', () => {
  it.each([
    '+49 30 901820',
    '+49 (0)30 901820',
    '+49\u00a030\u00a0901820',
    '+49 30 \u2013 901820',
    '+49\u201130\u2011901820',
    '+49/30/901820',
    '+49 30 901820 ext. 12',
    '+49 30 901820;ext=12',
  ])('%s', async (written) => {
    const first = await post('/v1/contacts', { phone: '+4930901820' });
    expect((await post('/v1/contacts', { phone: written })).json).toMatchObject({
      id: first.json.id,
      phone: '+4930901820',
    });
    expect((await post('/v1/notes', { phone: written, text: 'x' })).json.contactId).toBe(first.json.id);
  });
});

describe('stores a time as its moment', () => {
  it.each([
    ['20261201T090000Z', '2026-12-01T09:00:00'],
    ['2026-12-01T09Z', '2026-12-01T09:00:00'],
    ['2026-12-01T09.5Z', '2026-12-01T09:30:00'],
    ['20261201T0930+0000', '2026-12-01T09:30:00'],
    ['2026-12-01t09:30:15,9-00', '2026-12-01T09:30:15'],
    ['2026-W49-2T09:00', '2026-12-01T09:00:00'],
    ['2026335T0900Z', '2026-12-01T09:00:00'],
    ['2026-11-30T24:00Z', '2026-12-01T00:00:00'],
  ])('%s', async (start, stored) => {
    expect((await post('/v1/appointments', { phone: '+4930901820', start })).json).toMatchObject({ start: stored });
  });
});
