import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startIntegrator } from '../../examples/integrator/server.ts';
import { Connection } from '../../diagnosis/connection.ts';
import { diagnose, isPassed } from '../../diagnosis/diagnose.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { DiagnosedSurface, Diagnosis } from '../../specs/generated/types.ts';
import { startReceiver, type Receive, type Received, type Reply } from './receiver.ts';

const secret = 'whsec_of-the-whole-diagnosis';
const token = 'token-of-the-whole-diagnosis';
const apiKey = 'svc_sk_of-the-whole-diagnosis';
const path = '/hook';

type Verdict = 'passed' | 'cause' | 'something';

/** One connection, checked by all probes unchanged. */
async function looked(surface: DiagnosedSurface, url: string, withinMs = 60_000): Promise<Diagnosis> {
  const endpoints: Record<DiagnosedSurface, Partial<ResolvedConfig>> = {
    'own-ai-chat': { chat: { url, secret, timeoutSeconds: 2 } },
    'own-ai-phone': { phone: { url, secret, timeoutSeconds: 2 } },
    'crm-webhook': { crmWebhook: { url, token } },
    'api-webhooks': { apiWebhooks: { url, secret } },
  };
  const service = { host: '127.0.0.1', port: 0, apiKey };
  const config = { skills: [], stimuli: {}, service, ...endpoints[surface] };
  await using connection = await Connection.open(surface, config, { seed: 11, withinMs });
  return await diagnose(connection);
}

function verdictOf(diagnosis: Diagnosis): Verdict {
  if (diagnosis.cause) return 'cause';
  return isPassed(diagnosis) ? 'passed' : 'something';
}

/** Whether a delivery is signed according to the interface (Authentication), with `key`. */
function isSigned({ headers, body }: Received, key = secret): boolean {
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-svc-signature'])) ?? [];
  if (t === '' || Math.abs(Date.now() / 1000 - Number(t)) > 300) return false;
  return createHmac('sha256', key).update(`${t}.`).update(body).digest('hex') === v1;
}

const another = 'whsec_that-nobody-has-entered';
const taken = { status: 200, body: '{}', headers: { 'Content-Type': 'application/json' } };

/** Accepts only deliveries that are signed with another secret than the configured one. */
const wrongSecret =
  (refusal: Reply): Receive =>
  (request) =>
    request.path === path && isSigned(request, another) ? taken : refusal;
const wrongToken =
  (refusal: Reply): Receive =>
  ({ path: asked, headers }) =>
    asked === path && headers.authorization === `Bearer ${another}` ? taken : refusal;

async function ofReceiver(surface: DiagnosedSurface, receive: Receive, withinMs?: number): Promise<Diagnosis> {
  await using receiver = await startReceiver(receive);
  return await looked(surface, `${receiver.origin}${path}`, withinMs);
}

const idsOf = ({ suspects }: Diagnosis) => suspects.map(({ id }) => id);

describe.concurrent('a whole diagnosis', { timeout: 90_000 }, () => {
  it.each(['own-ai-chat', 'own-ai-phone', 'crm-webhook', 'api-webhooks'] as const)(
    'finds nothing wrong with a right endpoint: %s',
    async (surface) => {
      const options = { crmToken: token, hookSecret: secret, agentSecret: secret, apiKey, log: () => undefined };
      const integrator = await startIntegrator(options);
      const urls = {
        'own-ai-chat': integrator.chatUrl,
        'own-ai-phone': integrator.voiceUrl,
        'crm-webhook': integrator.crmUrl,
        'api-webhooks': integrator.hooksUrl,
      };
      try {
        const diagnosis = await looked(surface, urls[surface]);
        expect({ cause: diagnosis.cause, suspects: diagnosis.suspects }).toEqual({ cause: null, suspects: [] });
        expect(verdictOf(diagnosis)).toBe('passed');
        const shown = diagnosis.stages.filter(({ result }) => result === 'passed').map(({ name }) => name);
        expect(shown).toEqual(expect.arrayContaining(['http', 'authentication', 'protocol']));
      } finally {
        await integrator.close();
      }
    },
  );

  it.each<[string, Reply, string[]]>([
    ['with 401', { status: 401, body: '{"error":"unauthorized"}' }, []],
    ['with an empty 404, as unknown paths', { status: 404 }, ['http/path-not-found']],
    ["with Go's page for unknown paths", { status: 404, body: '404 page not found\n' }, ['http/path-not-found']],
    ['with 500, as unknown paths', { status: 500, body: '{"error":"internal"}' }, ['http/application-fails']],
    ['by closing the connection', 'drop', ['http/closes']],
  ])('suspects a wrong secret among others if it is refused %s', async (_, refusal, besides) => {
    const diagnosis = await ofReceiver('api-webhooks', wrongSecret(refusal));
    expect(diagnosis.cause).toBeNull();
    expect(verdictOf(diagnosis)).toBe('something');
    expect(idsOf(diagnosis)).toEqual(expect.arrayContaining(['signature/other-secret', ...besides]));
  });

  it.each<[string, Reply, string[]]>([
    ['with 401', { status: 401 }, []],
    ['with an empty 404, as unknown paths', { status: 404 }, ['http/path-not-found']],
    ['with 500, as unknown paths', { status: 500 }, ['http/application-fails']],
  ])('suspects a wrong token among others if it is refused %s', async (_, refusal, besides) => {
    const diagnosis = await ofReceiver('crm-webhook', wrongToken(refusal));
    expect(diagnosis.cause).toBeNull();
    expect(verdictOf(diagnosis)).toBe('something');
    expect(idsOf(diagnosis)).toEqual(expect.arrayContaining(['token/another-token', ...besides]));
  });

  it.each(['own-ai-chat', 'api-webhooks'] as const)('does not pass an inverted check: %s', async (surface) => {
    const diagnosis = await ofReceiver(surface, (request) => (isSigned(request) ? { status: 401 } : taken));
    expect(verdictOf(diagnosis)).not.toBe('passed');
  });

  it('takes no lock for the reason if valid signatures were refused before any forged one', async () => {
    let valid = 0;
    const diagnosis = await ofReceiver('api-webhooks', (request) =>
      isSigned(request) && ++valid === 2 ? taken : { status: 401 },
    );
    expect(diagnosis.cause).toBeNull();
    expect(idsOf(diagnosis)).toContain('signature/not-always-the-same');
    expect(idsOf(diagnosis)).not.toContain('signature/locks-out');
  });

  it.each(['own-ai-chat', 'api-webhooks'] as const)(
    'finds nothing wrong if only unreadable signatures are refused with 400: %s',
    async (surface) => {
      const diagnosis = await ofReceiver(surface, (request) => {
        if (!/^t=\d+,v1=[0-9a-f]{64}$/.test(String(request.headers['x-svc-signature']))) return { status: 400 };
        if (!isSigned(request)) return { status: 401 };
        return surface === 'api-webhooks' ? taken : { ...taken, body: '{"text":"Yes.","action":"none"}' };
      });
      expect({ cause: diagnosis.cause, suspects: diagnosis.suspects }).toEqual({ cause: null, suspects: [] });
    },
  );

  it('finds the inverted check of a token', async () => {
    const diagnosis = await ofReceiver('crm-webhook', ({ headers }) =>
      headers.authorization === `Bearer ${token}` ? { status: 401 } : taken,
    );
    expect(diagnosis.cause?.id).toBe('token/inverted');
  });

  it('detects that nothing is checked, although one body is refused', async () => {
    const diagnosis = await ofReceiver('api-webhooks', ({ body }) => (body[0] === 0x7b ? taken : { status: 400 }));
    expect(diagnosis.cause?.id).toBe('signature/not-checked');
  });

  it('detects that nothing answers', async () => {
    const diagnosis = await ofReceiver('own-ai-chat', () => 'silence');
    expect(diagnosis).toMatchObject({ stage: 'http', cause: { id: 'http/silent' } });
  });
});
