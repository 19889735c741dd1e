import type { Identities } from './identities.ts';
import { phones } from './phones.ts';
import type { Spot, Spotter } from './spot.ts';
import { times } from './times.ts';

/** Host names of the local machine. */
const local = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1?\]?|host\.docker\.internal)$/i;

/** Ranges recognised by their form; earlier spotters take precedence. The rest is processed word by word. */
export function findSpots(text: string, identities: Identities): Spot[] {
  const spots: Spot[] = [];
  for (const spotter of spotters) {
    for (const spot of spotter(text, identities)) {
      if (spots.every(({ from, to }) => spot.to <= from || spot.from >= to)) spots.push(spot);
    }
  }
  // A processed range delimits an adjacent phone number instead of hiding it.
  const rest = spots.reduce(
    (left, { from, to }) => left.slice(0, from) + '\n'.repeat(to - from) + left.slice(to),
    text,
  );
  return [...spots, ...phones(rest, identities)].sort((a, b) => a.from - b.from);
}

const ownTexts: Spotter = (text, { ours }) => {
  const isOurs = ({ from, to }: Spot) => ours.has(text.slice(from, to));
  return [
    ...(text.includes('/') ? spotted(text, /[a-z]+(?:-[a-z]+)*\/[\w-]+(?:#[\w-]+)?/g).filter(isOurs) : []),
    ...(text.includes(' --')
      ? spotted(text, /(?<= --(?:seed|runs|answer-timeout|callback-wait) )\d+(?:\.\d+)?(?!\S)/g)
      : []),
    ...(text.includes(' --path ')
      ? spotted(text, /(?<= --path )\d{1,6}(?::\d{1,6})*(?:~[\w+/]*:[\w+/]*)?(?!\S)/g)
      : []),
  ];
};

const mails: Spotter = (text, { standIns }) => {
  if (!text.includes('@')) return [];
  return [
    ...text.matchAll(
      /([\p{L}\p{N}][\p{L}\p{N}\p{M}._%+'-]*)@([\p{L}\p{N}][\p{L}\p{N}\p{M}-]*(?:\.[\p{L}\p{N}\p{M}-]+)+)/gu,
    ),
  ].map(({ index, 0: whole, 1: mailbox = '', 2: host = '' }) =>
    replaced(index, whole, `${standIns.mailbox(mailbox)}@${standIns.host(host)}`),
  );
};

/** The authority of an address, including the user before the @. In links of the app, a path is in its place. */
const authorities: Spotter = (text, { standIns }) => {
  if (!text.includes('://')) return [];
  return [
    ...text.matchAll(
      /(?<=(?<!\bsvc):\/\/)((?:[^\s/?#@"'<>]*@)?)(\[[0-9a-f:.%]+\]|[^\s/?#:@"'<>\\,;(){}|[\]`…]+)(:\d{1,5}(?!\d))?/giu,
    ),
  ].map(({ index, 0: whole, 1: user = '', 2: host = '', 3: port = '' }) => {
    if (local.test(host) && user === '') return { from: index, to: index + whole.length, pieces: [] };
    const named = local.test(host) ? host : standIns.host(host);
    return replaced(index, whole, `${user === '' ? '' : 'user@'}${named}${port}`);
  });
};

const uuids: Spotter = (text, { standIns }) =>
  spotted(text, /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, (uuid) => standIns.uuid(uuid));

const addresses: Spotter = (text, { standIns }) => [
  ...spotted(text, /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?:(?=:\d)|(?![\d.]*\d))/g, (address) =>
    local.test(address) ? address : standIns.host(address),
  ).map((spot) => withPort(text, spot)),
  ...spotted(text, /\blocalhost:\d{1,5}\b/gi),
  ...(text.includes('::') || /(?:[0-9a-f]{1,4}:){7}/i.test(text)
    ? spotted(
        text,
        /(?<![\p{L}\p{N}:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?)(?![\p{L}\p{N}:])/giu,
        (address) => (local.test(address) ? address : standIns.host(address)),
      ).filter(({ from, to }) => to - from > 2)
    : []),
];

/** Status and size in server logs, which otherwise look like a number in groups. */
const logged: Spotter = (text) => [
  ...(text.includes('HTTP/') ? spotted(text, /(?<=HTTP\/\d(?:\.\d)?" )\d{3} \d{1,7}(?![\p{L}\p{N}])/gu) : []),
  ...(/ ms\b/.test(text)
    ? [
        ...spotted(text, /(?<= )[1-5]\d\d \d{1,7}(?= - \d+(?:\.\d+)? ms\b)/g),
        ...spotted(text, /(?<= [1-5]\d\d \d+(?:\.\d+)? ms - )\d{1,7}(?![\p{L}\p{N}])/gu),
      ]
    : []),
];

const spotters: readonly Spotter[] = [ownTexts, mails, authorities, uuids, times, addresses, logged];

function spotted(text: string, pattern: RegExp, standIn?: (found: string) => string): Spot[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) =>
    standIn ? replaced(index, found, standIn(found)) : { from: index, to: index + found.length, pieces: [] },
  );
}

function replaced(index: number, found: string, text: string): Spot {
  const [from, to] = [index, index + found.length];
  return { from, to, pieces: found === text ? [] : [{ from, to, text }] };
}

function withPort(text: string, { from, to, pieces }: Spot): Spot {
  const port = /^:\d{1,5}(?!\d)/.exec(text.slice(to, to + 7))?.[0] ?? '';
  return { from, to: to + port.length, pieces };
}
