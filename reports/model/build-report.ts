import { requirements } from '../../specs/requirements/catalogue.ts';
import type {
  CheckResult,
  Exchange,
  Level,
  Report,
  RequirementResult,
  Selection,
  Slowness,
  Timing,
  NotJudged,
} from '../../specs/generated/types.ts';
import { basicRank } from './basic-rank.ts';
import { coverageOf } from './coverage.ts';
import { partialRun } from './partial-run.ts';
import { surfaceOf, type Surface } from '../../specs/surfaces.ts';
import { outcomeOf, outcomes, runVerdict, summarise, worstVerdict } from './verdict.ts';
import { formatExpectation } from '../text/wording.ts';
import { describeNotConfigured, describeNotJudged } from '../text/not-judged.ts';

/** The results of a finished run. Times in milliseconds; `startedAt` in ISO 8601 with zone. */
export interface RunRecord {
  readonly version: string;
  /** Revision of the own-AI protocol that was used. */
  readonly protocol: string;
  /** The vendor's brand; absent: that of the document. */
  readonly brand?: string | undefined;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  readonly target: Report['target'];
  readonly configFile?: string | undefined;
  readonly configInRepository?: string | undefined;
  /** Set for a partial run, or when a wait was shortened. */
  readonly selection?: Selection | undefined;
  /** Where the run took place. */
  readonly origin?: Report['origin'];
  /** Conditions of the environment that weaken the result. */
  readonly environment?: Report['environment'];
  /** The limits of the config and what was sent. */
  readonly limits?: Report['limits'];
  readonly configured: readonly Surface[];
  /** Keys of the config that are not set; default: none. */
  readonly unset?: readonly string[] | undefined;
  /** Requirement ids selected for the run; default: all. */
  readonly selected?: readonly string[] | ((id: string) => boolean) | undefined;
  /** Requirements of the integrator's own suites; their rows follow those of the catalogue. */
  readonly own?: Catalogue | undefined;
  readonly checks: readonly CheckResult[];
  readonly exchanges: readonly Exchange[];
  readonly timings: readonly Timing[];
  /** The requests for which the endpoint was slow; default: none. */
  readonly slowness?: readonly Slowness[] | undefined;
}

/** The fields of a catalogue entry that the report contains. */
export interface CatalogueEntry {
  readonly section: string;
  readonly level: Level;
  readonly statement: string;
  readonly remediation: string;
  readonly unobservable?: string | undefined;
}

export type Catalogue = Readonly<Record<string, CatalogueEntry>>;

/**
 * Builds the report of a run: one row for each requirement of the catalogue (except those of the service), decided by its
 * checks, or with the reason why it was not judged. Check results are never dropped: a requirement that the catalogue
 * lacks gets a separate row. The integrator's own requirements are marked.
 */
export function buildReport(run: RunRecord, catalogue: Catalogue = requirements): Report {
  const rows = inReadingOrder(requirementRows(run, catalogue));
  const summary = summarise(rows);
  const partial = partialRun({ selection: run.selection, requirements: rows });
  return {
    schemaVersion: 2,
    harness: { name: 'svc-conform', version: run.version },
    protocol: run.protocol,
    ...(run.brand !== undefined && { brand: run.brand }),
    startedAt: run.startedAt,
    durationMs: run.durationMs,
    seed: run.seed,
    verdict: runVerdict(summary, run.selection),
    summary,
    coverage: coverageOf(rows, run),
    target: run.target,
    ...(run.configFile !== undefined && { configFile: run.configFile }),
    ...(run.configInRepository !== undefined && { configInRepository: run.configInRepository }),
    ...(run.origin && { origin: run.origin }),
    ...(run.environment && { environment: run.environment }),
    ...(run.limits && { limits: run.limits }),
    ...(run.selection && { selection: run.selection }),
    ...(partial && { partial }),
    requirements: rows,
    checks: [...run.checks],
    exchanges: [...run.exchanges],
    timings: [...run.timings],
    ...(run.slowness && run.slowness.length > 0 && { slowness: [...run.slowness] }),
  };
}

function requirementRows(run: RunRecord, catalogue: Catalogue): RequirementResult[] {
  const checksOf = Map.groupBy(run.checks, (check) => check.requirement);
  const { own = {} } = run;
  const known = [...Object.keys(catalogue).filter((id) => !id.startsWith('service/')), ...Object.keys(own)];
  const unknown = [...checksOf.keys()].filter((id) => !known.includes(id));
  return [...known, ...unknown].map((id) => {
    const checks = checksOf.get(id) ?? [];
    const entry = catalogue[id] ?? own[id] ?? entryOfUnknown(checks);
    const { verdict, message, notJudged } = checks.length > 0 ? judged(id, checks) : withoutCheck(id, entry, run);
    return {
      id,
      surface: surfaceOf(id),
      section: entry.section,
      level: entry.level,
      verdict,
      statement: entry.statement,
      remediation: entry.remediation,
      ...(message !== undefined && { message }),
      ...(notJudged && { notJudged }),
      ...(entry.unobservable !== undefined && { unobservable: entry.unobservable }),
      ...(Object.hasOwn(own, id) && { own: true as const }),
      checks: checks.map((check) => check.id),
    };
  });
}

type Decision = Pick<RequirementResult, 'verdict' | 'notJudged'> & { readonly message: string | undefined };

function judged(id: string, checks: readonly CheckResult[]): Decision {
  const verdict = worstVerdict(checks.map((check) => check.verdict));
  const deciding = checks.filter((check) => check.verdict === verdict);
  const message = deciding.map(messageOf).find((text) => text !== undefined);
  if (message !== undefined || verdict === 'pass') return { verdict, message };
  if (verdict === 'not-applicable') return { verdict, message: describeNotConfigured(surfaceOf(id)) };
  return { verdict, message: 'the check gave no reason' };
}

function withoutCheck(id: string, entry: CatalogueEntry, run: RunRecord): Decision {
  const surface = surfaceOf(id);
  const notJudged = whyNotJudged(id, entry, run);
  const verdict = notJudged === 'not-configured' ? 'not-applicable' : 'not-exercised';
  return { verdict, notJudged, message: describeNotJudged(notJudged, { surface, ...entry }) };
}

function whyNotJudged(id: string, entry: CatalogueEntry, run: RunRecord): NotJudged {
  if (!run.configured.some((one) => one === surfaceOf(id))) return 'not-configured';
  if (!isSelected(id, run.selected)) return 'not-selected';
  if (entry.unobservable !== undefined) return 'unobservable';
  if (run.selection?.shard) return 'other-shard';
  if (run.selection?.stopped) return 'stopped';
  return run.selection?.capture ? 'not-recorded' : 'no-check';
}

function messageOf(check: CheckResult): string | undefined {
  return check.message ?? formatExpectation(check);
}

function isSelected(id: string, selected: RunRecord['selected']): boolean {
  if (selected === undefined) return true;
  return typeof selected === 'function' ? selected(id) : selected.includes(id);
}

function entryOfUnknown(checks: readonly CheckResult[]): CatalogueEntry {
  const levels: readonly Level[] = ['must', 'should', 'advice'];
  return {
    section: 'not in the catalogue',
    level: levels.find((level) => checks.some((check) => check.level === level)) ?? 'must',
    statement: checks[0]?.title ?? '',
    remediation: '',
  };
}

/** Failures first, most severe first, basic requirements before detailed ones; the others in catalogue order. */
function inReadingOrder(rows: readonly RequirementResult[]): RequirementResult[] {
  const rank = (row: RequirementResult) => Math.min(outcomes.indexOf(outcomeOf(row)), outcomes.indexOf('pass'));
  const judgedRank = (row: RequirementResult) => (outcomeOf(row) === 'fail' ? basicRank(row.id) : 0);
  return rows.toSorted((a, b) => rank(a) - rank(b) || judgedRank(a) - judgedRank(b));
}
