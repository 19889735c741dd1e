import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { capturedSurfaces, type Capture } from '../../harness/capture/capture.ts';
import { readRecording } from '../../harness/capture/read-recording.ts';
import { sortRecording } from '../../harness/capture/sort-recording.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { serviceDeviations } from '../../suites/capture/service-deviations.ts';
import { callback, crmEvent } from './crm-cases.ts';
import { message, reply } from './chat-cases.ts';
import { apiKey, base, config, harOf, sample, signedHeaders, type HarEntry, type RecordedMessage } from './recorded.ts';
import { call, chat, hook } from './signed-cases.ts';

const directory = mkdtempSync(join(tmpdir(), 'svc-conform-capture-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const unconfigured: ResolvedConfig = { skills: [], stimuli: {}, service: { host: '127.0.0.1', port: 0 } };

function sorted(traffic: readonly RecordedMessage[], of: ResolvedConfig = config): Capture {
  const file = join(directory, 'recording.har');
  writeFileSync(file, harOf(traffic));
  return sortRecording(readRecording(file), of);
}

const everything = [
  crmEvent('FinishedCall', { status: 202 }),
  callback(),
  hook('appointment.created', { at: 30 }),
  message({}, { at: 40, status: 202 }),
  reply({ text: 'Hello' }, { at: 44 }),
  call([{ from: 'service', at: 0, value: sample.sessionStarted() }], { at: 50 }),
  { method: 'GET', url: `${base}/v1/me`, headers: { Authorization: `Bearer ${apiKey}` }, at: 60 },
];

describe('a recording', () => {
  it('is sorted without a config by headers, bodies and the addresses in events', () => {
    const capture = sorted(everything, unconfigured);
    expect(capturedSurfaces(capture)).toEqual([
      'crm-webhook',
      'api-webhooks',
      'own-ai-chat',
      'own-ai-phone',
      'api-client',
    ]);
    expect(capture.crm[0]?.later).toHaveLength(1);
    expect(capture.chat[0]?.later).toHaveLength(1);
    expect(capture.traffic?.exchanges.map(({ path }) => path)).toEqual(['/v1/projects/815/agent-replies', '/v1/me']);
    expect(capture.aside).toEqual([]);
    expect(serviceDeviations(capture)).toEqual([]);
  });

  it('skips traffic of other services, with the reason', () => {
    const capture = sorted([
      ...everything,
      { method: 'GET', url: 'https://fonts.example/a.woff', at: 1 },
      // Another service uses these paths, too, and expects its key in the same header.
      { url: 'https://api.other-ai.example/v1/messages', headers: { 'x-api-key': 'sk-other' }, body: {}, at: 2 },
      { method: 'GET', url: 'wss://chat.example/', at: 3, frames: [] },
    ]);
    expect(capture.aside).toEqual([
      { reason: { kind: 'other-traffic' }, entries: [8] },
      { reason: { kind: 'unproven-api', host: 'api.other-ai.example' }, entries: [9] },
      { reason: { kind: 'other-websocket' }, entries: [10] },
    ]);
    expect(capture.traffic?.exchanges).toHaveLength(2);
  });

  it('uses an address of the config for traffic without other features', () => {
    const unreadable: RecordedMessage = { ...crmEvent('Manual'), body: 'unreadable' };
    expect(sorted([unreadable]).crm).toHaveLength(1);
    expect(sorted([unreadable], unconfigured).crm).toHaveLength(0);
  });

  it('belongs to no client if the service accepted requests whose key was redacted', () => {
    const me = { method: 'GET', url: `${base}/v1/me`, at: 61, status: 200 };
    const key = { ...me, headers: { 'x-api-key': apiKey }, at: 60 };
    const credentialsOf = (traffic: RecordedMessage[]) =>
      sorted(traffic).traffic?.exchanges.map(({ credentials }) => credentials);
    expect(credentialsOf([key, me])).toEqual([undefined, 'hidden']);
    expect(credentialsOf([key, { ...me, status: 401 }])).toEqual([undefined, undefined]);
    expect(credentialsOf([{ ...key, headers: { 'x-api-key': '[redacted]' } }, reply({}), message()])).toContain(
      'hidden',
    );
  });
});

describe('whether a delivery is the service’s', () => {
  const standing = (traffic: RecordedMessage[], of = config) => {
    const { hooks, chat: messages, crm } = sorted(traffic, of);
    return [...hooks, ...messages, ...crm].map((delivery) => delivery.credential);
  };
  const other = hook('appointment.created', { at: 9, id: 'whd_9' });
  const altered = { ...other, headers: { ...other.headers, ...signedHeaders('{}', 9) } };

  it('is known from a valid signature, which also proves the bytes', () => {
    const unsized = (entry: HarEntry) => (entry.request.bodySize = -1);
    expect(standing([hook('appointment.created', { over: unsized })])).toEqual([{ is: 'authentic' }]);
  });

  it('is not known if the secret is missing or matches none of them', () => {
    expect(standing([other], unconfigured)).toEqual([{ is: 'unknown', why: 'the secret is not configured' }]);
    expect(standing([altered])).toEqual([{ is: 'unknown', why: 'no signature matches the configured secret' }]);
  });

  it('is excluded if the signatures of others match, and that of this one does not although its bytes are real', () => {
    const right = hook('appointment.created');
    const unfitting = { is: 'invalid', fault: 'unfitting' };
    expect(standing([right, altered])[1]).toEqual({
      is: 'unknown',
      why: 'the signed bytes may have been changed since',
    });
    expect(standing([right, { ...altered, status: 401 }])[1]).toEqual(unfitting);
    const again = { ...right, at: 9, headers: { ...right.headers, ...signedHeaders('{}', 9) } };
    expect(standing([right, again])[1]).toEqual(unfitting);
  });

  it.each([
    ['cut', (text: string) => text.slice(0, 40)],
    ['read in another encoding', (text: string) => text.replace('{', '{Ã¶')],
    ['missing', () => undefined],
  ])('is not known where the body is %s', (_, change) => {
    const spoil = ({ request }: HarEntry) => {
      const text = change(String(request.postData?.['text']));
      request.postData = text === undefined ? {} : { text };
    };
    expect(standing([hook('appointment.created'), { ...other, over: spoil }])[1]).toEqual({
      is: 'unknown',
      why: 'the recording does not contain the signed bytes',
    });
  });

  it('is not known from the time alone if the clock of the recorder may be wrong', () => {
    const old = { at: 9, id: 'whd_9' };
    const event = sample.apiWebhookEvent('appointment.created');
    const stale = {
      ...hook('appointment.created', old),
      body: event,
      headers: signedHeaders(event, 9, { offset: -900 }),
    };
    expect(standing([stale])).toEqual([{ is: 'unknown', why: 'the clock of the recorder may be wrong' }]);
    expect(standing([hook('appointment.created'), stale])[1]).toEqual({ is: 'invalid', fault: 'stale' });
  });

  it('is not recognised by a token that browsers omit or people redact', () => {
    const { headers: _, ...without } = crmEvent('Manual');
    expect(standing([without])).toEqual([{ is: 'unknown', why: 'the recording has no Authorization headers' }]);
    const redacted = { ...crmEvent('Manual'), headers: { authorization: 'Bearer [redacted]' } };
    expect(standing([redacted])).toEqual([{ is: 'unknown', why: 'the token is redacted in the recording' }]);
    const another = { ...crmEvent('Manual'), headers: { authorization: 'Bearer another' } };
    expect(standing([another])).toEqual([{ is: 'unknown', why: 'no event contains the configured token' }]);
  });
});

describe('a deviation of the service from its description', () => {
  const faults = (traffic: RecordedMessage[]) =>
    serviceDeviations(sorted(traffic)).map(
      ({ entry, surface, expected, received }) => `${entry} ${surface}: ${expected}: ${received}`,
    );

  it('is reported with its entry, but new fields are not', () => {
    expect(faults([message({ sentiment: 'glad' }, {}, { region: 'eu' })])).toEqual([]);
    expect(faults([message({ projectId: '815' })])).toEqual(['1 own-ai-chat: an integer at /data/projectId: "815"']);
    expect(faults([crmEvent('ConversationTagged' as never)])[0]).toMatch(
      /^1 crm-webhook: one of IncomingCallLookup, .* at \/eventType: "ConversationTagged"$/,
    );
  });

  it('is not reported for legacy numbers, nor for their names', () => {
    expect(faults([crmEvent(1)])).toEqual([]);
  });

  it('is reported for a bad signature, for headers that contradict the body, and for repetitions', () => {
    const event = { ...sample.ping() };
    const other = chat(event, { at: 3 });
    const contradicting = { ...other, headers: { ...other.headers, 'x-svc-event': 'message.received' } };
    expect(faults([chat(event), contradicting])).toEqual([
      '2 own-ai-chat: X-Svc-Event to be as in the body (ping): message.received',
      '2 own-ai-chat: an event to be sent once: 2 times',
    ]);
    const signature = { ...hook('appointment.created', { id: 'whd_2', at: 4 }), headers: { 'x-svc-signature': 't=1' } };
    expect(faults([hook('appointment.created'), signature])).toEqual([
      '2 api-webhooks: a signature with the secret: an X-Svc-Signature without v1',
    ]);
  });

  it('is not reported for points that the interface does not show', () => {
    const api = (method: string, path: string, status: number, answer: unknown): RecordedMessage => ({
      method,
      url: `${base}/v1/${path}`,
      headers: { 'x-api-key': apiKey },
      at: 1,
      status,
      answer,
    });
    const appointment = sample.apiWebhookEvent('appointment.finished').data;
    expect(
      faults([
        api('POST', 'contacts', 201, { id: 5 }),
        api('POST', 'messages', 202, {
          projectId: 1,
          contactId: 5,
          messageId: 9,
          status: 'sending',
          channel: 'telegram',
          senderId: 's',
          sentAsTemplate: false,
          waitingForReply: false,
          consentOverridden: false,
        }),
        api('POST', 'messages/log', 201, { projectId: 1, contactId: 5, messageId: 9, created: true, truncated: 'no' }),
        api('POST', 'appointments', 201, { ...appointment, status: 'requested', kind: 'phone', externalId: null }),
        api('PATCH', 'appointments/61', 200, {}),
        api('DELETE', 'appointments/61', 200, []),
        api('POST', 'webhooks', 201, { subscription: { id: 'sub_1' }, secret: 's' }),
        api('GET', 'projects/1/messages', 200, { items: [] }),
        api('GET', 'senders', 200, { items: [] }),
        api('GET', 'whatsapp/templates', 200, { items: [] }),
        api('GET', 'agents/3', 200, {
          agentId: 3,
          name: 'AI',
          timeoutSeconds: 10,
          hasSecret: true,
          skills: [{ id: 1 }],
        }),
        api('PATCH', 'agents/3', 200, { ok: true }),
        api('POST', 'agents/3/test', 200, { success: true }),
        hook('appointment.finished', {
          body: {
            ...sample.apiWebhookEvent('appointment.finished'),
            data: { ...appointment, status: 'finished', kind: 'phone' },
          },
        }),
      ]),
    ).toEqual([]);
    expect(faults([api('POST', 'contacts', 201, { id: '5' })])).toEqual(['1 api-client: an integer at /id: "5"']);
    expect(faults([api('POST', 'webhooks', 201, { subscription: {} })])).toEqual([
      '1 api-client: a field secret at /secret: (missing)',
    ]);
  });

  it('is reported for answers of the API that have another shape', () => {
    const me = { method: 'GET', url: `${base}/v1/me`, headers: { 'x-api-key': apiKey }, at: 1, status: 200 };
    expect(faults([{ ...me, answer: { workspaceId: 1, workspaceName: 'Shop', keyName: 'CRM' } }])).toEqual([]);
    expect(faults([{ ...me, answer: { workspaceId: 'one', workspaceName: 'Shop', keyName: 'CRM' } }])).toEqual([
      '1 api-client: an integer at /workspaceId: "one"',
    ]);
  });
});
