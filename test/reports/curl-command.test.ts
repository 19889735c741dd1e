import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { curlCommand } from '../../reports/text/curl-command.ts';
import type { HttpRequestRecord } from '../../specs/generated/types.ts';

const body = `{"text":"it's $HOME \\"quoted\\" ü"}`;

function command(rest: Partial<HttpRequestRecord> = {}) {
  const request = { method: 'POST', url: 'http://127.0.0.1:8080/chat?a=1&b=2', headers: [], body, ...rest };
  return curlCommand({ kind: 'http', request: { bodyBytes: Buffer.byteLength(request.body), ...request } });
}

/** Prints the HMAC of its input as `openssl dgst -sha256 -hmac KEY` does. */
const hmac = `
  const { createHmac } = require('node:crypto');
  const { readFileSync } = require('node:fs');
  console.log('SHA2-256(stdin)= ' + createHmac('sha256', process.argv[1]).update(readFileSync(0)).digest('hex'));
`;

/** The arguments that a shell passes to curl, with substitutes for curl and openssl. */
function argumentsOf(text: string | undefined, env: NodeJS.ProcessEnv): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\nopenssl() { "$NODE" -e "$HMAC" "$4"; }\n${text}`;
  const own = { PATH: process.env['PATH'], NODE: process.execPath, HMAC: hmac };
  return execFileSync('sh', ['-c', script], { env: { ...own, ...env } })
    .toString()
    .split('\0');
}

test('a signed request gets a new signature over the same bytes', () => {
  const recorded = `t=1791712800,v1=${'0'.repeat(64)}`;
  const text = command({
    authentic: true,
    headers: [
      ['X-Svc-Signature', recorded],
      ['Content-Length', '3'],
    ],
  });
  expect(text).not.toContain(recorded);
  const given = argumentsOf(text, { SECRET: 'whsec_x' });
  expect(given.at(-2)).toBe(body);
  expect(given).toContain('http://127.0.0.1:8080/chat?a=1&b=2');
  const [, t = '', v1] = /t=(\d+),v1=([0-9a-f]{64})$/.exec(given.find((one) => one.startsWith('X-Svc-')) ?? '') ?? [];
  expect(v1).toBe(createHmac('sha256', 'whsec_x').update(`${t}.${body}`).digest('hex'));
  expect(given.join(' ')).not.toMatch(/Content-Length/i);
});

test('each redacted value is a variable, and an outside header cannot run a command', () => {
  const text = command({
    authentic: true,
    headers: [
      ['Authorization', 'Bearer [redacted]'],
      ['X-Api-Key', '[redacted]'],
      ['X-Note', '$(touch /tmp/x) `id` [redacted: webhook token]s [redacted: 2nd key] "'],
    ],
  });
  const given = argumentsOf(text, { TOKEN: 'tok', X_API_KEY: 'key', WEBHOOK_TOKEN: 'hook', SECRET_2ND_KEY: 'two' });
  expect(given).toContain('Authorization: Bearer tok');
  expect(given).toContain('X-Api-Key: key');
  expect(given).toContain('X-Note: $(touch /tmp/x) `id` hooks two "');
});

test('neither an address nor a body is a pattern or the name of a file', () => {
  const given = argumentsOf(command({ url: 'http://a.example/{b}[1-3]', body: '@/etc/hosts' }), {});
  expect(given).toContain('-g');
  expect(given).toContain('http://a.example/{b}[1-3]');
  expect(given.slice(-3, -1)).toEqual(['--data-raw', '@/etc/hosts']);
});

test('a forged credential is never replaced by a valid one, and is sent where the record shows it', () => {
  const signed = `t=1791712800,v1=${'0'.repeat(64)}`;
  expect(command({ headers: [['X-Svc-Signature', signed]] })).toBeUndefined();
  expect(command({ headers: [['Authorization', 'Bearer [redacted]']] })).toBeUndefined();
  expect(command({ headers: [['X-Svc-Signature', 'not-a-signature']] })).toContain('X-Svc-Signature: not-a-signature');
  expect(command()).toContain('curl');
});

describe('a request is authentic', () => {
  const valid = SignedDelivery.of({ a: 1 }, '{"a":1}', [], 'whsec_0123456789');
  const isAuthentic = (delivery: SignedDelivery | undefined) => delivery?.request('http://a.example/', 0).authentic;

  test('with the signature of exactly what is sent', () => {
    expect(isAuthentic(valid)).toBe(true);
    expect(isAuthentic(valid.withBody(Buffer.from('{}')).withHeader('X-Note', 'a'))).toBe(true);
  });

  test.each(Object.entries(forgedSignatures))('but not with %s', (_, forge) => {
    expect(isAuthentic(forge(valid, { url: 'http://a.example/' }))).toBeUndefined();
  });

  test('nor with a token that the caller chose', () => {
    expect(isAuthentic(valid.withHeader('authorization', 'Bearer x'))).toBeUndefined();
  });
});

test('there is none if the record differs from the sent request', () => {
  expect(command({ bodyBytes: 5000 })).toBeUndefined();
  expect(command({ body: 'a\u202eb' })).toBeUndefined();
  expect(command({ headers: [['X-Note', 'cut…']] })).toBeUndefined();
  expect(command({ url: 'http://a.example/[redacted: token]' })).toBeUndefined();
});
