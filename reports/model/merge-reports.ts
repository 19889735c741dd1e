import { requirements } from '../../specs/requirements/catalogue.ts';
import type { CheckResult, Exchange, Report, RequirementResult, Selection, Timing } from '../../specs/types.ts';
import { buildReport, type Catalogue } from './build-report.ts';
import { configuredSurfaces } from './configured-surfaces.ts';
import { notSelectedMessage } from './groups.ts';
import { configKeys, surfaceOf } from './surfaces.ts';
import { worstVerdict } from './verdict.ts';
import { findMismatch } from './find-mismatch.ts';

/** These reports are not the shards of one run; the message says which one is wrong and why. */
export class ReportsNotMergeable extends Error {
  override readonly name = 'ReportsNotMergeable';
}

/**
 * The report of the run of which these are all the shards, in any order. It equals that of the whole run in verdicts,
 * requirements and checks: a check that ran in several shards keeps its worst outcome. It began when the first shard did
 * and took as long as the longest. A `gate` of the shards is omitted: each was decided on a part.
 *
 * @param names what the reports are called in errors, in their order
 * @throws ReportsNotMergeable when a shard is missing, comes twice, or is of another run, or when none judged a requirement
 */
export function mergeReports(
  reports: readonly Report[],
  names: readonly string[] = reports.map((_, at) => `report ${at + 1}`),
): Report {
  const mismatch = findMismatch(reports, names);
  if (mismatch !== undefined) throw new ReportsNotMergeable(mismatch);
  const shards = reports
    .toSorted((a, b) => (a.selection?.shard?.index ?? 0) - (b.selection?.shard?.index ?? 0))
    .map((report, at) => withOwnIds(report, at));
  const [first] = shards;
  if (!first) throw new ReportsNotMergeable('expected reports to merge, received none');
  const exchanges = inOrderOfTime(shards.flatMap((shard) => shard.exchanges));
  const newIds = new Map(exchanges.map(({ id }, at) => [id, `ex-${at + 1}`]));
  const { own, ofInterface } = cataloguesOf(shards);
  const merged = buildReport(
    {
      version: first.harness.version,
      protocol: first.protocol,
      startedAt: shards.map(({ startedAt }) => startedAt).reduce((a, b) => (b < a ? b : a)),
      durationMs: Math.max(...shards.map(({ durationMs }) => durationMs)),
      seed: first.seed,
      target: targetOf(shards),
      configFile: first.configFile,
      environment: environmentOf(shards),
      selection: selectionOf(first.selection),
      configured: configuredSurfaces(...shards),
      selected: (id) => !isNotSelected(id, shards),
      own,
      checks: checksOf(shards).map((check) => renumbered(check, newIds)),
      exchanges: exchanges.map((exchange) => ({ ...exchange, id: newIds.get(exchange.id) ?? exchange.id })),
      timings: timingsOf(shards),
    },
    ofInterface,
  );
  const container = shards.find((shard) => shard.container?.exitCode !== undefined)?.container ?? first.container;
  return { ...merged, ...(container && { container }), ...logsOf(shards) };
}

/**
 * The lines of all containers. Readers find the lines of an exchange by time, so where shards ran side by side each would
 * be shown beside what another container was asked: they are counted then, and stay in the reports of the shards.
 */
function logsOf(shards: readonly Report[]): Pick<Report, 'logs' | 'logsLeftOut'> {
  const logged = shards.filter(({ logs }) => logs).toSorted((a, b) => compare(a.startedAt, b.startedAt));
  if (logged.length === 0) return {};
  const lines = logged.flatMap(({ logs = [] }) => logs);
  const leftOut = logged.reduce((sum, { logsLeftOut = 0 }) => sum + logsLeftOut, 0);
  const isSideBySide = logged.some(({ startedAt }, at) => {
    const before = logged[at - 1];
    return before && Date.parse(startedAt) < Date.parse(before.startedAt) + before.durationMs;
  });
  const missing = isSideBySide ? leftOut + lines.length : leftOut;
  return { logs: isSideBySide ? [] : lines, ...(missing > 0 && { logsLeftOut: missing }) };
}

/** Each report counts its exchanges from 1. */
function withOwnIds(report: Report, shard: number): Report {
  const ids = new Map(report.exchanges.map(({ id }) => [id, `${shard}:${id}`]));
  return {
    ...report,
    exchanges: report.exchanges.map((exchange) => ({ ...exchange, id: ids.get(exchange.id) ?? exchange.id })),
    checks: report.checks.map((check) => renumbered(check, ids)),
  };
}

function renumbered(check: CheckResult, ids: ReadonlyMap<string, string>): CheckResult {
  const of = (id: string) => ids.get(id) ?? id;
  const { brokeAt, brokeIn } = check;
  return {
    ...check,
    evidence: check.evidence.map(of),
    ...(brokeAt && { brokeAt: { ...brokeAt, exchange: of(brokeAt.exchange) } }),
    ...(brokeIn && { brokeIn: { ...brokeIn, exchange: of(brokeIn.exchange) } }),
  };
}

/** In the catalogue's order, as a single run has them. */
function checksOf(shards: readonly Report[]): CheckResult[] {
  const groups = Map.groupBy(
    shards.flatMap(({ checks }) => checks),
    ({ id }) => id,
  );
  const worst = [...groups.values()].flatMap((group) => {
    const verdict = worstVerdict(group.map((check) => check.verdict));
    return group.find((check) => check.verdict === verdict) ?? [];
  });
  return worst.toSorted((a, b) => catalogueRank(a.requirement) - catalogueRank(b.requirement) || compare(a.id, b.id));
}

function inOrderOfTime(exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.toSorted((a, b) => compare(a.startedAt, b.startedAt));
}

function timingsOf(shards: readonly Report[]): Timing[] {
  const groups = Map.groupBy(
    shards.flatMap(({ timings }) => timings),
    ({ name, limit }) => JSON.stringify([name, limit]),
  );
  const order = Object.keys(configKeys);
  const rank = ({ name }: Timing) => (order.includes(surfaceOf(name)) ? order.indexOf(surfaceOf(name)) : order.length);
  return [...groups.values()]
    .flatMap(([one, ...others]) =>
      one ? [{ ...one, samples: [one, ...others].flatMap(({ samples }) => samples) }] : [],
    )
    .toSorted((a, b) => rank(a) - rank(b));
}

/** A shard names what it judged; together they name everything. */
function targetOf(shards: readonly Report[]): Report['target'] {
  const named = Object.assign({}, ...shards.toReversed().map(({ target }) => target)) as Report['target'];
  const rank = (surface: string) => Object.keys(configKeys).indexOf(surface);
  return Object.fromEntries(Object.entries(named).toSorted(([a], [b]) => rank(a) - rank(b)));
}

/** What weakens one shard weakens the whole. */
function environmentOf(shards: readonly Report[]): Report['environment'] {
  const environments = shards.flatMap(({ environment }) => environment ?? []);
  const weakSecrets = [...new Set(environments.flatMap((one) => one.weakSecrets ?? []))];
  const isUnverified = environments.some(({ tlsVerification }) => tlsVerification === 'disabled');
  if (!isUnverified && weakSecrets.length === 0) return undefined;
  return {
    ...(isUnverified && { tlsVerification: 'disabled' as const }),
    ...(weakSecrets.length > 0 && { weakSecrets }),
  };
}

function selectionOf(selection: Selection | undefined): Selection | undefined {
  const { shard: _, ...rest } = selection ?? {};
  return Object.keys(rest).length > 0 ? rest : undefined;
}

function isNotSelected(id: string, shards: readonly Report[]): boolean {
  return shards.some(({ requirements: rows }) =>
    rows.some((row) => row.id === id && row.checks.length === 0 && row.message === notSelectedMessage),
  );
}

/**
 * The catalogue that the shards were judged by, which may be an older one than ours, and what the integrator has stated on
 * top of it.
 */
function cataloguesOf(shards: readonly Report[]): { ofInterface: Catalogue; own: Catalogue } {
  const rows = shards.flatMap((shard) => shard.requirements);
  const sorted = rows.toSorted((a, b) => catalogueRank(a.id) - catalogueRank(b.id));
  const own = sorted.filter((row) => row.own);
  return { ofInterface: catalogueOf(sorted.filter((row) => !row.own)), own: catalogueOf(own) };
}

function catalogueOf(rows: readonly RequirementResult[]): Catalogue {
  return Object.fromEntries(
    rows.map(({ id, section, level, statement, remediation, unobservable }) => [
      id,
      { section, level, statement, remediation, unobservable },
    ]),
  );
}

const ranks = new Map(Object.keys(requirements).map((id, rank) => [id, rank]));

function catalogueRank(id: string): number {
  return ranks.get(id) ?? ranks.size;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
