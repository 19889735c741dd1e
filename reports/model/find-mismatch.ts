import { isLoopback } from '../../specs/is-loopback.ts';
import type { Report } from '../../specs/generated/types.ts';
import { configuredSurfaces } from './configured-surfaces.ts';

/** Values that must be equal in all shards of a run: label, location and remediation. */
const shared: readonly {
  readonly what: string;
  readonly of: (report: Report) => unknown;
  readonly remediation: string;
}[] = [
  {
    what: 'the number of shards',
    of: ({ selection }) => selection?.shard?.of,
    remediation: 'Give each job --shard with the same number after the slash.',
  },
  { what: 'the seed', of: ({ seed }) => seed, remediation: 'Give each job the same --seed.' },
  {
    what: 'the version of svc-conform',
    of: ({ harness }) => harness.version,
    remediation: 'Install the same version in each job.',
  },
  { what: 'the protocol', of: ({ protocol }) => protocol, remediation: 'Install the same version in each job.' },
  {
    what: 'the brand',
    of: ({ brand }) => brand,
    remediation: 'Give each job the same config.',
  },
  {
    what: 'the selection',
    of: ({ selection }) => {
      const { shard: _, ...rest } = selection ?? {};
      return rest;
    },
    remediation: 'Give each job the same flags except --shard.',
  },
  {
    what: 'the configured surfaces',
    of: (report) => configuredSurfaces(report),
    remediation: 'Give each job the same config: the shards divide the configured surfaces.',
  },
  {
    what: 'the image',
    of: ({ container }) => [container?.digestOf, container?.digest ?? container?.image].filter(Boolean).join(' '),
    remediation: 'Pin the image by its digest, so that each job runs the same one.',
  },
];

/** Shards of one run begin within this many milliseconds; an older one belongs to an earlier run. */
const mostApartMs = 86_400_000;
/** The most missing shards, or requirements without a judgement, in a message. */
const mostNamed = 10;

/**
 * Why these reports are not all shards of one run, with the remediation; `undefined` when they are.
 *
 * @param names names of the reports, in their order
 */
export function findMismatch(reports: readonly Report[], names: readonly string[]): string | undefined {
  const shards = reports.map((report, at) => ({ report, name: names[at] ?? `report ${at + 1}` }));
  const [first, ...others] = shards;
  if (!first) return 'expected reports to merge, received none';
  for (const { report, name } of shards) {
    if (!report.selection?.shard) return `${name}: expected a shard of a run, received a whole run (no --shard)`;
    if (report.selection.stopped) return `${name}: expected a shard that ran to its end, received one that was stopped`;
    if (report.anonymized) {
      return `${name}: expected an unmodified report, received an anonymised one. Merge first: stand-ins differ between reports.`;
    }
  }
  for (const { report, name } of others) {
    const mismatch = differing(first, { report, name }) ?? otherTarget(shards, { report, name }) ?? otherDay(shards);
    if (mismatch !== undefined) return mismatch;
  }
  return incomplete(shards) ?? unjudged(reports);
}

interface Named {
  readonly report: Report;
  readonly name: string;
}

function differing(first: Named, other: Named): string | undefined {
  for (const { what, of, remediation } of shared) {
    const [expected, received] = [shown(of(first.report)), shown(of(other.report))];
    if (expected !== received) {
      return `${other.name}: expected ${what} of ${first.name} (${expected}), received ${received}. ${remediation}`;
    }
  }
  return undefined;
}

/** A shard lists only the targets that it judged, so each surface is compared with the first shard that lists it. */
function otherTarget(shards: readonly Named[], other: Named): string | undefined {
  for (const [surface, target] of Object.entries(other.report.target)) {
    const first = shards.find(({ report }) => Object.hasOwn(report.target, surface));
    const known = first?.report.target[surface];
    if (!first || !known) continue;
    const [expected, received] = [addressOf(known), addressOf(target)];
    if (expected !== received) {
      return `${other.name}: expected the ${surface} endpoint of ${first.name} (${expected}), received ${received}. All shards must check the same endpoint.`;
    }
  }
  return undefined;
}

function otherDay(shards: readonly Named[]): string | undefined {
  const [latest] = shards.toSorted((a, b) => began(b) - began(a));
  const old = latest && shards.find((shard) => !(began(latest) - began(shard) <= mostApartMs));
  return (
    old &&
    `${old.name}: expected a shard of the same run as ${latest.name}, which began at ${latest.report.startedAt}, received one that began at ${old.report.startedAt}. Shards of one run begin within a day: run all of them again.`
  );
}

function began({ report }: Named): number {
  return Date.parse(report.startedAt);
}

/** Jobs on separate machines use any free port, so loopback ports are not compared. */
function addressOf({ url, command, file }: Report['target'][string]): string {
  if (url === undefined) return shown(command ?? file);
  const parsed = URL.parse(url);
  if (parsed && isLoopback(parsed.hostname)) parsed.port = '';
  return parsed?.href ?? url;
}

function incomplete(shards: readonly Named[]): string | undefined {
  const of = shards[0]?.report.selection?.shard?.of ?? 0;
  const byIndex = Map.groupBy(shards, ({ report }) => report.selection?.shard?.index ?? 0);
  for (const [index, same] of byIndex) {
    if (same.length > 1) {
      return `expected each shard once, received ${index}/${of} as ${same.map(({ name }) => name).join(' and ')}`;
    }
    if (index > of) return `${same[0]?.name}: expected a shard of ${of}, received shard ${index}`;
  }
  const missing: string[] = [];
  for (let index = 1; index <= of && missing.length < mostNamed; index++) {
    if (!byIndex.has(index)) missing.push(`${index}/${of}`);
  }
  if (missing.length === 0) return undefined;
  const more = of - shards.length - missing.length;
  const names = more > 0 ? `${missing.join(', ')} and ${more} more` : missing.join(', ');
  return `expected ${of} shards, received ${shards.length}: ${names} ${missing.length === 1 ? 'is' : 'are'} missing`;
}

/** In a complete run, each observable requirement has a check. */
function unjudged(reports: readonly Report[]): string | undefined {
  const rows = reports.flatMap(({ requirements }) => requirements);
  const judged = new Set(rows.filter(({ checks }) => checks.length > 0).map(({ id }) => id));
  const left = rows.filter(({ id, notJudged }) => notJudged === 'other-shard' && !judged.has(id)).map(({ id }) => id);
  const ids = [...new Set(left)];
  if (ids.length === 0) return undefined;
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : '';
  return `expected each requirement judged by a shard, received none for ${ids.slice(0, mostNamed).join(', ')}${more}. The shards divided the suites differently: give each job the same config and the same build.`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');
}
