import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { redactor } from '../../service/redact.ts';
import { resemblesProse, informativeCharacters } from '../../service/secret-strength.ts';

const token = 'Zk9+q/Tt7wX2+b1/LmPo8Q==';
const mark = '[redacted: token]';
const redact = redactor([{ name: 'token', value: token }]);

/** Length of the shortest piece of a secret that must not remain. */
const piece = 8;
/** Number of its characters that must not occur in our words. */
const tellingOfPiece = 4;

const hex = (unit: string, digits: number) => unit.charCodeAt(0).toString(16).padStart(digits, '0');
const units = (text: string, write: (unit: string) => string) => text.split('').map(write).join('');
/** Every byte of UTF-8. */
const percents = (text: string) =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const escapeJson = (text: string) => units(text, (unit) => `\\u${hex(unit, 4)}`);
const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
const names: Readonly<Record<string, string>> = {
  '+': 'plus',
  '/': 'sol',
  '=': 'equals',
  '&': 'amp',
  '<': 'lt',
  '"': 'quot',
  "'": 'apos',
  '\\': 'bsol',
  '%': 'percnt',
  _: 'lowbar',
  '.': 'period',
};
const entities = (text: string) => text.replace(/[^\w]/g, (sign) => `&#${sign.charCodeAt(0)};`);

describe('a secret is redacted as a whole', () => {
  it.each([
    ['with every byte percent-encoded', percents(token)],
    ['with percent signs for some letters', token.replace('Zk', '%5A%6b')],
    ['with every character as an escape of JSON', escapeJson(token)],
    ['as .NET writes JSON', token.replaceAll('+', '\\u002B')],
    ['as PHP writes JSON', token.replaceAll('/', '\\/')],
    ['with escapes of programs', units(token, (unit) => `\\x${hex(unit, 2)}`)],
    ['with decimal entities', entities(token)],
    ['with decimal and hexadecimal entities', token.replaceAll('+', '&#43;').replaceAll('/', '&#x2F;')],
    ['with entities that have zeros in front', units(token, (unit) => `&#x0000${hex(unit, 2)};`)],
    ['with named entities', token.replace(/[+/=]/g, (sign) => `&${names[sign] ?? ''};`)],
    ['in capitals', token.replaceAll('+', '&#x2b;').replaceAll('/', '\\u002f').toUpperCase()],
    ['with one of each', `&#90;%6b9\\u002Bq\\/Tt7wX2&plus;b1&#x2F;LmPo8Q%3D=`],
    ['as JSON within JSON', quoted(escapeJson(token))],
    ['as JSON within JSON within JSON', quoted(quoted(escapeJson(token)))],
    ['as an address within HTML within JSON', quoted(entities(percents(token)))],
    ['percent-encoded twice', encodeURIComponent(percents(token))],
    ['with entities whose ampersands are entities', entities(token).replaceAll('&', '&amp;')],
    ['in base64 within an address', encodeURIComponent(Buffer.from(token).toString('base64'))],
    ['in hex behind escapes', escapeJson(Buffer.from(token).toString('hex'))],
  ])('%s', (_, form) => {
    expect(redact(`{"before":"${form}","ok":true}`).replace(/=+(?=")/, '')).toBe(`{"before":"${mark}","ok":true}`);
  });

  it('that has signs of escapes itself', () => {
    for (const value of ['a%41b%2541c-&amp;x', 'C:\\new\\table\\u0041', '100%&more;\\"quoted"']) {
      const own = redactor([{ name: 'token', value }]);
      for (const form of [
        value,
        percents(value),
        escapeJson(value),
        quoted(value),
        entities(value),
        units(value, (unit) => `&#x${hex(unit, 2)};`),
      ]) {
        expect(own(`x ${form} y`)).toBe(`x ${mark} y`);
      }
    }
  });

  it('of other letters and signs than those of ASCII', () => {
    const value = 'schön-größe-€-🙂-ключ';
    const own = redactor([{ name: 'token', value }]);
    const named = value.replace('ö', '&Ouml;').replace('ö', '&ouml;').replace('ß', '&szlig;');
    for (const form of [percents(value), escapeJson(value), named, escape(value)]) {
      expect(own(`x ${form} y`)).toBe(`x ${mark} y`);
    }
  });

  it('that is short, where it stands by itself', () => {
    const short = redactor([{ name: 'token', value: 'a+b12' }]).foreign;
    expect(short('a&#43;b12, "a\\u002Bb12" \\na+b12, xa%2Bb12')).toBe(`${mark}, "${mark}" \\n${mark}, xa%2Bb12`);
  });

  it('that goes by its prefix alone', () => {
    expect(redactor([])('key=svc%5Fsk%5Fabc%2Ddef&amp;x=1')).toBe('key=[redacted: API key]&amp;x=1');
  });

  it('with spaces as forms send them', () => {
    const own = redactor([{ name: 'token', value: 'one two+three four' }]);
    expect(own(`a=${new URLSearchParams({ x: 'one two+three four' }).toString().slice(2)}&b`)).toBe(`a=${mark}&b`);
  });
});

describe('a secret in any mixture of escapes', () => {
  const secrets = fc.string({ unit: 'grapheme-ascii', minLength: piece, maxLength: 40 });
  const around = fc.string({ unit: 'grapheme', maxLength: 20 });
  /** The form of each character; a character that begins an escape is always escaped, as by encoders. */
  const written = (choices: readonly number[]) => (text: string) => {
    const ways = [
      percents,
      escapeJson,
      (unit: string) => `\\u${hex(unit, 4).toUpperCase()}`,
      (unit: string) => `&#${unit.charCodeAt(0)};`,
      (unit: string) => `&#x${hex(unit, 2)};`,
      (unit: string) => (names[unit] === undefined ? `&#X${hex(unit, 4)};` : `&${names[unit]};`),
      (unit: string) => (/[\w ]/.test(unit) ? `\\x${hex(unit, 2)}` : `\\${unit}`),
      (unit: string) => (/[%\\&]/.test(unit) ? percents(unit) : unit),
    ];
    let at = 0;
    return units(text, (unit) => ways[(choices[at++ % choices.length] ?? 0) % ways.length]?.(unit) ?? '');
  };
  const constants = (encoders: readonly ((text: string) => string)[]) => fc.constantFrom(...encoders);
  const encoderLists = fc.oneof(
    fc.array(constants([percents, encodeURIComponent, escapeJson, quoted, entities]), { minLength: 1, maxLength: 3 }),
    fc
      .tuple(
        fc.array(fc.nat(7), { minLength: 1, maxLength: 12 }).map(written),
        // After mixed encoders, only one that leaves no character of an escape, or the layers could not be
        // distinguished.
        fc.array(constants([percents, encodeURIComponent, escapeJson, entities]), { maxLength: 2 }),
      )
      .map(([first, others]) => [first, ...others]),
  );

  it('is never found again by reading them, cut or not', () => {
    fc.assert(
      fc.property(
        secrets,
        encoderLists,
        around,
        around,
        fc.option(fc.tuple(fc.nat(), fc.nat())),
        (value, encoders, before, after, cut) => {
          fc.pre(!resemblesProse(value));
          const telling = informativeCharacters(value);
          let form = value;
          for (const encode of encoders) form = encode(form);
          if (cut) {
            const from = cut[0] % form.length;
            form = form.slice(from, from + 1 + (cut[1] % (form.length - from)));
          }
          // The replacement may contain letters of a secret by chance, so it is removed here.
          const shown = redactor([{ name: '', value }])(before + form + after).replaceAll('[redacted: ]', '\0');
          for (const text of readings(shown, encoders.length)) {
            for (let at = 0; at + piece <= value.length; at++) {
              if (telling.slice(at, at + piece).filter(Boolean).length < tellingOfPiece) continue;
              expect(text.toLowerCase()).not.toContain(value.slice(at, at + piece).toLowerCase());
            }
          }
          // Text around a complete secret stays, unless its last character and the secret form an escape.
          if (!cut && /[\w ]$|^$/.test(before)) expect(shown.startsWith(before)).toBe(true);
          if (!cut && /^[^\w;]|^$/.test(after)) expect(shown.endsWith(after)).toBe(true);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('other text with escapes', () => {
  it('stays unchanged', () => {
    const escaped = fc.array(
      fc.oneof(
        fc.constantFrom(
          '%',
          '\\',
          '&',
          '&#',
          '&amp;',
          '&#43;',
          '&#x110000;',
          '&none;',
          '%2',
          '%2F',
          '%C3%A4',
          '%C3',
          '\\u00',
          '\\u002B',
          '\\\\',
          '\\"',
          '\\ud83d',
        ),
        fc.string({ unit: 'grapheme', maxLength: 5 }),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(escaped, (parts) => {
        expect(redact(parts.join(''))).toBe(parts.join(''));
      }),
    );
  });

  it('stays unchanged around a secret, to the character', () => {
    expect(redact(`a%20b \\n&amp; "\\u0041${entities(token)}" %41&#65;\\\\`)).toBe(
      `a%20b \\n&amp; "\\u0041${mark}" %41&#65;\\\\`,
    );
  });

  it('is done with, however many layers it has', () => {
    expect(redact(`%${'25'.repeat(50_000)}`)).toHaveLength(100_001);
    expect(redact('\\'.repeat(100_000))).toHaveLength(100_000);
    expect(redact('&amp;'.repeat(20_000))).toHaveLength(100_000);
  });
});

it('takes a secret that is not a key as a whole alone', () => {
  const own = redactor([{ name: 'token', value: 'https://model.acme.example/v1/chat', isWhole: true }]);
  expect(own('https://model.acme.example/v1/cha and https://localhost/chat')).toBe(
    'https://model.acme.example/v1/cha and https://localhost/chat',
  );
  for (const encode of [String, percents, escapeJson, entities, encodeURIComponent]) {
    expect(own(`<${encode('https://model.acme.example/v1/chat')}>`)).toBe(`<${mark}>`);
  }
});

/** All readings of a string by addresses, JSON and HTML, one after another in any order. */
function readings(text: string, layers: number): Set<string> {
  const all = new Set([text]);
  for (let layer = 0; layer < layers + 1; layer++) {
    for (const one of [...all]) {
      all.add(one.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()));
      all.add(
        one.replace(/\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|.)/g, (escape) => {
          if (escape.length > 2) return String.fromCharCode(parseInt(escape.slice(2), 16));
          if (/^\\[bfnrt]/.test(escape)) return JSON.parse(`"${escape}"`) as string;
          return escape.slice(/\w$/.test(escape) ? 0 : 1);
        }),
      );
      // A cut may leave an entity without its end: a browser reads it, but it is at most one more character.
      const ended = one.replace(/&(?!#?\w+;)/g, '&amp;').replaceAll('<', '&lt;');
      all.add(parseHTML(`<p>${ended}</p>`).document.querySelector('p')?.textContent ?? '');
    }
  }
  return all;
}
