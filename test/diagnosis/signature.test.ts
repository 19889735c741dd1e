import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Connection } from '../../diagnosis/connection.ts';
import type { ConnectionOptions } from '../../diagnosis/connection-options.ts';
import type { ProbeOutcome } from '../../diagnosis/outcome.ts';
import { serialise, serialisers } from '../../diagnosis/signature/body-serialisers.ts';
import { diagnoseSignature } from '../../diagnosis/signature/diagnose-signature.ts';
import { knownSchemes } from '../../diagnosis/signature/name-scheme.ts';
import { plainShape, richShape, shapes, writeShape } from '../../diagnosis/signature/question-bodies.ts';
import { recordingServer, type RecordedRequest } from '../server-fixture.ts';

const secret = 'whsec_c2VjcmV0IG9mIHRoaXJ0eS10d28gYnl0ZXMhISEhIQ==';

/** The v1 that an endpoint expects; `undefined` accepts any. */
type Expected = (t: string, body: Buffer, request: RecordedRequest) => string;

const hex = (key: string | Buffer, ...parts: (string | Buffer)[]) =>
  parts.reduce((hmac, part) => hmac.update(part), createHmac('sha256', key)).digest('hex');

async function diagnose(
  expected: Expected,
  options: Pick<ConnectionOptions, 'oldSecret' | 'isThorough'> = {},
): Promise<ProbeOutcome & { deliveries: number }> {
  await using server = await recordingServer((request, response) => {
    const given = String(request.headers['x-svc-signature'] ?? '');
    const [, t = '', v1 = ''] = /^t=(\d+),v1=(.+)$/.exec(given) ?? [];
    response.writeHead(v1 === expected(t, request.bytes, request) ? 200 : 401).end();
  });
  const url = `http://${server.host}/hooks`;
  await using connection = await Connection.open(
    'api-webhooks',
    { skills: [], stimuli: {}, service: { host: '127.0.0.1', port: 0 }, apiWebhooks: { url, secret } },
    { seed: 3, withinMs: 60_000, ...options },
  );
  const outcome = await diagnoseSignature(connection);
  return { ...outcome, deliveries: connection.deliveries };
}

describe('a valid signature that is refused', () => {
  it('is traced to a re-serialised body, with few deliveries', async () => {
    const { found, deliveries } = await diagnose((t, body) =>
      hex(secret, `${t}.${JSON.stringify(JSON.parse(body.toString('utf8')))}`),
    );
    expect(found?.id).toBe('signature/body-compact');
    expect(deliveries).toBeLessThan(15);
  });

  it('is traced to two mistakes at once: a decoded secret and t in milliseconds', async () => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const { found, suspects } = await diagnose((t, body) => hex(key, `${t}000.`, body), { isThorough: true });
    expect([found?.id, suspects[0]?.id]).toEqual(['signature/secret-base64-decoded', 'signature/t-in-milliseconds']);
    expect(found?.summary).not.toContain(secret.slice('whsec_'.length));
  });

  it('is traced to the old secret when that is known', async () => {
    const oldSecret = 'whsec_b2xkIHNlY3JldCBvZiBzb21lIGJ5dGVz';
    const { found } = await diagnose((t, body) => hex(oldSecret, `${t}.`, body), { oldSecret });
    expect(found?.id).toBe('signature/old-secret');
  });

  it('is reported as none of the known schemes when the secret is unknown, with the number of schemes', async () => {
    const ofOther: Expected = (t, body) => hex('whsec_of-somebody-else', `${t}.`, body);
    const { found, suspects } = await diagnose(ofOther, { isThorough: true });
    expect(found).toBeUndefined();
    expect(suspects.map(({ id }) => id)).toEqual(['signature/unknown-scheme', 'signature/other-secret']);
    expect(knownSchemes('api-webhooks')).toBeGreaterThanOrEqual(60);
    expect(suspects[0]?.summary).toContain(`none of the ${knownSchemes('api-webhooks')} known schemes`);
  });

  it('is left open after the frequent schemes, unless the search is thorough', async () => {
    const { found, suspects, deliveries } = await diagnose((t, body) => hex('whsec_of-somebody-else', `${t}.`, body));
    expect(found).toBeUndefined();
    expect(suspects.map(({ id }) => id)).toEqual(['signature/unknown-scheme', 'signature/other-secret']);
    expect(suspects[0]?.why).toContain('--thorough');
    expect(deliveries).toBeGreaterThan(40);
    expect(deliveries).toBeLessThanOrEqual(63);
  });

  it('is not named when only the change of the body is unknown; the report says that it is the body', async () => {
    const { found, suspects } = await diagnose((t, body) =>
      hex(secret, `${t}.${body.toString('utf8').replaceAll(/[^\x20-\x7e]|\\./g, '#')}`),
    );
    expect(found).toBeUndefined();
    expect(suspects.map(({ id }) => id)).toEqual(['signature/unknown-scheme']);
    expect(suspects[0]?.summary).toContain('does not sign the raw body');
  });

  it('is not named when two instances behind one address check by turns in different ways', async () => {
    let turn = 0;
    const { found } = await diagnose((t, body) => (turn++ % 2 === 0 ? hex('another', body) : hex(secret, body)));
    expect(found).toBeUndefined();
  });
});

describe('bodies of questions', () => {
  const event = { b: [1, { d: null, c: 'x' }], a: true };

  it('are the same after every usual serialiser when they are plain', () => {
    const text = writeShape(event, plainShape);
    expect(text).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
    const compact = serialisers.filter(({ style }) => style.between === ',' && style.indent === undefined);
    const changed = compact.filter(
      ({ form, style }) => form !== 'whole numbers with .0' && serialise(text, style) !== text,
    );
    expect(changed).toEqual([]);
  });

  it('differ after every serialiser when they are rich, and always are the same JSON value', () => {
    const text = writeShape(event, richShape);
    expect(serialisers.filter(({ style }) => serialise(text, style) === text)).toEqual([]);
    for (const shape of shapes) expect(JSON.parse(writeShape(event, shape))).toEqual(event);
  });
});
