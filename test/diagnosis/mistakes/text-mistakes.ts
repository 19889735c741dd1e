import type { CauseId } from '../../../diagnosis/causes.ts';
import { asJson } from '../receiver.ts';
import type { Mistake } from './mistake.ts';
import { answerCorrectly, node, type Event } from './node-endpoint.ts';

const all = (event: Event) => JSON.stringify(event);
const strings = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(strings)
      : [];

/** Fails where `breaks` applies to the message text, or to all strings of the event. */
const of = (
  name: string,
  causes: readonly CauseId[],
  breaks: (event: Event) => boolean,
  surface: Mistake['surface'] = 'own-ai-chat',
) =>
  // A length limit is only a suspect, since the interface does not state one for messages of customers.
  node(
    { name, group: 'text', surface, causes, ...(causes.includes('payload/long-text') && { isSuspected: true }) },
    () => ({
      answer: (event) => (breaks(event) ? asJson(500, { error: 'internal error' }) : answerCorrectly(event)),
    }),
  );
const text = (event: Event): string => event.data?.message?.text ?? '';

/** Strings that an endpoint cannot handle: each class with its narrower and wider siblings. */
export const textMistakes: readonly Mistake[] = [
  of('a console writes ASCII only', ['payload/non-ascii-characters'], (event) => /[^\0-\x7f]/.test(text(event))),
  of('a column is Latin-1', ['payload/non-latin-1-characters'], (event) => /[^\0-\xff]/.test(text(event))),
  of('a column is utf8mb3', ['payload/astral-characters'], (event) => /[\u{10000}-\u{10ffff}]/u.test(text(event))),
  of(
    'a column of the CRM is utf8mb3',
    ['payload/astral-characters'],
    (event) => strings(event).some((one) => /[\u{10000}-\u{10ffff}]/u.test(one)),
    'crm-webhook',
  ),
  of('a column has 200 bytes', ['payload/long-text'], (event) => Buffer.byteLength(text(event)) > 200),
  of('a column has 40 bytes', ['payload/long-text'], (event) => Buffer.byteLength(text(event)) > 40),
  of('a column has 200 UTF-16 units', ['payload/long-text'], (event) => text(event).length > 200),
  of(
    'every string is checked for ASCII',
    ['payload/non-ascii-characters'],
    (event) => /[^\0-\x7f]/.test(all(event)),
    'api-webhooks',
  ),
  of(
    'every string is checked for Latin-1',
    ['payload/non-latin-1-characters'],
    (event) => /[^\0-\xff]/.test(all(event)),
    'api-webhooks',
  ),
  of('right-to-left letters fail', ['payload/right-to-left-letters'], (event) => /[\u0590-\u06ff]/.test(text(event))),
  of('an apostrophe ends the SQL string', ['payload/quotes'], (event) => text(event).includes("'")),
  of('any quotation mark fails', ['payload/quotes'], (event) => /["']/.test(text(event))),
  of('an emoji joined of several fails', ['payload/invisible-characters', 'payload/text-value'], (event) =>
    text(event).includes('\u200d'),
  ),
];
