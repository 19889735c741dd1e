import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactor } from '../../harness/redact.ts';

const secret = 'whsec_Zm9v+YmFy/YmF6cXV4"\\9';
const mark = '[redacted: agent secret]';
const redact = redactor([{ name: 'agent secret', value: secret }]);

/** Characters of the shortest piece that must not survive. */
const piece = 8;

describe('a secret is taken out', () => {
  it.each([
    ['as it is', secret],
    ['in lower case', secret.toLowerCase()],
    ['in upper case', secret.toUpperCase()],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 for addresses', Buffer.from(secret).toString('base64url')],
    ['in base64 behind one other byte', Buffer.from(`:${secret}`).toString('base64')],
    ['in base64 behind two other bytes', Buffer.from(`u:${secret}`).toString('base64')],
    ['in base64 within more', Buffer.from(`u:${secret}:m`).toString('base64')],
    ['in hex', Buffer.from(secret).toString('hex')],
    ['in hex in upper case', Buffer.from(secret).toString('hex').toUpperCase()],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded in lower case', encodeURIComponent(secret).toLowerCase()],
    ['as a JSON string', JSON.stringify(secret)],
    ['cut at the end', secret.slice(0, 12)],
    ['cut at the beginning', secret.slice(-12)],
    ['prefixed', `Bearer x${secret}`],
    ['twice', `${secret} and ${secret}`],
  ])('%s', (_, form) => {
    const shown = redact(`before ${form} after`);
    expect(shown.startsWith('before ')).toBe(true);
    expect(shown.endsWith(' after')).toBe(true);
    expect(shown).toContain(mark);
    for (let at = 0; at + piece <= secret.length; at++) {
      expect(shown.toLowerCase()).not.toContain(secret.slice(at, at + piece).toLowerCase());
    }
    // At most what hangs over at either end of an encoding is left of it.
    expect(shown.replaceAll(mark, '').length).toBeLessThan('before  after'.length + 14);
  });

  it('as a JSON string of which every other character is escaped', () => {
    const value = 'a"b\\c"d\\e"f\\g"h';
    const escaped = redactor([{ name: 'token', value }]);
    expect(escaped(JSON.stringify({ value }))).toBe('{"value":"[redacted: token]"}');
  });

  it('with nothing around it taken', () => {
    expect(redact(`{"token":"${secret.slice(2, 20)}","ok":true}`)).toBe(`{"token":"${mark}","ok":true}`);
  });

  it('under its own name, with others beside it', () => {
    const both = redactor([
      { name: 'webhook token', value: 'Kd83jf02LsQp' },
      { name: 'API key', value: 'svc_sk_11aa22bb' },
    ]);
    expect(both('Kd83jf02LsQp/svc_sk_11aa22bb')).toBe('[redacted: webhook token]/[redacted: API key]');
  });

  it('when it is short, as a whole and nowhere else', () => {
    const short = redactor([{ name: 'token', value: 'abc12' }]);
    expect(short('abc12, ABC12, abc1')).toBe('[redacted: token], [redacted: token], abc1');
    expect(redactor([{ name: 'token', value: 'x' }])('next: x, not-exercised')).toBe(
      'next: [redacted: token], not-exercised',
    );
    expect(short('the quick brown fox jumps over the lazy dog 0123456789')).toBe(
      'the quick brown fox jumps over the lazy dog 0123456789',
    );
  });

  it('when letters fold to others in its neighbourhood or to longer ones', () => {
    const value = 'İSTANBUL-ΑΣ-ΣΟΦΙΑ';
    const fold = redactor([{ name: 'token', value }]);
    expect(fold(`x ${value} y`)).toBe('x [redacted: token] y');
    expect(fold(`x ${value.slice(0, 11)} y`)).toBe('x [redacted: token] y');
    expect(fold(`İİİ ${value}`)).toBe('İİİ [redacted: token]');
  });
});

it('is found at its place, once where forms lie over one another', () => {
  const both = redactor([
    { name: 'API key', value: 'svc_sk_11aa22bb' },
    { name: 'token', value: 'aa22bbcc33dd' },
  ]);
  expect(both.find('a svc_sk_11aa22bbcc33dd, svc_sk_other')).toEqual([
    { from: 2, to: 23, name: 'API key' },
    { from: 25, to: 37, name: 'API key' },
  ]);
  expect(both.find('nothing')).toEqual([]);
});

describe('other text', () => {
  it('stays as it is, of whatever characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(redact(text)).toBe(text);
      }),
    );
  });

  it('stays as it is when there is no secret', () => {
    expect(redactor([])('anything at all')).toBe('anything at all');
    expect(redactor([{ name: 'empty', value: '' }])('anything at all')).toBe('anything at all');
  });

  it('keeps pieces shorter than eight characters', () => {
    expect(redact(secret.slice(0, 7))).toBe(secret.slice(0, 7));
  });
});

describe('of any secret in any text', () => {
  const secrets = fc.string({ unit: 'grapheme-ascii', minLength: piece, maxLength: 60 });
  const around = fc.string({ unit: 'grapheme', maxLength: 20 });

  it('no piece of eight characters survives, in any case', () => {
    fc.assert(
      fc.property(secrets, around, around, fc.nat(), fc.nat(), (value, before, after, from, length) => {
        const start = from % (value.length - piece + 1);
        const part = value.slice(start, start + piece + (length % (value.length - start - piece + 1)));
        // The word in its place may have letters of a secret by chance: here it has none.
        const shown = redactor([{ name: '', value }])(before + part.toUpperCase() + after).replaceAll(
          '[redacted: ]',
          '\0',
        );
        for (let at = 0; at + piece <= value.length; at++) {
          expect(shown.toLowerCase()).not.toContain(value.slice(at, at + piece).toLowerCase());
        }
      }),
      { numRuns: 300 },
    );
  });
});
