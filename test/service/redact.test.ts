import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactor } from '../../service/redact.ts';
import { resemblesProse, isWeakSecret, informativeCharacters } from '../../service/secret-strength.ts';

const secret = 'whsec_Zm9v+YmFy/YmF6cXV4"\\9';
const mark = '[redacted: agent secret]';
const redact = redactor([{ name: 'agent secret', value: secret }]);

/** Length of the shortest piece of a secret that must not remain. */
const piece = 8;
/** Number of its characters that must not occur in our words. */
const tellingOfPiece = 4;

describe('a secret is redacted', () => {
  it.each([
    ['unchanged', secret],
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
    // Only an incomplete group at either end of an encoding may remain.
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

  it('under its own name, next to others', () => {
    const both = redactor([
      { name: 'webhook token', value: 'Kd83jf02LsQp' },
      { name: 'API key', value: 'svc_sk_11aa22bb' },
    ]);
    expect(both('Kd83jf02LsQp/svc_sk_11aa22bb')).toBe('[redacted: webhook token]/[redacted: API key]');
  });

  it('when it is short, as a whole and nowhere else', () => {
    const short = redactor([{ name: 'token', value: 'abc12' }]).foreign;
    expect(short('abc12, ABC12, abc1')).toBe('[redacted: token], [redacted: token], abc1');
    expect(redactor([{ name: 'token', value: 'x' }]).foreign('next: x, not-exercised')).toBe(
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
  it('stays unchanged, of whatever characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(redact(text)).toBe(text);
      }),
    );
  });

  it('stays unchanged when there is no secret', () => {
    expect(redactor([])('anything at all')).toBe('anything at all');
    expect(redactor([{ name: 'empty', value: '' }])('anything at all')).toBe('anything at all');
  });

  it('keeps pieces shorter than eight characters', () => {
    expect(redact(secret.slice(0, 7))).toBe(secret.slice(0, 7));
  });
});

const base32 = (bytes: Buffer) => {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const text = (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(parseInt(five.padEnd(5, '0'), 2)))
    .join('');
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=');
};
const hexBytes = (text: string) => Buffer.from(text).toString('hex').match(/../g) ?? [];

describe('a strong secret is redacted in every encoding', () => {
  const value = 'Tq8-Rv5w_7Hk2n.Wm5Xz1Lk';
  const own = redactor([{ name: 'token', value }]);
  const long = Buffer.from(`Bearer ${value}, please`);
  it.each([
    ['reversed', value.split('').reverse().join('')],
    ['with spaces', value.split('').join(' ')],
    ['with dashes, reversed', value.split('').reverse().join('-')],
    ['with NUL bytes, as UTF-16 reads', value.split('').join('\0')],
    ['as a list of characters', JSON.stringify(value.split('')).slice(2, -2)],
    ['one character a line', value.split('').join('\r\n')],
    ['in base32', base32(Buffer.from(value))],
    ['in base32 without padding, in lower case', base32(Buffer.from(value)).replace(/=+$/, '').toLowerCase()],
    ['in base32 within more', base32(long).slice(12, 44)],
    ['in base64 twice', Buffer.from(Buffer.from(value).toString('base64')).toString('base64')],
    ['in base64 for addresses twice', Buffer.from(Buffer.from(value).toString('base64url')).toString('base64url')],
    [
      'in base64 with line breaks',
      (
        Buffer.from(value)
          .toString('base64')
          .match(/.{1,5}/g) ?? []
      ).join('\n'),
    ],
    ['in hex in upper case', hexBytes(value).join('').toUpperCase()],
    ['in hex with colons', hexBytes(value).join(':')],
    ['in hex with spaces', hexBytes(value).join(' ').toUpperCase()],
    ['in hex with dashes', hexBytes(value).join('-')],
    [
      'in hex as a program writes it',
      hexBytes(value)
        .map((byte) => `0x${byte}`)
        .join(', '),
    ],
    ['in base64 of UTF-16', Buffer.from(value, 'utf16le').toString('base64')],
    ['in hex of UTF-16, high byte first', Buffer.from(value, 'utf16le').swap16().toString('hex')],
    ['with spaces, percent-encoded', encodeURIComponent(value.split('').join(' '))],
  ])('%s', (_, form) => {
    const shown = own(`before ${form} after`).replaceAll('[redacted: token]', '#');
    // Only the padding of the last group of an encoding may remain.
    expect(shown).toMatch(/^before (?:0x)?#[\w=#\r\n]{0,7} after$/);
  });

  it('and ordinary text is never mistaken for one', () => {
    const prose =
      'The endpoint answered 200 (OK) after 1,204 ms: +49 30 901820, 2026-10-11T08:00:00Z, whsec is a prefix. ';
    const ids = Array.from({ length: 2_000 }, (_, at) => (at * 2_654_435_761).toString(16)).join(' ');
    for (const text of [prose.repeat(200), ids, ids.replaceAll(' ', ':')]) expect(own.foreign(text)).toBe(text);
  });
});

describe('a weak secret', () => {
  const words = ['crm', 'token', 'crm-token-123456', 'test', 'secret', 'data', 'own-ai-chat', 'webhookToken'];
  it.each(words)('%s stays in our own sentences and is redacted in what came from outside', (value) => {
    expect(isWeakSecret(value)).toBe(true);
    const own = redactor([{ name: 'webhook token', value }]);
    const sentences = [
      'npx svc-conform check --crm-url http://127.0.0.1:8080/crm/token/test/data --crm-token env:CRM_TOKEN --only crm-webhook/refuses-wrong-token',
      'an event with a token that lacks its last character',
      '{"crm":1,"token":"x","data":{"secret": 2},"webhookToken":null}',
    ];
    for (const sentence of sentences) expect(own(sentence)).toBe(sentence);
    expect(own.foreign(`{"error":"got ${value}."}`)).toBe('{"error":"got [redacted: webhook token]."}');
  });

  it.each(['Kd83jf02LsQp', 'Tq8-planted_token.Wm5Xz1Lk', 'correct-horse-battery-staple', 'd41d8cd98f00b204'])(
    'is not %s',
    (value) => {
      expect(isWeakSecret(value)).toBe(false);
      expect(redactor([{ name: 'token', value }])(`again ${value}`)).toBe('again [redacted: token]');
    },
  );

  it('leaves our words alone where a strong one begins with them', () => {
    const own = redactor([{ name: 'webhook token', value: 'crm-token-Zk39xQ8vLm20' }]);
    expect(own('--crm-token env:CRM_TOKEN, crm-token-Zk39xQ8vLm20')).toBe(
      '--crm-token env:CRM_TOKEN, [redacted: webhook token]',
    );
    expect(own('n-Zk39xQ8')).toBe('[redacted: webhook token]');
  });
});

it('needs time in proportion to the input', () => {
  const own = redactor([{ name: 'token', value: 'Tq8-Rv5w_7Hk2n.Wm5Xz1Lk' }]);
  const text = `${JSON.stringify({ text: 'Tq8-Rv5 w 7Hk %41 &amp; 0x54 ' }).repeat(40)}\n`;
  // Processor time of this thread, the least of several runs: what else runs on a busy machine does not count.
  const microsecondsFor = (times: number) => {
    const long = text.repeat(times);
    const runs = Array.from({ length: 5 }, () => {
      const from = process.threadCpuUsage();
      own.foreign(long);
      const { user, system } = process.threadCpuUsage(from);
      return user + system;
    });
    return Math.min(...runs);
  };
  microsecondsFor(20);
  // Eight times the input: quadratic time would be 64 times as long.
  expect(microsecondsFor(400)).toBeLessThan(32 * Math.max(1_000, microsecondsFor(50)));
});

describe('of any secret in any string', () => {
  const secrets = fc.string({ unit: 'grapheme-ascii', minLength: piece, maxLength: 60 });
  const around = fc.string({ unit: 'grapheme', maxLength: 20 });

  it('no piece of eight characters survives, in any case', () => {
    fc.assert(
      fc.property(secrets, around, around, fc.nat(), fc.nat(), (value, before, after, from, length) => {
        fc.pre(!resemblesProse(value));
        const start = from % (value.length - piece + 1);
        const part = value.slice(start, start + piece + (length % (value.length - start - piece + 1)));
        // The replacement may contain letters of a secret by chance, so it is removed here.
        const shown = redactor([{ name: '', value }])(before + part.toUpperCase() + after).replaceAll(
          '[redacted: ]',
          '\0',
        );
        const telling = informativeCharacters(value);
        for (let at = 0; at + piece <= value.length; at++) {
          if (telling.slice(at, at + piece).filter(Boolean).length < tellingOfPiece) continue;
          expect(shown.toLowerCase()).not.toContain(value.slice(at, at + piece).toLowerCase());
        }
      }),
      { numRuns: 300 },
    );
  });
});
