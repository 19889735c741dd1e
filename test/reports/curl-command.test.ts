import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { curlCommand } from '../../reports/text/curl-command.ts';
import type { HttpRequestRecord } from '../../specs/generated/types.ts';

const body = `{"text":"it's $HOME \\"quoted\\" ü"}`;

function command(rest: Partial<HttpRequestRecord> = {}) {
  const request = { method: 'POST', url: 'http://127.0.0.1:8080/chat?a=1&b=2', headers: [], body, ...rest };
  return curlCommand({ kind: 'http', request: { bodyBytes: Buffer.byteLength(request.body), ...request } });
}

/** The arguments that a shell gives to curl. */
function argumentsOf(text: string | undefined, env: NodeJS.ProcessEnv): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${text}`;
  return execFileSync('sh', ['-c', script], { env: { PATH: process.env['PATH'], ...env } })
    .toString()
    .split('\0');
}

test('a signed request is signed afresh over the same bytes', () => {
  const recorded = `t=1791712800,v1=${'0'.repeat(64)}`;
  const text = command({
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

test('a redacted token is a variable, and an outside header cannot run a command', () => {
  const text = command({
    headers: [
      ['Authorization', 'Bearer [redacted: webhook token]'],
      ['X-Note', '$(touch /tmp/x) `id` [redacted: secret] "'],
    ],
  });
  const given = argumentsOf(text, { TOKEN: 'tok' });
  expect(given).toContain('Authorization: Bearer tok');
  expect(given).toContain('X-Note: $(touch /tmp/x) `id` tok "');
});

test('there is none where the record differs from what was sent', () => {
  expect(command({ bodyBytes: 5000 })).toBeUndefined();
  expect(command({ body: 'a\u202eb' })).toBeUndefined();
  expect(command({ url: 'http://a.example/[redacted: token]' })).toBeUndefined();
});
