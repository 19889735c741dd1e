import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, test } from 'vitest';
import type { Cause } from '../../diagnosis/cause.ts';
import { causes as catalogue, type CauseId } from '../../diagnosis/causes.ts';
import { Connection } from '../../diagnosis/connection.ts';
import { detectFramework } from '../../diagnosis/detect-framework.ts';
import { codeLines } from '../../diagnosis/format-note-file.ts';
import { adviseCall } from '../../diagnosis/framework-call.ts';
import { frameworkCalls } from '../../diagnosis/framework-calls.ts';
import { selectSnippets } from '../../diagnosis/select-snippets.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { frameworks, type FrameworkName } from '../../diagnosis/snippet-code.ts';
import { smallEndpoint } from '../bin/small-endpoint.ts';

const causes: Readonly<Record<CauseId, Cause>> = catalogue;
const ids = Object.keys(causes) as CauseId[];
const names = Object.keys(frameworks) as FrameworkName[];

describe('the call that a cause names', () => {
  it.each(names)('is in each snippet for %s that the cause shows', async (name) => {
    const { file } = frameworks[name];
    const named = frameworkCalls.flatMap(({ calls, isSetting, ...group }) => {
      const { [name]: call } = calls;
      return call === undefined || isSetting ? [] : [{ ...group, call }];
    });
    for (const { causes: pattern, surfaces, call } of named) {
      const topics = ids
        .filter((id) => pattern.test(id))
        .flatMap((id) => [...selectSnippets({ ...causes[id], ...(surfaces && { surfaces }) }).keys()]);
      // A group for every surface is about the code of the usual one; that of others has the same purpose with other bytes.
      const isOther = (topic: string) => topic === 'verify-call' || topic === 'accept-any-event';
      const compared = [...new Set(topics)].filter((topic) => surfaces !== undefined || !isOther(topic));
      expect(compared.length, call).toBeGreaterThan(0);
      for (const topic of compared) {
        const code = await readFile(new URL(`../../diagnosis/snippets/${topic}/${file}`, import.meta.url), 'utf8');
        for (const part of call.split('…')) expect(code, topic).toContain(part.trim());
      }
    }
    expect(named.length).toBeGreaterThan(10);
  });

  const comparisons = frameworkCalls.flatMap(({ act, calls: { Express, Fastify } }) =>
    [Express, Fastify].flatMap((call) => (call?.startsWith('timingSafeEqual') ? [[act, call] as const] : [])),
  );
  it.each(comparisons)(
    'to "%s" accepts only the whole value, and refuses others without an exception: %s',
    (_, call) => {
      const hash = (text: string) => createHash('sha256').update(text).digest();
      const isAccepted = (given: string) => {
        const request = { get: () => given, headers: { authorization: given } };
        return runInNewContext(call, {
          Buffer,
          expected: hash('Bearer abc'),
          hash,
          request,
          timingSafeEqual,
          v1: given,
        });
      };
      expect(isAccepted('Bearer abc')).toBe(true);
      for (const given of ['', 'Bearer ab', 'Bearer abcd', 'bearer abc', 'abc'])
        expect(isAccepted(given), given).toBe(false);
    },
  );

  it.each(['payload/ping', 'payload/unknown-caller'] as const)('is not one for events without a use: %s', (id) => {
    for (const surface of catalogue[id].surfaces) expect(adviseCall(id, surface, { name: 'Express' })).toBeUndefined();
  });

  test.each(frameworkCalls.map((group) => [group.act, group] as const))(
    'to "%s" belongs to causes that exist, and to one group for each surface',
    (_, { causes: pattern, surfaces: own }) => {
      const places = ids
        .filter((id) => pattern.test(id))
        .flatMap((id) => (own ?? causes[id].surfaces).map((surface) => [id, surface] as const));
      expect(places.length).toBeGreaterThan(1);
      for (const [id, surface] of places) {
        const groups = frameworkCalls.filter(
          ({ causes: other, surfaces }) => other.test(id) && surfaces?.includes(surface) !== false,
        );
        expect(groups, `${id} on ${surface}`).toHaveLength(1);
      }
    },
  );

  it('states where the framework was recognised, unless it was chosen', () => {
    expect(adviseCall('signature/body-compact', 'own-ai-chat', { name: 'PHP', sign: 'header X-Powered-By' })).toBe(
      "The header X-Powered-By suggests PHP: read the raw body with file_get_contents('php://input').",
    );
    expect(adviseCall('signature/body-compact', 'own-ai-chat', { name: 'Flask' })).toBe(
      'In Flask: read the raw body with request.get_data(), before anything reads request.json or request.form.',
    );
  });

  it('is the one of the surface', () => {
    const call = (surface: 'own-ai-chat' | 'own-ai-phone') =>
      adviseCall('signature/body-alone', surface, { name: 'Go' });
    expect(call('own-ai-chat')).toBe('In Go: build the signed content with mac.Write([]byte(parts[1] + ".")).');
    expect(call('own-ai-phone')).toBe('In Go: build the signed content with parts[1] + "." + callID.');
  });

  it.each(['signature/locks-out', 'signature/body-not-covered', 'signature/hex-until-foreign', 'tls/expired'] as const)(
    'is none for %s, which no call decides',
    (id) => {
      expect(adviseCall(id, 'own-ai-chat', { name: 'Express' })).toBeUndefined();
    },
  );

  it('is none where the call of this framework does not suffice', () => {
    expect(adviseCall('signature/as-far-as-sent', 'own-ai-chat', { name: 'Fastify' })).toBeUndefined();
    expect(adviseCall('signature/as-far-as-sent', 'own-ai-chat', { name: 'PHP' })).toContain('hash_equals');
  });
});

it('has a heading that calls the fix of a possible cause no more than that', () => {
  const code = { framework: 'Flask', text: 'pass' };
  const certain = { id: 'tls/expired', summary: '', remediation: '' };
  expect(codeLines({ cause: certain, code })[1]).toBe('Code that does it correctly in Flask:');
  expect(codeLines({ cause: null, code: { ...code, sign: 'header Server' } })[1]).toBe(
    'Code for the first possible cause in Flask, since the header Server suggests Flask:',
  );
});

describe('the framework of an endpoint', () => {
  const answer = (headers: Record<string, string>, body = '') => ({ headers: Object.entries(headers), body });

  it.each<[FrameworkName, ReturnType<typeof answer>]>([
    ['Express', answer({ 'x-powered-by': 'Express' })],
    ['Express', answer({}, '<body>\n<pre>Cannot POST /chat-x</pre>')],
    ['Fastify', answer({}, '{"message":"Route POST:/x not found","error":"Not Found","statusCode":404}')],
    ['Flask', answer({ Server: 'Werkzeug/3.1.3 Python/3.12.3' })],
    ['FastAPI', answer({ server: 'uvicorn' })],
    ['PHP', answer({ 'X-Powered-By': 'PHP/8.4.1' })],
    ['PHP', answer({ Server: 'Apache/2.4.62 (Debian) PHP/8.2.24' })],
    [
      'Spring',
      answer({}, '{"timestamp":"2026-10-11T12:00:00.000+00:00","status":404,"error":"Not Found","path":"/x"}'),
    ],
    ['ASP.NET', answer({ Server: 'Kestrel' })],
  ])('is %s', (name, one) => {
    expect(detectFramework([answer({ server: 'nginx' }), one])?.name).toBe(name);
  });

  it('is an example where the server shows only the language', () => {
    const framework = detectFramework([answer({ server: 'Python/3.12 aiohttp/3.9.5' })]);
    expect(framework).toEqual({ name: 'Flask', sign: 'header Server', language: 'Python' });
    expect(framework && adviseCall('signature/body-base64', 'api-webhooks', framework)).toMatch(
      /^The header Server suggests Python, in Flask for example: read the raw body with request\.get_data\(\)/,
    );
    const code = { framework: 'Flask', sign: 'header Server', language: 'Python', text: 'pass' };
    expect(codeLines({ cause: null, code })[1]).toMatch(/ in Flask, since the header Server suggests Python:$/);
  });

  it('is unknown without a sign, and with the signs of two', () => {
    expect(detectFramework([answer({ server: 'nginx' }, 'Express PHP/8 Werkzeug')])).toBeUndefined();
    expect(detectFramework([answer({ 'x-powered-by': 'Express' }), answer({ server: 'Kestrel' })])).toBeUndefined();
    // Traefik and other proxies written in Go answer unknown paths with it.
    expect(detectFramework([answer({}, '404 page not found\n')])).toBeUndefined();
  });

  it('is known until the end of a diagnosis whose first answers reveal it', async () => {
    await using endpoint = await smallEndpoint(({ headers }) =>
      headers['x-svc-delivery-id'] === 'first' ? { status: 404, body: '{"detail":"Not Found"}' } : { status: 401 },
    );
    const config: ResolvedConfig = {
      apiWebhooks: { url: endpoint.url, secret: 'whsec_Kx7mQp2Vw9Zt4Bn8Rc' },
      skills: [],
      stimuli: {},
      service: { host: '127.0.0.1', port: 0 },
    };
    await using connection = await Connection.open('api-webhooks', config, { seed: 1, withinMs: 60_000 });
    const ask = async (id: string) => {
      const headers: [string, string][] = [['X-Svc-Delivery-Id', id]];
      return await connection.ask(() => ({ method: 'POST', url: endpoint.url, headers, body: Buffer.of() }), {
        label: id,
      });
    };
    const first = await ask('first');
    const later = await ask('later');
    while (connection.exchanges.includes(first)) connection.keep(later);
    expect(connection.frameworkSigns.framework).toEqual({ name: 'FastAPI', sign: 'error page' });
  });
});
