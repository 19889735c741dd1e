import { requirements } from '../../specs/requirements/catalogue.ts';
import type {
  CheckResult,
  Exchange,
  Report,
  RequirementResult,
  Selection,
  Timing,
} from '../../specs/generated/types.ts';
import { mergeSlowness } from './slowness.ts';
import { isDisabledByVariable } from '../text/run-notes.ts';
import { buildReport, type Catalogue } from './build-report.ts';
import { configuredSurfaces } from './configured-surfaces.ts';
import { worstVerdict } from './verdict.ts';
import { findMismatch } from './find-mismatch.ts';
import { surfaceOf, surfaces, surfaceRank, isSurface } from '../../specs/surfaces.ts';

/** The reports are not the shards of one run; the message says which one does not fit and why. */
export class ReportsNotMergeable extends Error {
  override readonly name = 'ReportsNotMergeable';
}

/**
 * Merges all shards of one run, in any order. The result equals the report of the whole run in verdicts, requirements and
 * checks; a check that ran in several shards keeps its worst outcome. It starts with the first shard and lasts as long as
 * the longest one. The gates of the shards are omitted, since each was decided on a part.
 *
 * @param names names of the reports for errors, in their order
 * @throws ReportsNotMergeable when a shard is missing, duplicate or from another run, or no shard judged a requirement
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
      configInRepository: first.configInRepository,
      origin: first.origin,
      environment: environmentOf(shards),
      limits: limitsOf(shards),
      selection: selectionOf(first.selection),
      configured: configuredSurfaces(...shards),
      unset: shards.flatMap(({ coverage }) => coverage?.configure ?? []),
      selected: (id) => !isNotSelected(id, shards),
      own,
      checks: checksOf(shards).map((check) => renumbered(check, newIds)),
      exchanges: exchanges.map((exchange) => ({ ...exchange, id: newIds.get(exchange.id) ?? exchange.id })),
      timings: timingsOf(shards),
      slowness: mergeSlowness(shards.map(({ slowness = [] }) => slowness)),
    },
    ofInterface,
  );
  const container = shards.find((shard) => shard.container?.exitCode !== undefined)?.container ?? first.container;
  const start = shards.find((shard) => shard.start?.exits !== undefined)?.start ?? first.start;
  return { ...merged, ...(container && { container }), ...(start && { start }), ...logsOf(shards) };
}

/**
 * The log lines of all endpoints that were started. Writers match log lines to exchanges by time, which is wrong for shards that ran in
 * parallel: their lines are only counted, and stay in the reports of the shards.
 */
function logsOf(shards: readonly Report[]): Pick<Report, 'logs' | 'logsOmitted'> {
  const logged = shards.filter(({ logs }) => logs).toSorted((a, b) => compare(a.startedAt, b.startedAt));
  if (logged.length === 0) return {};
  const lines = logged.flatMap(({ logs = [] }) => logs);
  const omitted = logged.reduce((sum, { logsOmitted = 0 }) => sum + logsOmitted, 0);
  const isParallel = logged.some(({ startedAt }, at) => {
    const before = logged[at - 1];
    return before && Date.parse(startedAt) < Date.parse(before.startedAt) + before.durationMs;
  });
  const missing = isParallel ? omitted + lines.length : omitted;
  return { logs: isParallel ? [] : lines, ...(missing > 0 && { logsOmitted: missing }) };
}

/** Makes exchange ids unique, since each report counts from 1. */
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
  const { brokeAt } = check;
  return {
    ...check,
    evidence: check.evidence.map(of),
    ...(brokeAt && { brokeAt: { ...brokeAt, exchange: of(brokeAt.exchange) } }),
  };
}

/** In catalogue order, as in a single run. */
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
  const rank = ({ name }: Timing) => (isSurface(surfaceOf(name)) ? surfaceRank(surfaceOf(name)) : surfaces.length);
  return [...groups.values()]
    .flatMap(([one, ...others]) =>
      one ? [{ ...one, samples: [one, ...others].flatMap(({ samples }) => samples) }] : [],
    )
    .toSorted((a, b) => rank(a) - rank(b));
}

/** A shard lists only the targets that it judged. */
function targetOf(shards: readonly Report[]): Report['target'] {
  const named = Object.assign({}, ...shards.toReversed().map(({ target }) => target)) as Report['target'];
  return Object.fromEntries(Object.entries(named).toSorted(([a], [b]) => surfaceRank(a) - surfaceRank(b)));
}

/** A condition that weakens one shard weakens the whole run. */
function environmentOf(shards: readonly Report[]): Report['environment'] {
  const environments = shards.flatMap(({ environment }) => environment ?? []);
  const weakSecrets = [...new Set(environments.flatMap((one) => one.weakSecrets ?? []))];
  const isUnverified = environments.some(({ tlsVerification }) => tlsVerification === 'disabled');
  const insecure = [...new Set(environments.flatMap((one) => one.insecure ?? []))];
  const isByVariable = environments.some(isDisabledByVariable);
  const urls = new Set(environments.flatMap(({ proxies = [] }) => proxies.map(({ url }) => url)));
  const proxies = [...urls].map((url) => {
    const used = environments.flatMap((one) => (one.proxies ?? []).filter((proxy) => proxy.url === url));
    return { url, keys: [...new Set(used.flatMap(({ keys }) => keys))] };
  });
  const allowedHttp = [...new Set(environments.flatMap((one) => one.allowedHttp ?? []))];
  if (!isUnverified && weakSecrets.length + proxies.length + allowedHttp.length === 0) return undefined;
  return {
    ...(isUnverified && { tlsVerification: 'disabled' as const }),
    ...(insecure.length > 0 && { insecure, ...(isByVariable && { insecureByVariable: true as const }) }),
    ...(proxies.length > 0 && { proxies }),
    ...(allowedHttp.length > 0 && { allowedHttp }),
    ...(weakSecrets.length > 0 && { weakSecrets }),
  };
}

/** Each shard has its own limits, so the merged run had as much as all of them. */
function limitsOf(shards: readonly Report[]): Report['limits'] {
  const given = shards.flatMap(({ limits }) => limits ?? []);
  if (given.length === 0) return undefined;
  const add = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const sum = (kind: 'messages' | 'calls'): Report['limits'] => {
    const used = given.flatMap(({ [kind]: one }) => one ?? []);
    const limited = used.filter(({ most }) => most !== undefined);
    if (used.length === 0) return {};
    return {
      [kind]: {
        sent: add(used.map(({ sent }) => sent)),
        ...(limited.length > 0 && { most: add(limited.map(({ most = 0 }) => most)) }),
      },
    };
  };
  const rates = given.flatMap(({ perMinute }) => perMinute ?? []);
  return { ...sum('messages'), ...sum('calls'), ...(rates.length > 0 && { perMinute: add(rates) }) };
}

function selectionOf(selection: Selection | undefined): Selection | undefined {
  const { shard: _, ...rest } = selection ?? {};
  return Object.keys(rest).length > 0 ? rest : undefined;
}

function isNotSelected(id: string, shards: readonly Report[]): boolean {
  return shards.some(({ requirements: rows }) => rows.some((row) => row.id === id && row.notJudged === 'not-selected'));
}

/**
 * The catalogue that the shards used, which may be older than ours, and the integrator's own requirements.
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
