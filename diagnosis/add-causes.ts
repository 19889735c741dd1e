import { isEntrance } from '../harness/checks/entrance.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { type ResolvedConfig } from '../harness/config/settings.ts';
import type { CheckCause, CheckResult, DiagnosedSurface, Diagnosis, Exchange } from '../specs/generated/types.ts';
import { causeOf } from './causes.ts';
import { Connection, OutOfTime } from './connection.ts';
import { causeOfStop } from './cause-of-stop.ts';
import { relevantPart } from './relevant-part.ts';
import { extractFailing } from './extract-failing.ts';
import { establishedCause, isBlockedByConnection, isDiagnosedFailure, probeFor, wholeProbes } from './probe-for.ts';
import { probeNames } from '../specs/requirements/probe.ts';
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
/** Signatures of wrong schemes: about as many as there are with one mistake. */
const mostQuestions = 130;
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
    const id = establishedCause(check);
    if (id) explained.set(check.id, { found: { id }, suspects: [] });
  }
  // An endpoint that has stopped, or that answers every request with 429, cannot be probed.
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
      await using connection = await Connection.open(surface, config, { seed, withinMs, mostQuestions });
      await askAbout(own, { connection, exchanges, load, explained, note: report });
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
  /** By the ids of checks; filled. */
  explained: Map<string, Explanation>;
  note: (sentence: string) => void;
}

async function askAbout(
  checks: readonly CheckResult[],
  { connection, exchanges, load, explained, note }: Asking,
): Promise<void> {
  const blocked = checks.filter(isBlockedByConnection);
  // Nothing was accepted: the whole diagnosis includes the probe of the signature or token.
  const isClosed = blocked.some(({ code }) => code === 'not-tried');
  for (const name of isClosed ? [] : probeNames) {
    let open = checks.filter((check) => isDiagnosedFailure(check) && probeFor(check.requirement) === name);
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
      const parts = new Map(open.map((check) => [check, relevantPart(check.requirement, outcome, first.requirement)]));
      for (const [{ id }, part] of parts) if (hasExplanation(part)) explained.set(id, part);
      // Each unexplained failure gets a separate run of the probe.
      open = wholeProbes.has(name) ? [] : open.filter((one) => one !== first && !explained.has(one.id));
      // No request gets past this stage, so it explains the blocked checks as well.
      const own = parts.get(first);
      if (!own?.found || !isEntrance(first.requirement)) continue;
      for (const { id } of blocked) explained.set(id, own);
      return;
    }
  }
  // The probe of a signature does not examine the config, where the cause may be: a secret without its prefix.
  const unsure = checks.filter(
    (check) => isDiagnosedFailure(check) && isEntrance(check.requirement) && !explained.get(check.id)?.found,
  );
  if (blocked.length === 0 && unsure.length === 0) return;
  const { diagnose } = await import('./diagnose.ts');
  const diagnosis = await connection.inTime(diagnose(connection, { load }), graceMs);
  const whole = explanationOf(diagnosis);
  // A cause that refuses every request explains each failure that has only a suspicion.
  const isGate = whole.suspects[0]?.id === 'http/gate';
  const doubtful = isGate ? checks.filter(({ id }) => explained.get(id)?.found === undefined) : unsure;
  if (whole.found ?? ((isClosed || isGate) && hasExplanation(whole))) {
    for (const { id } of doubtful) explained.set(id, whole);
  }
  const isOver = connection.remainingMs <= 0;
  for (const check of blocked) {
    const part = !hasExplanation(whole) && isOver && isSilent(check) ? silence(connection) : whole;
    if (hasExplanation(part)) explained.set(check.id, part);
  }
  if (isOver) throw new OutOfTime('Results up to the deadline are reported.');
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

/** The ids in a diagnosis are always cause ids. */
function explanationOf({ cause, suspects }: Diagnosis): Explanation {
  return {
    ...(cause && { found: cause as Found }),
    suspects: suspects as unknown as ProbeOutcome['suspects'],
  };
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
