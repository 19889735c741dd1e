import type { Shard } from '../../specs/generated/types.ts';
import { HarnessFault } from './faults.ts';
import { isEndpointSurface, isSurface } from '../../specs/surfaces.ts';

/** Suites that judge the effects of the whole run, so they run last, when most of what they wait for has arrived. */
export const lastSuites =
  /\/(callback|answers|replies|frames|greetings|endings|interrupts|until-the-end)\.suite\.[jt]s$/;

/** Suites among them that judge what must not follow until the run ends: they run after all others. */
export const finalSuites = /\/until-the-end\.suite\.[jt]s$/;

/** Whether the suites of a surface share one input: the requests of one client run, the links of one file. */
const isUndivided = (surface: string) => isSurface(surface) && !isEndpointSurface(surface);

/**
 * Seconds that a suite takes with an endpoint that answers after 0.4 s. Suites that are not listed take the usual time.
 */
const seconds: Readonly<Record<string, number>> = {
  'crm-webhook/any-event': 30,
  'crm-webhook/event-types': 12,
  'crm-webhook/tokens': 1,
  'api-webhooks/any-event': 30,
  'api-webhooks/event-types': 5,
  'api-webhooks/events': 8,
  'own-ai-chat/any-event': 30,
  'own-ai-chat/answer-times': 1,
  'own-ai-phone/any-call': 30,
  'own-ai-phone/beginnings': 10,
  'own-ai-phone/call-times': 9,
  'own-ai-phone/unexpected-endings': 8,
  'api-client': 4,
  'deep-links': 0.1,
};
const usualSeconds = 5;

/** The unit of distribution. */
interface Share {
  name: string;
  surface: string;
  files: string[];
  seconds: number;
}

/**
 * The suites (paths that end in `/suites/<surface>/<name>.suite.ts`) that one shard runs, in the given order. Suites
 * are distributed by duration, the same way each time; suites that judge a whole run go to every shard that runs
 * another suite of their surface.
 *
 * @throws HarnessFault `selection-empty` when there are more shards than units
 */
export function shardOf(files: readonly string[], { index, of }: Shard): string[] {
  const shares = sharesOf(files.filter((file) => !lastSuites.test(file)));
  if (of > shares.length) {
    throw new HarnessFault('selection-empty:shard', { index, of, most: shares.length });
  }
  const shards = Array.from({ length: of }, (): { shares: Share[]; seconds: number } => ({ shares: [], seconds: 0 }));
  for (const share of shares) {
    const lightest = shards.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    lightest.shares.push(share);
    lightest.seconds += share.seconds;
  }
  const mine = shards[index - 1]?.shares ?? [];
  const surfaces = new Set(mine.map(({ surface }) => surface));
  const chosen = new Set(mine.flatMap((share) => share.files));
  return files.filter((file) => chosen.has(file) || (lastSuites.test(file) && surfaces.has(partsOf(file).surface)));
}

/** Longest first, then by name. */
function sharesOf(files: readonly string[]): Share[] {
  const groups = Map.groupBy(files, (file) => {
    const { surface, name } = partsOf(file);
    return isUndivided(surface) ? surface : `${surface}/${name}`;
  });
  return [...groups]
    .map(([name, group]) => ({
      name,
      surface: name.split('/', 1)[0] ?? name,
      files: group,
      seconds: seconds[name] ?? usualSeconds,
    }))
    .toSorted((a, b) => b.seconds - a.seconds || (a.name < b.name ? -1 : 1));
}

function partsOf(file: string): { surface: string; name: string } {
  const [, surface = '', name = ''] = /(?:^|\/)suites\/([^/]+)\/(.+)\.suite\.[jt]s$/.exec(file) ?? [];
  return { surface, name };
}
