import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createPlainServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { Connection } from '../../diagnosis/connection.ts';
import type { StageNotes, StageOutcome } from '../../diagnosis/stages/stage.ts';
import { httpStage } from '../../diagnosis/stages/http-stage.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import { listening } from '../server-fixture.ts';
import { makeCertificate } from '../tls/make-certificate.ts';

const secret = 'whsec_for-the-http-tests';

interface Looked extends StageOutcome {
  notes: StageNotes;
  deliveries: number;
}

async function lookAt(surface: DiagnosedSurface, server: Server, path = '/in'): Promise<Looked> {
  await using running = await listening(server);
  const url = `http://${running.host}${path}`;
  const endpoints: Record<DiagnosedSurface, Partial<ResolvedConfig>> = {
    'own-ai-chat': { chat: { url, secret, timeoutSeconds: 2 } },
    'own-ai-phone': { phone: { url: url.replace('http', 'ws'), secret, timeoutSeconds: 2 } },
    'crm-webhook': { crmWebhook: { url, token: secret } },
    'api-webhooks': { apiWebhooks: { url, secret } },
  };
  const config = { skills: [], stimuli: {}, service: { host: '127.0.0.1', port: 0 }, ...endpoints[surface] };
  await using connection = await Connection.open(surface, config, { seed: 1, withinMs: 30_000 });
  const notes: StageNotes = { addresses: ['127.0.0.1'], doubts: [] };
  return { ...(await httpStage(connection, notes)), notes, deliveries: connection.deliveries };
}

const says =
  (status: number, body = '', headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
const isSigned = ({ headers }: IncomingMessage) => headers['x-svc-signature'] !== undefined;
const hooks = (listener: RequestListener, path?: string) => lookAt('api-webhooks', createServer(listener), path);
const chat = (listener: RequestListener) => lookAt('own-ai-chat', createServer(listener));
const phone = (listener: RequestListener) => lookAt('own-ai-phone', createServer(listener));
/** Routes by path and method, with its own page for the rest, like Express. */
const routed =
  (path: string, handle: RequestListener): RequestListener =>
  (request, response) => {
    if (request.url === path && request.method === 'POST') return handle(request, response);
    return says(404, `<pre>Cannot ${request.method} ${request.url}</pre>`, { 'Content-Type': 'text/html' })(
      request,
      response,
    );
  };

describe.concurrent('the component that answers a delivery', () => {
  it.each<[string, string, RequestListener, string, RegExp]>([
    [
      'a redirect',
      'http/redirects',
      says(308, '', { Location: 'https://www.example.org/in' }),
      '/in',
      /www\.example\.org/,
    ],
    [
      'a redirect to the slash',
      'http/redirects',
      says(301, '', { Location: '/in/' }),
      '/in',
      /only difference is the trailing slash/,
    ],
    ['a login', 'http/redirects-to-login', says(302, '', { Location: '/users/sign_in?next=%2Fin' }), '/in', /sign_in/],
    ['a path that the router does not have', 'http/path-not-found', routed('/other', says(200)), '/in', /no \/in/],
    ['a path but for its slash', 'http/path-not-found', routed('/in', says(401)), '/in/', /it has \/in\./],
    [
      'a method that is not allowed',
      'http/method-not-allowed',
      says(405, '', { Allow: 'GET, HEAD' }),
      '/in',
      /GET, HEAD/,
    ],
    ['a media type', 'http/media-type-refused', says(415), '/in', /application\/json/],
    ['a limit of the body', 'http/too-large', says(413), '/in', /413/],
    ['a missing length', 'http/length-wanted', says(411), '/in', /411/],
    ['a proxy without its application', 'http/gateway', says(502, '<center>nginx</center>'), '/in', /502/],
    ['a content delivery network without its server', 'http/gateway', says(522), '/in', /Cloudflare/],
    ['a closed tunnel', 'http/tunnel-closed', says(404, '', { 'Ngrok-Error-Code': 'ERR_NGROK_3200' }), '/in', /ngrok/],
    ['a host without an application', 'http/no-such-app', says(404, '<title>No such app</title>'), '/in', /Heroku/],
    ['a browser challenge', 'http/bot-check', says(403, '', { 'cf-mitigated': 'challenge' }), '/in', /Cloudflare/],
    ['a firewall', 'http/firewall', says(403, '<p>Incapsula incident ID: 1-2</p>'), '/in', /Imperva/],
    ['a password', 'http/password-wanted', says(401, '', { 'WWW-Authenticate': 'Basic realm="x"' }), '/in', /Basic/],
    ['a limit that is used up', 'http/rate-limited', says(429, '', { 'Retry-After': '0' }), '/in', /429/],
    ['a CSRF token', 'http/csrf', says(403, '<h1>CSRF verification failed.</h1>'), '/in', /Django/],
    ['allowed hosts', 'http/host-refused', says(400, 'DisallowedHost at /in'), '/in', /Django/],
    ['a website', 'http/web-page', says(200, '<!doctype html><div id="root"></div>'), '/in', /same page/],
    [
      'a client certificate',
      'tls/client-certificate',
      says(400, '400 No required SSL certificate was sent'),
      '/in',
      /nginx/,
    ],
    ['the plain scheme', 'http/speaks-tls', says(400, 'The plain HTTP request was sent to HTTPS port'), '/in', /nginx/],
  ])('names %s', async (_, id, listener, path, text) => {
    const { found, suspects } = await hooks(listener, path);
    expect(found?.id).toBe(id);
    expect(found?.summary).toMatch(text);
    expect(suspects).toEqual([]);
  });

  it.each<[string, RequestListener]>([
    ['takes what is right', (request, response) => says(isSigned(request) ? 200 : 401)(request, response)],
    ['answers a success in HTML, and other paths in another way', routed('/in', says(200, '<!doctype html><p>Thanks'))],
    ['refuses with 401', says(401, '{"error":"bad signature"}')],
    ['refuses with 404 on its own path only', routed('/in', says(404, '{"error":"no such customer"}'))],
    [
      'refuses with 404 on a path that takes POST',
      (request, response) =>
        request.method === 'OPTIONS'
          ? says(204, '', { Allow: 'POST' })(request, response)
          : says(404, 'Cannot POST /')(request, response),
    ],
    ['fails with 500 at this path alone', routed('/in', says(500))],
    ['wants a separate password at this path', routed('/in', says(401, '', { 'WWW-Authenticate': 'Basic realm="x"' }))],
    ['refuses with 403 and a custom body', says(403, '<html><h1>Forbidden</h1>')],
  ])('finds no fault in an endpoint that %s', async (_, listener) => {
    const { found, suspects } = await hooks(listener);
    expect({ found, suspects }).toEqual({ found: undefined, suspects: [] });
  });

  it('only suspects the path if a 404 has no distinctive feature, and does not name what refuses', async () => {
    const { found, suspects, ends, notes } = await hooks(says(404));
    expect({ found, ids: suspects.map(({ id }) => id), ends }).toEqual({
      found: undefined,
      ids: ['http/path-not-found'],
      ends: undefined,
    });
    expect(notes.ifRefused?.id).toBe('signature/other-secret');
  });

  it.each<[string, string, string]>([
    ["Go's page for unknown paths, which handlers give too", '404 page not found\n', 'http/path-not-found'],
    ["Amazon's, which handlers give too", '{"message":"Not Found"}', 'http/path-not-found'],
  ])('only suspects the path at %s', async (_, body, id) => {
    const { found, suspects, notes } = await hooks(says(404, body));
    expect({ found, ids: suspects.map((one) => one.id) }).toEqual({ found: undefined, ids: [id] });
    expect(notes).toMatchObject({ isRefused: true, ifRefused: { id: 'signature/other-secret' } });
  });

  it('only suspects an application that answers everything with 500: it may refuse in this way', async () => {
    const { found, suspects, notes } = await hooks(says(500, 'Oops'));
    expect({ found, ids: suspects.map(({ id }) => id) }).toEqual({ found: undefined, ids: ['http/application-fails'] });
    expect(notes).toMatchObject({ isRefused: true, ifRefused: { id: 'signature/other-secret' } });
  });

  it('notes whether a correct request was accepted', async () => {
    const [taken, refused] = await Promise.all([hooks(says(204)), hooks(says(401))]);
    expect([taken.notes.isRefused, refused.notes.isRefused]).toEqual([undefined, true]);
  });

  it.each<[string, number, string]>([
    ['a content delivery network', 522, 'http/gateway'],
    ['a limit of the body', 413, 'http/too-large'],
    ['a method', 405, 'http/method-not-allowed'],
  ])(
    'only suspects a cause that was observed once, but not when the request was repeated: %s',
    async (_, status, id) => {
      let asked = 0;
      const outcome = await hooks((request, response) =>
        says(!isSigned(request) ? 401 : asked++ === 0 ? status : 200)(request, response),
      );
      expect(outcome.found).toBeUndefined();
      expect(outcome.suspects).toMatchObject([{ id, why: expect.stringContaining('status 200') as string }]);
      expect(outcome.isAccepted).toBe(true);
    },
  );

  it('treats a page of Rails as CSRF only if every POST gets it, and then only suspects it', async () => {
    const rejected = says(422, '<title>The change you wanted was rejected (422)</title>');
    const [all, signed, named] = await Promise.all([
      hooks(rejected),
      hooks((request, response) => (isSigned(request) ? rejected : says(401))(request, response)),
      hooks(says(422, 'ActionController::InvalidAuthenticityToken')),
    ]);
    expect(all.found).toBeUndefined();
    expect(all.suspects.map(({ id }) => id)).toEqual(['http/csrf']);
    expect([signed.found, signed.suspects]).toEqual([undefined, []]);
    expect(named.found?.id).toBe('http/csrf');
  });

  it('only suspects a server that ends every connection', async () => {
    const { found, suspects, notes } = await hooks((request) => request.socket.destroy());
    expect({ found, ids: suspects.map(({ id }) => id) }).toEqual({ found: undefined, ids: ['http/closes'] });
    expect(notes.ifRefused?.id).toBe('signature/other-secret');
  });

  it.each<[string, () => Server, string]>([
    ['no HTTP', () => createPlainServer((socket) => socket.write('220 mail.example ESMTP\r\n')), 'http/not-http'],
    [
      'TLS',
      () => {
        const { cert, key } = makeCertificate({ name: 'localhost' });
        return createTlsServer({ cert, key });
      },
      'http/speaks-tls',
    ],
    ['HTTP/2 alone', () => createHttp2Server(), 'http/http2-only'],
    [
      'HTTP with a broken head',
      () =>
        createPlainServer((socket) =>
          socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nA B: c\r\nContent-Length: x\r\n\r\n')),
        ),
      'http/answer-malformed',
    ],
  ])('names a port that speaks %s', async (_, make, id) => {
    const { found } = await lookAt('api-webhooks', make());
    expect(found?.id).toBe(id);
  });
});

describe.concurrent('the component that answers for the own AI', () => {
  it('shows the same as the connection test of the app, with the ping as the first delivery', async () => {
    const { notes, deliveries, passed } = await chat(says(204));
    expect(notes.agentTest).toEqual({
      success: true,
      statusCode: 204,
      durationMs: expect.any(Number) as number,
      error: null,
    });
    expect(deliveries).toBe(1);
    expect(passed).toEqual(['Valid requests get 204.']);
    expect((await chat(says(503))).notes.agentTest).toMatchObject({
      success: false,
      statusCode: 503,
      error: 'status 503',
    });
  });

  it('names a ping that is refused although messages are accepted', async () => {
    const { found } = await chat((request, response) =>
      says(request.headers['x-svc-event'] === 'ping' ? 500 : 200)(request, response),
    );
    expect(found).toMatchObject({
      id: 'http/ping-not-handled',
      summary: expect.stringContaining('status 500') as string,
    });
  });

  it('names silence, and distinguishes it from a handler that hangs once it accepts', async () => {
    const [silent, hanging] = await Promise.all([
      chat(() => undefined),
      chat((request, response) => void (isSigned(request) || says(401)(request, response))),
    ]);
    expect(silent.found?.id).toBe('http/silent');
    expect(hanging.found).toMatchObject({
      id: 'http/hangs-when-accepted',
      summary: expect.stringContaining('401') as string,
    });
  });

  it('names an answer that does not end, also where invalid requests get one', async () => {
    const unended: RequestListener = (request, response) =>
      response.writeHead(isSigned(request) ? 200 : 401, { 'Content-Length': 9 }).write('{}');
    const { found, deliveries } = await chat(unended);
    expect(found).toMatchObject({
      id: 'timing/answer-never-ends',
      summary: expect.stringMatching(/^Of two deliveries, each gets status 200 and a body that does not end/) as string,
    });
    expect(deliveries).toBeLessThanOrEqual(4);
  });

  it('distinguishes a slow endpoint from one that hangs, if there is a limit', async () => {
    const { found } = await chat((request, response) => {
      if (!isSigned(request)) return says(401)(request, response);
      return void setTimeout(() => says(200)(request, response), 4_500);
    });
    expect(found).toMatchObject({
      id: 'timing/always-slow',
      summary: expect.stringMatching(
        /not answered within 4 s, and the other one after [45] s; the limit is 2 s/,
      ) as string,
    });
  });

  it('waits for the second of two if there is no limit, and accepts its time', { timeout: 30_000 }, async () => {
    const { found, suspects, seen } = await hooks((request, response) => {
      if (!isSigned(request)) return says(401)(request, response);
      return void setTimeout(() => says(200)(request, response), 10_500);
    });
    expect({ found, suspects }).toEqual({ found: undefined, suspects: [] });
    expect(seen.join(' ')).toContain('and the other one after 10.');
  });
});

describe.concurrent('the component that answers a call', () => {
  const upgraded = (answer: (request: IncomingMessage) => string) => {
    const server = createServer(says(404));
    server.on('upgrade', (request, socket) => void socket.end(answer(request)));
    return lookAt('own-ai-phone', server);
  };
  const switching = (...headers: string[]) => ['HTTP/1.1 101 Switching Protocols', ...headers, '', ''].join('\r\n');
  const usual = ['Upgrade: websocket', 'Connection: Upgrade'];

  it('accepts a WebSocket', async () => {
    const server = createServer();
    const sockets = new WebSocketServer({ server });
    const { found, suspects, passed, notes } = await lookAt('own-ai-phone', server);
    sockets.close();
    expect({ found, suspects, passed }).toEqual({
      found: undefined,
      suspects: [],
      passed: ['A signed upgrade is accepted.'],
    });
    expect(notes.agentTest).toMatchObject({ success: true, statusCode: null, error: null });
  });

  it.each<[string, () => Promise<Looked>, string]>([
    ['an ordinary page', () => phone(says(200, 'hello')), 'http/no-websocket'],
    [
      'a path for deliveries',
      () =>
        phone((request, response) =>
          says(request.headers.upgrade ? 404 : 405, '', { Allow: 'POST' })(request, response),
        ),
      'http/no-websocket',
    ],
    ['an upgrade that was removed', () => phone(says(426, 'Upgrade Required')), 'http/upgrade-stripped'],
    ['Socket.IO', () => phone(says(400, '{"code":0,"message":"Transport unknown"}')), 'http/socket-io'],
    ['a method', () => phone(says(405, '', { Allow: 'POST' })), 'http/method-not-allowed'],
    ['a redirect', () => phone(says(301, '', { Location: '/voice/' })), 'http/redirects'],
    [
      'a wrong accept',
      () => upgraded(() => switching(...usual, 'Sec-WebSocket-Accept: bm90aGluZw==')),
      'http/wrong-accept',
    ],
    [
      'a handshake without its upgrade',
      () => upgraded(() => switching('Connection: Upgrade', 'Upgrade: h2c')),
      'http/upgrade-incomplete',
    ],
    ['a gateway', () => phone(says(504)), 'http/gateway'],
  ])('names %s', async (_, look, id) => {
    const { found } = await look();
    expect(found?.id).toBe(id);
  });

  it.each<[string, number]>([
    ['a refusal', 401],
    ['a custom refusal', 400],
  ])('finds no fault in %s', async (_, status) => {
    const { found, suspects } = await upgraded(
      () => `HTTP/1.1 ${status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect({ found, suspects }).toEqual({ found: undefined, suspects: [] });
  });
});
