import { createHash } from 'node:crypto';
import { observedWeight, type Reading, type SchemeId } from './reading.ts';

/** Inputs of a signature: one delivery, or the upgrade of one call. */
export interface Facts {
  /** Unix seconds in the header. */
  t: number;
  /** Id of the delivery or call. */
  id: string;
  method: string;
  url: string;
}

/** Placeholder for the body, or for the id of the call, in the signed content. */
export const subject = Symbol('subject');
/** Placeholder for its SHA-256, as hex. */
export const subjectHash = Symbol('hash of the subject');

export type ContentPart = string | typeof subject | typeof subjectHash;

/** A reading of the signed content. */
export interface ContentReading extends Reading {
  parts: (facts: Facts) => readonly ContentPart[];
}

/** `t`, a dot, the body or call id (interface: Authentication). */
export const correctContent: ContentReading = { ids: [], weight: 1000, parts: ({ t }) => [`${t}.`, subject] };

const iso = (t: number) => new Date(t * 1000).toISOString();

/** Readings for both deliveries and calls. */
const shared: readonly ContentReading[] = [
  { ids: ['signature/body-alone'], weight: 26, parts: () => [subject] },
  { ids: ['signature/no-separator'], weight: 13, parts: ({ t }) => [String(t), subject] },
  { ids: ['signature/other-separator'], form: 'a colon', weight: 6, parts: ({ t }) => [`${t}:`, subject] },
  { ids: ['signature/other-separator'], form: 'a line feed', weight: 4, parts: ({ t }) => [`${t}\n`, subject] },
  { ids: ['signature/t-in-milliseconds'], weight: 7, parts: ({ t }) => [`${t}000.`, subject] },
  { ids: ['signature/body-first'], weight: 6, parts: ({ t }) => [subject, `.${t}`] },
  { ids: ['signature/t-alone'], weight: 5, parts: ({ t }) => [String(t)] },
  { ids: ['signature/version-first'], form: 'v1:t:', weight: 4, parts: ({ t }) => [`v1:${t}:`, subject] },
  { ids: ['signature/version-first'], form: 'v1.t.', weight: 4, parts: ({ t }) => [`v1.${t}.`, subject] },
  { ids: ['signature/version-first'], form: 'v0:t:', weight: 2.5, parts: ({ t }) => [`v0:${t}:`, subject] },
  { ids: ['signature/names-signed'], weight: observedWeight, parts: ({ t }) => [`t=${t}.`, subject] },
  { ids: ['signature/names-signed'], form: 'with a comma', weight: 1, parts: ({ t }) => [`t=${t},`, subject] },
  { ids: ['signature/t-in-iso'], form: 'with milliseconds', weight: 4, parts: ({ t }) => [`${iso(t)}.`, subject] },
  {
    ids: ['signature/t-in-iso'],
    form: 'in whole seconds',
    weight: 2.5,
    parts: ({ t }) => [`${iso(t).slice(0, 19)}Z.`, subject],
  },
  {
    ids: ['signature/t-in-iso'],
    form: 'with +00:00',
    weight: 1.5,
    parts: ({ t }) => [`${iso(t).slice(0, 19)}+00:00.`, subject],
  },
  {
    ids: ['signature/t-in-iso'],
    form: 'without a zone',
    weight: 0.8,
    parts: ({ t }) => [`${iso(t).slice(0, 19)}.`, subject],
  },
  { ids: ['signature/other-separator'], form: 'a vertical bar', weight: 2.2, parts: ({ t }) => [`${t}|`, subject] },
  { ids: ['signature/other-separator'], form: 'a hyphen', weight: 2, parts: ({ t }) => [`${t}-`, subject] },
  { ids: ['signature/other-separator'], form: 'a comma', weight: 1.8, parts: ({ t }) => [`${t},`, subject] },
  { ids: ['signature/other-separator'], form: 'a space', weight: 1.6, parts: ({ t }) => [`${t} `, subject] },
  { ids: ['signature/body-first'], form: 'without the dot', weight: 2, parts: ({ t }) => [subject, String(t)] },
  { ids: ['signature/other-separator'], form: 'an underscore', weight: 0.6, parts: ({ t }) => [`${t}_`, subject] },
  { ids: ['signature/other-separator'], form: 'a semicolon', weight: 0.6, parts: ({ t }) => [`${t};`, subject] },
  {
    ids: ['signature/names-signed'],
    form: 'with v1= after it',
    weight: 0.6,
    parts: ({ t }) => [`t=${t}.v1=`, subject],
  },
  { ids: ['signature/t-in-milliseconds'], form: 'no dot', weight: 0.7, parts: ({ t }) => [`${t}000`, subject] },
  { ids: ['signature/body-first'], form: 'a colon', weight: 0.5, parts: ({ t }) => [subject, `:${t}`] },
];

/** Readings with an additional value in the usual places of the content. */
function also(id: SchemeId, value: (facts: Facts) => string, weight: number, form?: string): readonly ContentReading[] {
  const ids = [id];
  const named = form === undefined ? {} : { form };
  return [
    { ids, ...named, weight, parts: (facts) => [`${facts.t}.${value(facts)}.`, subject] },
    { ids, ...named, weight: weight * 0.8, parts: (facts) => [`${value(facts)}.${facts.t}.`, subject] },
    { ids, ...named, weight: weight * 0.5, parts: (facts) => [`${facts.t}.`, subject, `.${value(facts)}`] },
    { ids, ...named, weight: weight * 0.4, parts: (facts) => [`${value(facts)}${facts.t}.`, subject] },
    { ids, ...named, weight: weight * 0.4, parts: (facts) => [`${facts.t}${value(facts)}`, subject] },
    { ids, ...named, weight: weight * 0.3, parts: (facts) => [`${value(facts)}.`, subject] },
    { ids, ...named, weight: weight * 0.3, parts: (facts) => [`${value(facts)}\n${facts.t}\n`, subject] },
    { ids, ...named, weight: weight * 0.2, parts: (facts) => [value(facts), subject] },
  ];
}

const address = ({ url }: Facts) => url;
const pathWithQuery = ({ url }: Facts) => `${new URL(url).pathname}${new URL(url).search}`;

/** Every wrong content of a delivery. */
export const deliveryContents: readonly ContentReading[] = [
  ...shared,
  { ids: ['signature/delivery-id-first'], weight: 8, parts: ({ id, t }) => [`${id}.${t}.`, subject] },
  { ids: ['signature/delivery-id-first'], form: 'after t', weight: 2, parts: ({ id, t }) => [`${t}.${id}.`, subject] },
  { ids: ['signature/delivery-id-first'], form: 'without t', weight: 2, parts: ({ id }) => [`${id}.`, subject] },
  { ids: ['signature/body-hash-signed'], weight: observedWeight, parts: ({ t }) => [`${t}.`, subjectHash] },
  { ids: ['signature/body-hash-signed'], form: 'without t', weight: 0.5, parts: () => [subjectHash] },
  ...also('signature/path-signed', pathWithQuery, 2),
  ...also('signature/url-signed', address, 2),
  ...also('signature/method-signed', ({ method }) => method, 1.6),
  ...also('signature/method-signed', (facts) => `${facts.method}.${pathWithQuery(facts)}`, 1.2, 'and the path'),
  ...also('signature/method-signed', (facts) => `${facts.method}${pathWithQuery(facts)}`, 0.8, 'and the path'),
  ...also('signature/method-signed', (facts) => `${facts.method} ${pathWithQuery(facts)}`, 0.6, 'and the path'),
  {
    ids: ['signature/method-signed'],
    form: 'and the path',
    weight: 0.8,
    parts: (facts) => [`${facts.method}\n${pathWithQuery(facts)}\n${facts.t}\n`, subject],
  },
  {
    ids: ['signature/method-signed'],
    form: 'and the path',
    // As crypto exchanges do.
    weight: 2,
    parts: (facts) => [`${facts.t}${facts.method}${pathWithQuery(facts)}`, subject],
  },
];

/** Every wrong content of a call that includes the call id. */
export const callContents: readonly ContentReading[] = [
  ...shared.map((content) => (content.ids[0] === 'signature/body-alone' ? { ...content, weight: 20 } : content)),
  ...also('signature/path-signed', pathWithQuery, 2),
  ...also('signature/url-signed', address, 1.5),
  ...also('signature/method-signed', ({ method }) => method, 1),
];

/** The bytes of a content. */
export function contentBytes(parts: readonly ContentPart[], bytes: Uint8Array): Uint8Array {
  return Buffer.concat(
    parts.map((part) => {
      if (part === subject) return bytes;
      return Buffer.from(part === subjectHash ? createHash('sha256').update(bytes).digest('hex') : part, 'utf8');
    }),
  );
}

/** A key of the content that is equal for equal bytes; `token` represents the body. */
export function contentToken(parts: readonly ContentPart[], token: string): string {
  return parts.map((part) => (part === subject ? token : part === subjectHash ? `\u0003${token}` : part)).join('');
}
