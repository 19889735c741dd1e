import { expect, describe, it } from 'vitest';
import { ApiClient, ApiError, type ApiRequest, type Repeat } from '../../examples/integrator/api-client.ts';
import { Pace } from '../../examples/integrator/pace.ts';
import { steppedClock, scriptedApi, type Reply } from './scripted-api.ts';

const apiKey = 'svc_sk_of-the-client-tests';
const ok = { status: 200, body: '{"id":7}' };
const keyed = { idempotencyKey: 'one-intent' };
/** Milliseconds until the client gives up; only a request without an answer takes as long. */
const timeoutMs = 1_000;

const me: ApiRequest = { method: 'GET', path: '/v1/me', repeat: 'harmless' };
const message = (repeat: Repeat = keyed): ApiRequest => ({
  method: 'POST',
  path: '/v1/messages',
  body: { contactId: 7, text: 'Grüße' },
  repeat,
});
const problem = (status: number, title: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: JSON.stringify({ title, status, detail: 'What is \u001b[2J wrong' }),
});
const throttled = (retryAfter?: string): Reply =>
  problem(429, 'rate_limited', retryAfter === undefined ? {} : { 'retry-after': retryAfter });

/** Sends one request to an API with these replies, on a clock that never waits. */
async function send(request: ApiRequest, ...replies: Reply[]) {
  await using api = await scriptedApi(...replies);
  const clock = steppedClock();
  const client = new ApiClient({ baseUrl: api.url, apiKey, timeoutMs, ...clock });
  const ended = await client.send(request).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  return { ...ended, attempts: api.attempts, waits: clock.waits };
}

const endingOf = (ended: { error: unknown } | { answer: unknown }) => {
  const error = 'error' in ended ? ended.error : undefined;
  expect(error).toBeInstanceOf(ApiError);
  return (error as ApiError).ending;
};

describe('a request', () => {
  it('carries the key in its header and in no address, and its body as JSON', async () => {
    const { attempts, ...ended } = await send(message(), ok);
    expect(ended).toMatchObject({ answer: { id: 7 } });
    expect(attempts).toMatchObject([
      {
        method: 'POST',
        url: '/v1/messages',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': 'one-intent' },
        body: '{"contactId":7,"text":"Grüße"}',
      },
    ]);
    expect(attempts[0]?.url).not.toContain(apiKey);
  });

  it('without a body has no media type, and no Idempotency-Key unless one is given', async () => {
    const { attempts } = await send(me, ok);
    expect(attempts).toMatchObject([{ method: 'GET', url: '/v1/me', body: '' }]);
    expect(attempts[0]?.headers).not.toHaveProperty('content-type');
    expect(attempts[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it('goes below the base address, with or without a slash at its end', async () => {
    await using api = await scriptedApi({ status: 204 });
    const client = new ApiClient({ baseUrl: `${api.url}/base//`, apiKey });
    expect(await client.send(me)).toBeUndefined();
    expect(api.attempts.map(({ url }) => url)).toEqual(['/base/v1/me']);
  });

  it('does not follow a redirect with the key', async () => {
    await using other = await scriptedApi(ok);
    const ended = await send(message(), { status: 307, headers: { location: `${other.url}/v1/messages` } });
    expect(endingOf(ended)).toBe('refused');
    expect(other.attempts).toEqual([]);
  });
});

describe('sending again', () => {
  it.each<[string, Reply]>([
    ['a connection that is cut', 'cut'],
    ['no answer in time', 'never'],
    ['503', problem(503, 'unavailable')],
    ['500', { status: 500 }],
    ['429', throttled()],
  ])('after %s has the Idempotency-Key and body of the first attempt', async (_, reply) => {
    const { attempts, ...ended } = await send(message(), reply, reply, ok);
    expect(ended).toMatchObject({ answer: { id: 7 } });
    expect(attempts).toHaveLength(3);
    expect(new Set(attempts.map(({ headers, body }) => `${headers['idempotency-key'] as string} ${body}`))).toEqual(
      new Set(['one-intent {"contactId":7,"text":"Grüße"}']),
    );
  });

  it.each<[string, Reply, number]>([
    ['the seconds of a 429', throttled('7'), 7_000],
    ['the seconds of a 503', problem(503, 'unavailable', { 'retry-after': '3' }), 3_000],
    ['a quarter of a second when nothing is asked for', problem(503, 'unavailable'), 250],
    ['a quarter of a second when what is asked for cannot be read', throttled('soon'), 250],
    ['a quarter of a second when no pause is asked for', throttled('0'), 250],
  ])('waits %s', async (_, reply, ms) => {
    const { attempts, waits } = await send(message(), reply, ok);
    expect(waits).toEqual([ms]);
    expect(attempts).toHaveLength(2);
  });

  it('waits until the date of Retry-After', async () => {
    const soon = new Date(Date.now() + 30_000).toUTCString();
    const { waits } = await send(message(), throttled(soon), ok);
    expect(waits[0]).toBeGreaterThan(5_000);
    expect(waits[0]).toBeLessThanOrEqual(30_000);
  });

  it('also waits by the wall clock', async () => {
    await using api = await scriptedApi(throttled('1'), ok);
    const from = performance.now();
    await new ApiClient({ baseUrl: api.url, apiKey }).send(message());
    expect(performance.now() - from).toBeGreaterThanOrEqual(1_000);
    expect(api.attempts).toHaveLength(2);
  });

  it('waits twice as long each time and ends after four attempts', async () => {
    const { attempts, waits, ...ended } = await send(message(), problem(503, 'unavailable'));
    expect(waits).toEqual([250, 500, 1_000]);
    expect(attempts).toHaveLength(4);
    expect(endingOf(ended)).toBe('unknown');
  });

  it('is postponed when the pause is too long', async () => {
    const { attempts, waits, ...ended } = await send(message(), throttled('3600'));
    expect({ attempts: attempts.length, waits }).toEqual({ attempts: 1, waits: [] });
    expect(endingOf(ended)).toBe('postponed');
  });
});

describe('a request that must not be sent twice', () => {
  it.each<[string, Reply]>([
    ['a connection that is cut', 'cut'],
    ['no answer in time', 'never'],
    ['503', problem(503, 'unavailable', { 'retry-after': '1' })],
  ])('is not sent again after %s', async (_, reply) => {
    const { attempts, ...ended } = await send(message('never'), reply, ok);
    expect(attempts).toHaveLength(1);
    expect(endingOf(ended)).toBe('unknown');
  });

  it('is sent again after 429, which has not been processed', async () => {
    const { attempts, ...ended } = await send(message('never'), throttled('1'), ok);
    expect(attempts).toHaveLength(2);
    expect(ended).toMatchObject({ answer: { id: 7 } });
  });

  it('is tried again while the API is unreachable, and postponed after that', async () => {
    await using api = await scriptedApi(ok);
    const { url } = api;
    await api[Symbol.asyncDispose]();
    const clock = steppedClock();
    const client = new ApiClient({ baseUrl: url, apiKey, ...clock });
    await expect(client.send(message('never'))).rejects.toMatchObject({
      ending: 'postponed',
      message: 'postponed: POST /v1/messages had no answer (ECONNREFUSED)',
    });
    expect(clock.waits).toEqual([250, 500, 1_000]);
  });

  it('is not sent again for an answer that cannot be read', async () => {
    for (const repeat of [keyed, 'harmless', 'never'] as const) {
      const { attempts, ...ended } = await send(message(repeat), { status: 202, body: '<html>' });
      expect(attempts).toHaveLength(1);
      expect(endingOf(ended)).toBe('unknown');
    }
  });
});

describe('a refusal', () => {
  it.each([
    [400, 'invalid_request'],
    [403, 'consent_missing'],
    [404, 'project_not_found'],
    [409, 'project_not_with_agent'],
    [422, 'not_deliverable'],
  ])('with %i is final', async (status, code) => {
    const { attempts, ...ended } = await send(message(), problem(status, code), ok);
    expect(attempts).toHaveLength(1);
    expect(endingOf(ended)).toBe('refused');
    expect((ended as { error: Error }).error.message).toBe(`refused: POST /v1/messages was answered ${status} ${code}`);
  });

  it('of the key does not concern the request', async () => {
    const { attempts, ...ended } = await send(message(), problem(401, 'unauthorized'), ok);
    expect(attempts).toHaveLength(1);
    expect(endingOf(ended)).toBe('postponed');
  });

  it('with 409 does not show the result of an attempt that is still in progress', async () => {
    expect(endingOf(await send(message(), 'cut', problem(409, 'idempotency_key_in_use'), ok))).toBe('unknown');
    expect(endingOf(await send(message(), 'cut', problem(409, 'project_not_with_agent'), ok))).toBe('refused');
    expect(endingOf(await send(message(), 'cut', problem(401, 'unauthorized'), ok))).toBe('unknown');
  });

  it('has no text from outside in its message', async () => {
    const ended = await send(message(), problem(400, 'bad\u001b[2J'));
    const { message: text, detail } = (ended as { error: ApiError }).error;
    expect(text).toBe('refused: POST /v1/messages was answered 400');
    expect(detail).toBe('What is \u001b[2J wrong');
    expect(endingOf(await send(message(), { status: 400, body: 'not JSON' }))).toBe('refused');
  });
});

describe('the pace', () => {
  it('limits the requests that start in any minute', async () => {
    const clock = steppedClock();
    const pace = new Pace({ perMinute: 3, ...clock });
    const starts: number[] = [];
    await Promise.all(Array.from({ length: 8 }, () => pace.turn().then(() => starts.push(clock.now()))));
    expect(starts).toEqual([0, 0, 0, 61_000, 61_000, 61_000, 122_000, 122_000]);
  });

  it('counts from the start of the oldest request within the window', async () => {
    const clock = steppedClock();
    const pace = new Pace({ perMinute: 2, ...clock });
    await pace.turn();
    await clock.wait(40_000);
    await pace.turn();
    await pace.turn();
    expect(clock.now()).toBe(61_000);
    await pace.turn();
    expect(clock.now()).toBe(101_000);
  });

  it('leaves room for other programs with the key', async () => {
    await using api = await scriptedApi(ok);
    const clock = steppedClock();
    const client = new ApiClient({ baseUrl: api.url, apiKey, ...clock });
    for (let n = 0; n < 51; n++) await client.send(me);
    expect(clock.waits).toEqual([61_000]);
  });

  it('holds every request with the key back after 429', async () => {
    await using api = await scriptedApi(throttled('20'), ok);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const { promise: resting, resolve: rests } = Promise.withResolvers<number>();
    let ms = 0;
    const wait = async (pause: number) => {
      rests(pause);
      await over;
      ms += pause;
    };
    const client = new ApiClient({ baseUrl: api.url, apiKey, now: () => ms, wait });
    const both = [client.send(message())];
    expect(await resting).toBe(20_000);
    both.push(client.send(message({ idempotencyKey: 'another-intent' })));
    // Another client is answered many times meanwhile; the second request would be, too, if it were not held back.
    const other = new ApiClient({ baseUrl: api.url, apiKey });
    for (let n = 0; n < 20; n++) await other.send(me);
    const messages = () => api.attempts.filter(({ url }) => url === '/v1/messages');
    expect(messages()).toHaveLength(1);
    end();
    await Promise.all(both);
    expect(messages()).toHaveLength(3);
  });
});

describe('the constructor throws', () => {
  it.each([
    ['no address', 'example.com'],
    ['http: to another machine', 'http://api.example.com'],
    ['a password in the address', 'https://me:pass@api.example.com'],
    ['a key in the address', 'https://api.example.com/?key=1'],
    ['another scheme', 'ftp://127.0.0.1'],
  ])('with %s', (_, baseUrl) => {
    expect(() => new ApiClient({ baseUrl, apiKey })).toThrow('The base address is not valid');
  });

  it('with a key that is not a header value, which is not shown', () => {
    for (const wrong of ['', `${apiKey}\n`, `"${apiKey} "`, `${apiKey}é`]) {
      expect(() => new ApiClient({ baseUrl: 'https://api.example.com', apiKey: wrong })).toThrow(
        /^The API key is not valid: expected letters, digits and signs without spaces \(not shown\)\.$/,
      );
    }
  });
});
