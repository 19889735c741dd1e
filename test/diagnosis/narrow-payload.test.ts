import { describe, expect, it } from 'vitest';
import { bodySize } from '../../diagnosis/payload/body-size.ts';
import type { EventSender, EventSendOptions } from '../../diagnosis/payload/event-sender.ts';
import { narrowString } from '../../diagnosis/payload/narrow-string.ts';
import type { StringTrait } from '../../diagnosis/payload/string-traits.ts';

const refusedIf = (pattern: RegExp) => (text: string) => Promise.resolve(pattern.test(text));

describe('a class of characters that is refused', () => {
  it.each([
    [
      'one of two classes, if the string has only this one',
      '\u0645\u0631',
      /[\u0600-\u06ff\u{10000}-\u{10ffff}]/u,
      'payload/right-to-left-letters',
      'beyond U+FFFF',
    ],
    [
      'the wider class of a joined emoji',
      '\u{1f469}\u200d\u{1f467}',
      /[\u{10000}-\u{10ffff}]/u,
      'payload/astral-characters',
      'an emoji',
    ],
    ['line ends of every kind', 'a\nb\r\nc\td', /[\n\r\t]/, 'payload/line-ends', 'a tab'],
    ['no class, if three different ones are refused', `'"<b>&amp;\n`, /['"<\n]/, 'payload/text-value', 'quotes'],
  ])('is reported: %s', async (_, text, pattern, id, words) => {
    const found = await narrowString(text, 'data.message.text', refusedIf(pattern));
    expect(found?.id).toBe(id);
    expect(found?.summary).toContain(words);
  });
});

describe('a limit of characters', () => {
  it.each([
    ['M\u00fcller-L\u00fcdenscheidt', 10, 'more than 10 characters'],
    ["O'Brien-McArthur", 13, 'more than 12 characters or a few more (15 are too many)'],
    ["O'Brien", 4, 'more than 4 characters'],
    ['x'.repeat(500), 255, 'more than 255 characters'],
  ])('is the reason that %s is refused, and not its characters', async (text, most, words) => {
    const found = await narrowString(text, 'data.contact.name', refusedIf(new RegExp(`^.{${most + 1}}`, 'u')));
    expect(found).toEqual({ id: 'payload/long-text', summary: `The event fails when data.contact.name has ${words}.` });
  });
});

describe('a string at a second place', () => {
  const text = '\u{1f331} O\'Brien "so" 50% of {name} \u00e4 \u65b0';
  /** What a second place adds to the strings that were sent for the first one. */
  const atSecondPlace = async (first: RegExp, second: RegExp) => {
    const known: StringTrait[] = [];
    await narrowString(text, 'the first place', refusedIf(first), { known });
    const sent: string[] = [];
    const found = await narrowString(
      text,
      'the second place',
      (one) => {
        sent.push(one);
        return refusedIf(second)(one);
      },
      { known },
    );
    return { found, sent };
  };

  it.each([
    ['one class', /[\u{10000}-\u{10ffff}]/u, 'payload/astral-characters', 2],
    ['a class with all others in it', /[^\0-\x7f]/u, 'payload/non-ascii-characters', 3],
    ['two classes', /['"]/, 'payload/quotes', 3],
  ])('is confirmed to fail for the same reason with few deliveries: %s', async (_, pattern, id, most) => {
    const { found, sent } = await atSecondPlace(pattern, pattern);
    expect(found?.id).toBe(id);
    expect(sent.length).toBeLessThanOrEqual(most);
  });

  it.each([
    ['a wider class', /[\u{10000}-\u{10ffff}]/u, /[^\0-\x7f]/u, 'payload/non-ascii-characters'],
    ['a narrower class', /[^\0-\x7f]/u, /[\u{10000}-\u{10ffff}]/u, 'payload/astral-characters'],
    ['another class', /'/, /%/, 'payload/format-characters'],
    ['its length', /'/, /^.{30}/u, 'payload/long-text'],
    ['its length as well', /'/, /^.{30}|'/u, 'payload/long-text'],
  ])('is searched in full where it fails for another reason: %s', async (_, first, second, id) => {
    expect((await atSecondPlace(first, second)).found?.id).toBe(id);
  });

  it('is searched in full where a class is refused of which it has one kind of character', async () => {
    const known: StringTrait[] = [];
    await narrowString(text, 'the first place', refusedIf(/[\u{10000}-\u{10ffff}]/u), { known });
    const found = await narrowString('\u{1f331}', 'the second place', refusedIf(/[^\0-\x7f]/u), { known });
    expect(found?.id).toBe('payload/non-ascii-characters');
  });

  it('is searched in full where it has no character of the known class', async () => {
    const known: StringTrait[] = [];
    await narrowString("O'Brien", 'the first place', refusedIf(/'/), { known });
    const found = await narrowString('Null', 'the second place', refusedIf(/'|^Null$/), { known });
    expect(found).toMatchObject({
      id: 'payload/text-value',
      summary: expect.stringContaining('"Null"') as string,
      remediation: expect.stringContaining('treats the value as false or empty') as string,
    });
  });

  it('is searched in full where only its length is more than that of all traits', async () => {
    const known: StringTrait[] = [];
    await narrowString("O'Brien", 'the first place', refusedIf(/'/), { known });
    const found = await narrowString(`O'Brien ${'x'.repeat(60)}`, 'the second place', refusedIf(/^.{60}|'/), { known });
    expect(found?.id).toBe('payload/long-text');
  });

  it('is searched in full where only a part of a class is refused', async () => {
    const { found } = await atSecondPlace(/[^\0-\x7f]/u, /[\x80-\xff]/u);
    expect(found?.summary).toContain('letters with accents');
  });
});

describe('a limit of the size of bodies', () => {
  const plain = { text: 'x'.repeat(600) };
  const own = Buffer.byteLength(JSON.stringify(plain));
  const senderWith = (isRefused: (bytes: number) => boolean) =>
    ({
      send: (event: object, { write = JSON.stringify }: EventSendOptions) =>
        Promise.resolve({ ok: !isRefused(Buffer.byteLength(write(event))) }),
    }) as unknown as EventSender;

  it.each([
    [(bytes: number) => bytes > 1_024, 'larger than 1024 bytes'],
    [(bytes: number) => bytes > 900, `larger than a limit between ${own} and 1000 bytes`],
    [(bytes: number) => bytes > own, `larger than ${own} bytes`],
  ])('is described in a sentence: %#', async (isRefused, words) => {
    const size = await bodySize(senderWith(isRefused), plain, 9_000);
    expect(size?.cause.summary).toContain(words);
  });

  it('is not the cause if the event is refused without padding', async () => {
    expect(
      await bodySize(
        senderWith(() => true),
        plain,
        9_000,
      ),
    ).toBeUndefined();
  });
});
