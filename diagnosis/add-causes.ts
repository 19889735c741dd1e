import { isEntrance } from '../harness/checks/entrance.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { type ResolvedConfig } from '../harness/config/settings.ts';
import type { CheckCause, CheckResult, DiagnosedSurface, Exchange } from '../specs/generated/types.ts';
import { causeOf } from './causes.ts';
import { Connection, OutOfTime } from './connection.ts';
import { causeOfStop } from './cause-of-stop.ts';
import { relevantPart } from './relevant-part.ts';
import { extractFailing } from './extract-failing.ts';
import { establishedCause, isBlockedByConnection, isDiagnosedFailure, probeFor, wholeProbes } from './probe-for.ts';
import { settledProbes } from './settled-probes.ts';
import { probeNames, type ProbeName } from '../specs/requirements/probe.ts';
import { isWeakness } from './is-weakness.ts';
import type { CauseSearch, StagedCause } from './diagnose.ts';
import type { Found, ProbeOutcome } from './outcome.ts';
import { loadProbe, type LoadProbe } from './load-probe.ts';
import { configKeyOf } from '../specs/surfaces.ts';
import { type Redact } from '../service/redact.ts';

/** The result of a run. */
export interface JudgedChecks {
  checks: readonly CheckResult[];
  exchanges: readonly Exchange[];
}

export interface CauseSearchOptions {
  /** The endpoints as the run reached them. */
  config: ResolvedConfig;
  seed: number;
  /** Redacts the secrets of the config. */
  redact: Redact;
  /** Milliseconds for all of it. */
  withinMs: number;
  load?: LoadProbe;
  /** Called with one sentence for each failure without a result. */
  note?: (sentence: string) => void;
}

/** Most runs of one probe on one surface: each costs deliveries, for which an AI may charge. */
const mostRunsOfProbe = 4;
/** Milliseconds after the deadline in which a probe may still finish. */
const graceMs = 500;

/** The result of a diagnosis for one check. */
type Explanation = Pick<ProbeOutcome, 'found' | 'suspects'>;

/**
 * Finds the causes of failed and blocked requirements, each with its cheapest probe, cheapest first, and adds them to
 * the `causes` of their checks. Verdicts and evidence do not change. Each surface has its share of the time, plus what the
 * others leave. Ends in time, whatever the endpoint does.
 *
 * @returns the checks in their order
 */
export async function addCauses(
  { checks, exchanges }: JudgedChecks,
  { config, seed, redact, withinMs, load = loadProbe, note = () => undefined }: CauseSearchOptions,
): Promise<CheckResult[]> {
  const endsAt = performance.now() + withinMs;
  const report = (sentence: string) => note(redact(sentence));
  const explained = new Map<string, Explanation>();
  for (const check of checks) {
    const id = establishedCause(check, exchanges);
    if (id) explained.set(check.id, { found: { id }, suspects: [] });
  }
  // An endpoint that has stopped cannot be probed.
  const closed = new Set(checks.filter(({ id, verdict }) => explained.has(id) && verdict === 'blocked').map(surfaceOf));
  const wanted = checks.filter(
    (check) =>
      !explained.has(check.id) &&
      !closed.has(surfaceOf(check)) &&
      (isDiagnosedFailure(check) || isBlockedByConnection(check)),
  );
  const bySurface = [...Map.groupBy(wanted, surfaceOf)]
    .filter(([surface]) => config[configKeyOf(surface)] !== undefined)
    // A silent endpoint uses all its time, so it runs last.
    .sort(([, one], [, other]) => Number(one.some(isSilent)) - Number(other.some(isSilent)));
  for (const [at, [surface, own]] of bySurface.entries()) {
    const withinMs = Math.max(0, (endsAt - performance.now()) / (bySurface.length - at));
    try {
      await using connection = await Connection.open(surface, config, { seed, withinMs });
      const settled = settledProbes(checks, surface);
      await askAbout(own, { connection, exchanges, load, settled, explained, note: report });
    } catch (error) {
      if (error instanceof OutOfTime) {
        const open = own.filter(({ id }) => !explained.has(id)).length;
        if (open > 0) report(unfinished(surface, open, withinMs));
        continue;
      }
      // A fault of the diagnosis must not cost the run its report.
      report(`The cause of the failures of ${surface} could not be determined: ${describeFault(error)}`);
    }
  }
  return checks.map((check) => withCause(check, explained.get(check.id), redact));
}

function isSilent({ code }: CheckResult): boolean {
  return code === 'target-silent';
}

function unfinished(surface: DiagnosedSurface, open: number, withinMs: number): string {
  const failures = open === 1 ? '1 failure' : `${open} failures`;
  return `No cause found for ${failures} in ${surface} within ${Math.round(withinMs / 100) / 10} s; run svc-conform diagnose ${surface}.`;
}

interface Asking {
  connection: Connection;
  exchanges: readonly Exchange[];
  load: LoadProbe;
  /** Probes of which the run has already shown that they would find nothing. */
  settled: ReadonlySet<ProbeName>;
  /** By the ids of checks; filled. */
  explained: Map<string, Explanation>;
  note: (sentence: string) => void;
}

async function askAbout(checks: readonly CheckResult[], asking: Asking): Promise<void> {
  const { connection, load, settled, explained } = asking;
  // The same search as in a diagnosis, so that both report the same causes.
  const { search } = await import('./diagnose.ts');
  const whole = await connection.inTime(search(connection, { load, settled, through: 'protocol' }), graceMs);
  const likeliest = likeliestOf(whole);
  const isEntranceClosed = checks.some((check) => isDiagnosedFailure(check) && isEntrance(check.requirement));
  const isClosed = whole.isClosed || (isEntranceClosed && whole.confirmed.some(isEntranceCause));
  const isOver = connection.remainingMs <= 0;
  for (const check of checks) {
    const isBlocked = isBlockedByConnection(check);
    const part = isBlocked || isClosed ? likeliest : partFor(check, whole);
    if (part) explained.set(check.id, part);
    else if (isBlocked && isOver && isSilent(check)) setExplanation(explained, check, silence(connection));
  }
  if (!isClosed)
    await askOfOthers(
      checks.filter((check) => isDiagnosedFailure(check)),
      whole,
      asking,
    );
  if (isOver) throw new OutOfTime('Results up to the deadline are reported.');
}

/** A confirmed cause that rejects valid requests, before anything else is judged. */
function isEntranceCause({ id, stage }: StagedCause): boolean {
  return stage === 'authentication' && !isWeakness(id);
}

/** The first explanation of a search. */
function likeliestOf({ confirmed: [found], suspects }: CauseSearch): Explanation | undefined {
  if (found) return { found, suspects: [] };
  return suspects.length > 0 ? { suspects } : undefined;
}

/** What a search says about one failure: a cause that names it, or else the only one of its stage. */
function partFor({ requirement }: CheckResult, { confirmed, suspects }: CauseSearch): Explanation | undefined {
  const slug = requirement.slice(requirement.indexOf('/') + 1);
  const named = confirmed.find(({ id }) => causeOf(id).explains?.test(slug));
  if (named) return { found: named, suspects: [] };
  const ofStage = [...confirmed, ...suspects].filter(({ stage }) => stage === 'protocol');
  const [only] = confirmed.filter(({ stage }) => stage === 'protocol');
  return only && ofStage.length === 1 && isOfProtocol(requirement) ? { found: only, suspects: [] } : undefined;
}

/** Whether the probe of a requirement examines what valid requests contain and how they are answered. */
function isOfProtocol(requirement: string): boolean {
  const probe = probeFor(requirement);
  return probe === 'answer' || probe === 'payload';
}

/** Runs the probes of failures that the search does not explain, with the events that failed. */
async function askOfOthers(
  checks: readonly CheckResult[],
  whole: CauseSearch,
  { connection, exchanges, load, explained, note }: Asking,
): Promise<void> {
  const isRejecting = whole.confirmed.some(isEntranceCause);
  for (const name of probeNames) {
    let open = checks.filter(({ id, requirement }) => !explained.has(id) && probeFor(requirement) === name);
    // Where valid requests are rejected, what else is accepted is only known once that is fixed.
    if (isRejecting && isOfAuthentication(name)) continue;
    for (let runs = 0; runs < mostRunsOfProbe && open.length > 0; runs++) {
      const [first] = open as [CheckResult];
      const probe = await load(name);
      let outcome: ProbeOutcome;
      try {
        outcome = await connection.inTime(probe(connection, extractFailing(first, exchanges)), graceMs);
      } catch (error) {
        const found = causeOfStop(error);
        if (found) {
          explained.set(first.id, { found, suspects: [] });
          open = open.filter((one) => one !== first);
          continue;
        }
        if (!(error instanceof HarnessFault)) throw error;
        note(`The cause of ${first.requirement} could not be determined: ${error.message}`);
        break;
      }
      for (const check of open) {
        const part = relevantPart(check.requirement, outcome, first.requirement);
        setExplanation(explained, check, isOfProtocol(check.requirement) ? agreeing(part, whole) : part);
      }
      // Each unexplained failure gets a separate run of the probe.
      open = wholeProbes.has(name) ? [] : open.filter((one) => one !== first && !explained.has(one.id));
    }
  }
}

/** The part of a search to which a narrower result belongs: the event that failed may only show a symptom of its cause. */
function agreeing(part: Explanation, { confirmed, suspects }: CauseSearch): Explanation {
  const ofStage = confirmed.filter(({ stage }) => stage === 'protocol');
  const others = suspects.filter(({ stage }) => stage === 'protocol');
  const isKnown = [...ofStage, ...others].some(({ id }) => id === (part.found ?? part.suspects[0])?.id);
  const [found] = ofStage;
  return isKnown || !found || !hasExplanation(part) ? part : { found, suspects: [] };
}

function isOfAuthentication(name: ProbeName): boolean {
  return name === 'weakness' || name === 'signature' || name === 'window' || name === 'token' || name === 'upgrade';
}

function setExplanation(explained: Map<string, Explanation>, { id }: CheckResult, part: Explanation): void {
  if (hasExplanation(part)) explained.set(id, part);
}

/** Suspects silence if the run has met it and no request has been answered since. */
function silence({ exchanges }: Connection): Explanation {
  const answered = exchanges.some((exchange) => 'answer' in exchange && exchange.answer.outcome === 'answered');
  if (answered) return { suspects: [] };
  const why = 'The run stopped sending because consecutive requests got no answer, and none has been answered since.';
  return { suspects: [{ id: 'http/silent', why }] };
}

function surfaceOf({ surface }: CheckResult): DiagnosedSurface {
  return surface as DiagnosedSurface;
}

function hasExplanation({ found, suspects }: Explanation): boolean {
  return found !== undefined || suspects.length > 0;
}

function withCause(
  check: CheckResult,
  explanation: Explanation | undefined,
  redact: (text: string) => string,
): CheckResult {
  const named = explanation?.found;
  const likeliest = explanation?.suspects[0];
  const found = named ?? likeliest;
  if (!found) return check;
  const { summary, remediation } = describeCause(found);
  const cause: CheckCause = {
    id: found.id,
    summary: redact(summary),
    ...(!named && likeliest && { why: redact(likeliest.why) }),
    remediation: redact(remediation),
    certain: named !== undefined,
  };
  return { ...check, causes: [cause] };
}

/** The details found at this endpoint, or else the text of the catalogue. */
function describeCause({ id, summary: text, remediation }: Found): { summary: string; remediation: string } {
  const cause = causeOf(id);
  return { summary: text ?? cause.summary, remediation: remediation ?? cause.remediation };
}

function describeFault(error: unknown): string {
  if (error instanceof HarnessFault) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
