import type { Reading } from './reading.ts';

/** Location of `t` and the signature for an endpoint. */
export interface HeaderReading extends Reading {
  /** Value of the header. */
  write: (t: number, v1: string) => string;
  /** The header has another name: all known names are tried at once and distinguished later. */
  otherName?: true;
  /** Its parts can stand next to those of others: see {@link everyNotation}. */
  isSwept?: true;
}

/** `t=<unix seconds>,v1=<hex>` (interface: Authentication). */
export const correctHeader: HeaderReading = { ids: [], weight: 1000, write: (t, v1) => `t=${t},v1=${v1}` };

export const headerReadings: readonly HeaderReading[] = [
  {
    ids: ['signature/header-split-wrong'],
    form: 'the whole header is read as the signature',
    weight: 9,
    write: (_, v1) => v1,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 'sha256= is expected before the signature',
    weight: 8,
    write: (_, v1) => `sha256=${v1}`,
  },
  { ids: ['signature/other-header-name'], weight: 14, otherName: true, write: (t, v1) => `t=${t},v1=${v1}` },
  {
    ids: ['signature/header-split-wrong'],
    form: 'a semicolon is expected between the parts',
    isSwept: true,
    weight: 4,
    write: (t, v1) => `t=${t};v1=${v1}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 'a comma and a space are expected between the parts',
    isSwept: true,
    weight: 4,
    write: (t, v1) => `t=${t}, v1=${v1}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 'v1 is expected first',
    weight: 4,
    write: (t, v1) => `v1=${v1},t=${t}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 'a space is expected between the parts',
    weight: 3,
    write: (t, v1) => `t=${t} v1=${v1}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 'colons are expected in place of =',
    isSwept: true,
    weight: 2.5,
    write: (t, v1) => `t:${t},v1:${v1}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 'a colon is expected between the parts',
    isSwept: true,
    weight: 2.5,
    write: (t, v1) => `t=${t}:v1=${v1}`,
  },
  {
    ids: ['signature/other-header-name', 'signature/header-split-wrong'],
    form: 'sha256= is expected before the signature',
    weight: 3,
    otherName: true,
    write: (_, v1) => `sha256=${v1}`,
  },
  {
    ids: ['signature/other-header-name', 'signature/header-split-wrong'],
    form: 'the whole header is read as the signature',
    weight: 3,
    otherName: true,
    write: (_, v1) => v1,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 't and the signature are expected without names',
    weight: 1.5,
    write: (t, v1) => `${t},${v1}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 't and the signature are expected without names, with a dot',
    weight: 0.8,
    write: (t, v1) => `${t}.${v1}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 't and the signature are expected without names, with a colon',
    weight: 0.8,
    write: (t, v1) => `${t}:${v1}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 'an ampersand is expected between the parts',
    isSwept: true,
    weight: 0.8,
    write: (t, v1) => `t=${t}&v1=${v1}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 'a vertical bar is expected between the parts',
    isSwept: true,
    weight: 0.6,
    write: (t, v1) => `t=${t}|v1=${v1}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 'v0 is expected in place of v1',
    isSwept: true,
    weight: 1.2,
    write: (t, v1) => `t=${t},v0=${v1}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 's is expected in place of v1',
    isSwept: true,
    weight: 1,
    write: (t, v1) => `t=${t},s=${v1}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 'v1= is expected, without t',
    weight: 1.5,
    write: (_, v1) => `v1=${v1}`,
  },
  {
    ids: ['signature/header-split-wrong'],
    form: 'v1, a comma and the signature are expected',
    weight: 1.5,
    write: (_, v1) => `v1,${v1}`,
  },
];

/** The same notation in X-Svc-Signature; `undefined` if only that header is read. */
export function ownHeader({ ids, otherName, ...reading }: HeaderReading): HeaderReading | undefined {
  return otherName && { ...reading, ids: ids.filter((id) => id !== 'signature/other-header-name') };
}

/**
 * `t` and the signature in all notations that are marked as swept. A reader of one of them that takes the parts by their
 * names finds each of its parts once: what belongs to other notations is part of an unknown `x` for it.
 */
export const everyNotation: HeaderReading = {
  ids: ['signature/header-split-wrong'],
  form: 'one of several notations is expected',
  weight: 0,
  write: (t, v1) => {
    const between = (sign: string) => `${sign}t=${t}${sign}v1=${v1}${sign}x=`;
    return `x=${[';', '&', '|', ':'].map(between).join('')},t:${t},v1:${v1},v0=${v1},s=${v1},t=${t}${between(', ')}`;
  },
};

/** Signature header names of other services. */
export const otherHeaderNames: readonly string[] = [
  'X-Signature',
  'X-Hub-Signature-256',
  'X-Webhook-Signature',
  'Svix-Signature',
  'Webhook-Signature',
  'Stripe-Signature',
  'X-Svc-Signature-256',
  'X-Svc-Signature-V1',
  'X-Svc-Webhook-Signature',
  'Svc-Signature',
  'Signature',
  'X-Hub-Signature',
  'X-Svc-Hmac',
  'X-Svc-Hmac-Sha256',
  'X-Hmac-Signature',
  'X-Signature-256',
  'X-Signature-Sha256',
  'X-Hmac-Sha256',
  'X-Agent-Signature',
  'X-Request-Signature',
  'X-Slack-Signature',
  'X-Twilio-Signature',
  'X-Shopify-Hmac-Sha256',
  'X-Svc-Sign',
  'X-Svc-Signatur',
  'X-Svc-Agent-Signature',
  'X-Svc-Call-Signature',
  'X-Callback-Signature',
];

/** Timestamp header names of services whose signature header contains no time. */
export const timestampHeaderNames: readonly string[] = [
  'X-Svc-Timestamp',
  'X-Timestamp',
  'X-Webhook-Timestamp',
  'Webhook-Timestamp',
  'Svix-Timestamp',
  'X-Request-Timestamp',
  'X-Signature-Timestamp',
  'X-Svc-Request-Timestamp',
  'X-Slack-Request-Timestamp',
];

/** Event id header names of the same services. */
export const idHeaderNames: readonly string[] = ['Webhook-Id', 'Svix-Id', 'X-Webhook-Id'];
