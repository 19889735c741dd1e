import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import file from '../../specs/signing-vectors.json' with { type: 'json' };
import { limits } from '../../specs/limits.ts';

const { vectors, callIdVectors } = file;

function header(secret: string, t: number, signed: Uint8Array): string {
  const v1 = createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${t}.`, 'utf8').update(signed).digest('hex');
  return `t=${t},v1=${v1}`;
}

describe('signing vectors', () => {
  it.each(vectors)('$name', ({ secret, t, bodyBase64, header: expected }) => {
    expect(header(secret, t, Buffer.from(bodyBase64, 'base64'))).toBe(expected);
  });

  it.each(callIdVectors)('call: $name', ({ secret, t, callId, header: expected }) => {
    expect(header(secret, t, Buffer.from(callId, 'utf8'))).toBe(expected);
  });

  it('contain exactly the signed bytes as text', () => {
    for (const { name, bodyText, bodyBase64 } of vectors) {
      if (bodyText !== undefined) expect(Buffer.from(bodyText, 'utf8').toString('base64'), name).toBe(bodyBase64);
    }
  });

  it('are of the kinds that reveal a wrong implementation', () => {
    const bodies = vectors.map(({ bodyBase64 }) => Buffer.from(bodyBase64, 'base64'));
    const has = (test: (body: Buffer) => boolean) => bodies.some(test);
    expect(vectors.length).toBeGreaterThanOrEqual(12);
    expect(has((body) => body.length === 0)).toBe(true);
    expect(has((body) => body.length === limits.ownAiAnswerBytes)).toBe(true);
    expect(has((body) => body.includes('\r\n'))).toBe(true);
    expect(has((body) => body.includes('\\u00fc'))).toBe(true);
    expect(has((body) => body.includes('ü'))).toBe(true);
    expect(has((body) => body.includes('𝒮'))).toBe(true);
    expect(has((body) => !Buffer.from(body.toString('utf8'), 'utf8').equals(body))).toBe(true);
    expect(vectors.some(({ secret }) => /^whsec_[A-Za-z0-9+/]+=*$/.test(secret))).toBe(true);
    expect(vectors.some(({ secret }) => secret.includes('ü'))).toBe(true);
    expect(vectors.every(({ t }) => String(t).length === 10)).toBe(true);
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  });
});
