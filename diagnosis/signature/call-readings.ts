import type { BodyReading } from './body-readings.ts';

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const onText = (change: (text: string) => string) => (id: Uint8Array) => utf8(change(Buffer.from(id).toString('utf8')));

/** Headers in which an endpoint may look for the id of a call. */
export const otherIdHeaders: readonly (readonly [name: string, isCallSid: boolean])[] = [
  ['X-Svc-Delivery-Id', false],
  ['X-Svc-Call-Sid', true],
  ['X-Svc-CallSid', true],
  ['X-Svc-Agent-Id', false],
  ['X-Call-Id', false],
  ['X-Call-Sid', true],
  ['X-Svc-Session-Id', false],
  ['X-Svc-Event-Id', false],
  ['X-Svc-Request-Id', false],
  ['X-Request-Id', false],
  ['X-Svc-Conversation-Id', false],
  ['X-Svc-Project-Id', false],
  ['X-Svc-Workspace-Id', false],
  ['X-Agent-Id', false],
  ['X-Delivery-Id', false],
  ['X-Svc-Id', false],
  ['CallSid', true],
];

/** Form of the reading with an id from one of those headers. */
export const otherIdForm = 'an id of another header';

/** Value of those headers under that reading. */
export const otherIdMark = 'another-id';

/** Readings of the signed id of a call. */
export function callReadings(url: string): readonly BodyReading[] {
  const { pathname, search, host } = new URL(url);
  const readings: readonly Omit<BodyReading, 'stage'>[] = [
    { ids: ['signature/call-body-signed'], weight: 30, apply: () => new Uint8Array() },
    { ids: ['signature/call-path-signed'], weight: 12, apply: () => utf8(`${pathname}${search}`) },
    { ids: ['signature/call-wrong-id'], form: '"undefined"', weight: 8, apply: () => utf8('undefined') },
    { ids: ['signature/call-wrong-id'], form: otherIdForm, weight: 8, apply: () => utf8(otherIdMark) },
    { ids: ['signature/call-id-upper-case'], weight: 6, apply: onText((text) => text.toUpperCase()) },
    { ids: ['signature/call-id-lower-case'], weight: 6, apply: onText((text) => text.toLowerCase()) },
    { ids: ['signature/call-wrong-id'], form: '"null"', weight: 3, apply: () => utf8('null') },
    { ids: ['signature/call-wrong-id'], form: '"None"', weight: 3, apply: () => utf8('None') },
    { ids: ['signature/call-path-signed'], form: 'the whole address', weight: 4, apply: () => utf8(url) },
    { ids: ['signature/call-path-signed'], form: 'without the query', weight: 3, apply: () => utf8(pathname) },
    {
      ids: ['signature/call-path-signed'],
      form: 'the host and the path',
      weight: 1,
      apply: () => utf8(`${host}${pathname}${search}`),
    },
    {
      ids: ['signature/call-path-signed'],
      form: 'GET and the path',
      weight: 1,
      apply: () => utf8(`GET ${pathname}${search}`),
    },
    {
      ids: ['signature/call-wrong-id'],
      form: 'the last part of the path',
      weight: 2,
      apply: () => utf8(pathname.split('/').at(-1) ?? ''),
    },
    {
      ids: ['signature/call-wrong-id'],
      form: 'the id without hyphens',
      weight: 2,
      apply: onText((text) => text.replaceAll('-', '')),
    },
    { ids: ['signature/call-body-signed'], form: '{}', weight: 2, apply: () => utf8('{}') },
    {
      ids: ['signature/call-wrong-id'],
      form: '{} of an empty object',
      weight: 0.5,
      apply: () => utf8('[object Object]'),
    },
    { ids: ['signature/call-wrong-id'], form: 'with CA before it', weight: 0.5, apply: onText((text) => `CA${text}`) },
  ];
  return readings.map((reading) => ({ ...reading, stage: 'replaced' as const }));
}
