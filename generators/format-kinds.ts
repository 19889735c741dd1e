import type fc from 'fast-check';
import { formats } from '../specs/formats.ts';
import { oneIn, pick } from './schema-node.ts';

/** Generates, recognises and simplifies the strings of one `format`. */
export interface FormatKind {
  make(rng: fc.Random): string;
  readonly edges: readonly string[];
  accepts(text: string): boolean;
  /** Simpler strings of the same format, each closer to the simplest. */
  smaller(text: string): readonly string[];
}

interface Moment {
  readonly day: string;
  readonly time: string;
  readonly fraction: string;
  readonly zone: string;
}

const SIMPLEST: Moment = { day: '2026-01-01', time: '00:00:00', fraction: '', zone: '' };

/**
 * Leap day, turn of the year, daylight saving changes, the end of 32-bit seconds. Only years that every platform
 * supports.
 */
const EDGE_DAYS: readonly (readonly [string, string])[] = [
  ['2026-01-01', '00:00:00'],
  ['2028-02-29', '23:59:59'],
  ['2026-12-31', '23:59:59'],
  ['2026-03-29', '02:30:00'],
  ['2026-10-25', '02:30:00'],
  ['2038-01-19', '03:14:08'],
  ['1970-01-01', '00:00:00'],
  ['2099-12-31', '12:00:00'],
];
const FRACTIONS = ['', '.1', '.123', '.123456', '.1234567'];
const ZONES = ['Z', '+00:00', '+02:00', '-05:30', '+14:00'];

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function split(text: string): Moment {
  const found = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)([.,]\d+)?(.*))?$/.exec(text);
  const [, day = SIMPLEST.day, time = '', fraction = '', zone = ''] = found ?? [];
  return { day, time, fraction, zone };
}

function join(moment: Moment): string {
  return moment.time === '' ? moment.day : `${moment.day}T${moment.time}${moment.fraction}${moment.zone}`;
}

function momentKind(accepts: (text: string) => boolean, zones: readonly string[], timed: boolean): FormatKind {
  const shape = (day: string, time: string, fraction: string, zone: string): string =>
    timed ? `${day}T${time}${fraction}${zone}` : day;
  const edges = [
    ...EDGE_DAYS.map(([day, time]) => shape(day, time, '', zones[0] as string)),
    ...FRACTIONS.map((fraction) => shape('2026-10-11', '09:30:00', fraction, zones[0] as string)),
    ...zones.map((zone) => shape('2026-10-11', '09:30:00', '', zone)),
  ].filter(accepts);
  return {
    accepts,
    edges: [...new Set(edges)],
    make(rng) {
      const day = `${rng.nextInt(1990, 2060)}-${two(rng.nextInt(1, 12))}-${two(rng.nextInt(1, 28))}`;
      if (!timed) return day;
      const time = `${two(rng.nextInt(0, 23))}:${two(rng.nextInt(0, 59))}:${two(rng.nextInt(0, 59))}`;
      return shape(day, time, oneIn(rng, 3) ? pick(rng, FRACTIONS) : '', pick(rng, zones));
    },
    smaller(text) {
      const moment = split(text);
      const simplest: Moment = { ...SIMPLEST, time: timed ? SIMPLEST.time : '', zone: zones[0] as string };
      const [year, month = '', date = ''] = moment.day.split('-');
      const steps: Moment[] = [
        simplest,
        { ...moment, fraction: '' },
        { ...moment, fraction: moment.fraction.slice(0, 2) },
        { ...moment, zone: simplest.zone },
        { ...moment, time: simplest.time },
        { ...moment, day: simplest.day },
        { ...moment, day: `2026-${month}-${date}` },
        { ...moment, day: `${year}-01-${date}` },
        { ...moment, day: `${year}-${month}-01` },
        ...[0, 3, 6].map((at) => ({ ...moment, time: `${moment.time.slice(0, at)}00${moment.time.slice(at + 2)}` })),
      ];
      const candidates = (timed ? steps : steps.map((each) => ({ ...each, time: '' }))).map(join);
      return [...new Set(candidates)].filter((each) => each !== text && accepts(each));
    },
  };
}

/** A format with a fixed grammar: a few samples, combined from parts. */
function composedKind(
  accepts: FormatKind['accepts'],
  make: (rng: fc.Random) => string,
  edges: readonly string[],
): FormatKind {
  return {
    accepts,
    edges,
    make,
    smaller: (text) => edges.slice(0, edges.includes(text) ? edges.indexOf(text) : undefined),
  };
}

const name = (rng: fc.Random): string => `${pick(rng, ['a', 'anna', 'b2', 'x-y'])}${rng.nextInt(0, 999)}`;
const hex = (rng: fc.Random, digits: number): string =>
  Array.from({ length: digits }, () => rng.nextInt(0, 15).toString(16)).join('');

/** The formats that `fromSchema` supports; any other is an error. Addresses use names reserved for examples. */
export const formatKinds: Readonly<Record<string, FormatKind>> = {
  date: momentKind(formats.date, [''], false),
  'date-time': momentKind(formats['date-time'], ZONES, true),
  'svc-utc-timestamp': momentKind(formats['svc-utc-timestamp'], [''], true),
  'svc-local-timestamp': momentKind(formats['svc-local-timestamp'], [''], true),
  'svc-timestamp': momentKind(formats['svc-timestamp'], ['', ...ZONES], true),
  'svc-request-time': momentKind(formats['svc-request-time'], ['', ...ZONES], true),
  'svc-request-utc': momentKind(formats['svc-request-utc'], ['Z', '', '+00:00'], true),
  'svc-phone': composedKind(formats['svc-phone'], (rng) => `+49${rng.nextInt(30, 9999)}${rng.nextInt(1000, 999999)}`, [
    '+4930901820',
    '+49 (0)30 901820',
    '+49\u00a030\u2011901820',
    '+1 (212) 555-0100 ext. 12',
    '+112',
    '+999999999999999',
  ]),
  email: composedKind(
    (text) => /^[^\s@]+@[^\s@]+$/.test(text),
    (rng) => `${name(rng)}@${pick(rng, ['example.com', 'mail.example.org'])}`,
    ['a@example.com', 'first.last+tag@example.com', "o'brien@sub.example.org", `${'a'.repeat(64)}@example.com`],
  ),
  uri: composedKind(
    (text) => /^[A-Za-z][A-Za-z0-9+.-]*:[^\s"<>\\^`{|}]+$/.test(text),
    (rng) => `https://example.com/${name(rng)}`,
    ['https://example.com', 'https://example.com:8443/a/b?c=d&e=%2F#f', 'urn:example:a'],
  ),
  uuid: composedKind(
    (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
    (rng) => `${hex(rng, 8)}-${hex(rng, 4)}-4${hex(rng, 3)}-8${hex(rng, 3)}-${hex(rng, 12)}`,
    ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  ),
};
