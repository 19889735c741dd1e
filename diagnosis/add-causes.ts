import { isEntrance } from '../harness/checks/entrance.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { type ResolvedConfig } from '../harness/config/settings.ts';
import type { CheckCause, CheckResult, DiagnosedSurface, Exchange } from '../specs/generated/types.ts';
import { Connection, OutOfTime } from './connection.ts';
import { causeOfStop } from './cause-of-stop.ts';
import { relevantPart } from './relevant-part.ts';
import { everyValidDelivery } from './explained-requirements.ts';
import { extractFailing } from './extract-failing.ts';
import {
  establishedCause,
  isBlockedByConnection,
  isDiagnosedFailure,
  isOfAuthentication,
  probeFor,
  probesFor,
  slugOf,
  wholeProbes,
} from './probe-for.ts';
import {
  agreeing,
  hasExplanation,
  isEntranceCause,
  partFor,
  remainderFor,
  type Explanation,
} from './part-of-search.ts';
import { metRequirements, settledProbes } from './settled-probes.ts';
import { failsInParallel } from './timing/explain-failures-at-once.ts';
import { probeNames, type ProbeName } from '../specs/requirements/probe.ts';
import { search, type CauseSearch } from './diagnose.ts';
import type { Found, ProbeOutcome } from './outcome.ts';
import { loadProbe, type LoadProbe } from './load-probe.ts';
import { configKeyOf } from '../specs/surfaces.ts';
import { describeCause } from './describe-cause.ts';
import { frameworksOfSurfaces, type ShownFramework } from './detect-framework.ts';
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
/** Share of the time that the search may use: the rest is for probes with the events that failed. */
const searchShare = 2 / 3;
/** Share of the time for late answers, whose probes run first, if there are other failures. */
const lateShare = 1 / 3;
/** Milliseconds after the deadline in which a probe may still finish. */
const graceMs = 500;

/**
 * Searches for the cause as `diagnose` does, then runs the probes of failures that the search does not explain, and adds
 * the causes to the `causes` of their checks. Late answers are examined first, because they use up the time of a search.
 * Verdicts and evidence do not change. Each surface has its share of the time, plus what the others leave. Ends in time,
 * whatever the endpoint does.
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
  const met = metRequirements(checks);
  for (const [at, [surface, own]] of bySurface.entries()) {
    const withinMs = Math.max(0, (endsAt - performance.now()) / (bySurface.length - at));
    const settled = settledProbes(checks, surface);
    try {
      await askAbout(own, {
        open: async (ms, nth) => await Connection.open(surface, config, { seed: seed + nth, withinMs: ms, met }),
        endsAt: performance.now() + withinMs,
        exchanges,
        load,
        settled,
        explained,
        note: report,
      });
    } catch (error) {
      if (error instanceof OutOfTime) {
        const open = own.filter(({ id, level }) => !explained.has(id) && level !== 'advice').length;
        if (open > 0) report(unfinished(surface, open, withinMs));
        continue;
      }
      // A fault of the diagnosis must not cost the run its report.
      report(`The cause of the failures of ${surface} could not be determined: ${describeFault(error)}`);
    }
  }
  const frameworks = frameworksOfSurfaces({ checks, exchanges });
  return checks.map((check) => withCause(check, explained.get(check.id), redact, frameworks.get(check.surface)));
}

function isSilent({ code }: CheckResult): boolean {
  return code === 'target-silent';
}

function unfinished(surface: DiagnosedSurface, open: number, withinMs: number): string {
  const failures = open === 1 ? '1 failure' : `${open} failures`;
  return `No cause found for ${failures} in ${surface} within ${Math.round(withinMs / 100) / 10} s; run svc-conform diagnose ${surface}.`;
}

interface Asking {
  /**
   * Opens a connection for this many milliseconds. What one abandons at its end must not disturb the next, so that each
   * part of the search has a separate one, with a separate seed.
   */
  open: (withinMs: number, nth: number) => Promise<Connection>;
  /** On the clock of `performance.now()`. */
  endsAt: number;
  exchanges: readonly Exchange[];
  load: LoadProbe;
  /** Probes of which the run has already shown that they would find nothing. */
  settled: ReadonlySet<ProbeName>;
  /** By the ids of checks; filled. */
  explained: Map<string, Explanation>;
  note: (sentence: string) => void;
}

async function askAbout(checks: readonly CheckResult[], asking: Asking): Promise<void> {
  const { explained } = asking;
  const failed = checks.filter((check) => isDiagnosedFailure(check));
  const isOpen = failed.length === checks.length && !failed.some(({ requirement }) => isEntrance(requirement));
  if (isOpen) {
    const late = failed.filter(isLate);
    const now = performance.now();
    const endsAt = late.length === failed.length ? asking.endsAt : now + (asking.endsAt - now) * lateShare;
    try {
      await askOfFailures(late, undefined, { ...asking, endsAt }, 1);
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      await awaitAnswer(asking);
    }
  }
  if (checks.every(({ id }) => explained.has(id))) return;
  const whole = await searchFor(checks, asking);
  try {
    if (whole.closedAt === undefined || whole.closedAt === 'protocol') await askOfFailures(failed, whole, asking, 2);
  } finally {
    const inParallel = failed
      .flatMap(({ id }) => explained.get(id)?.found ?? [])
      .find(({ id }) => id === failsInParallel);
    for (const check of failed.filter(({ id }) => !explained.has(id))) {
      const part = remainderFor(check, whole) ?? (inParallel && alongsideOthers(check, inParallel));
      if (part) explained.set(check.id, part);
    }
  }
  if (performance.now() >= asking.endsAt) throw new OutOfTime('Results up to the deadline are reported.');
}

/** The possible cause of a delivery that was not accepted, where deliveries fail because others arrive at the same moment. */
function alongsideOthers({ requirement }: CheckResult, found: Found): Explanation | undefined {
  if (!everyValidDelivery.test(slugOf(requirement))) return undefined;
  const why =
    'Deliveries fail when others arrive at the same moment, and this one may have arrived together with others.';
  return { suspects: [{ ...found, why }] };
}

/**
 * Awaits one answer: an endpoint may still handle what a probe has abandoned, so its next answer may be late. The search
 * meets the faults of this request as well, and explains them.
 */
async function awaitAnswer({ open, endsAt }: Asking): Promise<void> {
  await using connection = await open(Math.max(0, endsAt - performance.now()), 3);
  try {
    await connection.ask(connection.case().delivery, { label: 'an event after an unfinished probe' });
  } catch (error) {
    if (!(error instanceof HarnessFault)) throw error;
  }
}

/** Whether a failure may be that answers are late. */
function isLate({ requirement }: CheckResult): boolean {
  return probeFor(requirement) === 'timing';
}

/** The same search as in a diagnosis, so that both report the same causes. */
async function searchFor(checks: readonly CheckResult[], asking: Asking): Promise<CauseSearch> {
  const { open, endsAt, load, settled, explained } = asking;
  const share = checks.some((check) => isDiagnosedFailure(check)) ? searchShare : 1;
  await using connection = await open(Math.max(0, endsAt - performance.now()) * share, 0);
  // Late and repeated events are left to the probes of what failed.
  const areRefusalsOpen = checks.some(
    (check) => isBlockedByConnection(check) || isOfAuthentication(probeFor(check.requirement)),
  );
  const without = ['behaviour', ...(areRefusalsOpen ? [] : (['refusals'] as const))] as const;
  const found = await connection.inTime(search(connection, { load, settled, without }), graceMs);
  const isEntranceClosed = checks.some((check) => isDiagnosedFailure(check) && isEntrance(check.requirement));
  const closedAt =
    found.closedAt ?? (isEntranceClosed && found.confirmed.some(isEntranceCause) ? 'authentication' : undefined);
  const whole = { ...found, closedAt };
  for (const check of checks) {
    if (explained.has(check.id)) continue;
    const part = partFor(check, whole);
    if (part) explained.set(check.id, part);
    else if (isSilent(check) && connection.remainingMs <= 0) setExplanation(explained, check, silence(connection));
  }
  return whole;
}

/** Runs the probes of failures that are not explained yet, with the events that failed. */
async function askOfFailures(
  failed: readonly CheckResult[],
  whole: CauseSearch | undefined,
  asking: Asking,
  nth: number,
): Promise<void> {
  const { open, endsAt, explained } = asking;
  if (failed.every(({ id }) => explained.has(id))) return;
  await using connection = await open(Math.max(0, endsAt - performance.now()), nth);
  const isRejecting = whole?.confirmed.some(isEntranceCause) === true;
  for (const name of probeNames) {
    // Where valid requests are rejected, what else is accepted is only known once that is fixed.
    if (isRejecting && isOfAuthentication(name)) continue;
    await askOne(name, failed, whole, { ...asking, connection });
  }
}

async function askOne(
  name: ProbeName,
  failed: readonly CheckResult[],
  whole: CauseSearch | undefined,
  { connection, exchanges, load, explained, note }: Asking & { connection: Connection },
): Promise<void> {
  let open = failed.filter(({ id, requirement }) => !explained.has(id) && probesFor(requirement).includes(name));
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
      return;
    }
    for (const check of open) {
      const part = relevantPart(check.requirement, outcome, first.requirement);
      setExplanation(explained, check, agreeing(part, name, whole));
    }
    // Each unexplained failure gets a separate run of the probe.
    open = wholeProbes.has(name) ? [] : open.filter((one) => one !== first && !explained.has(one.id));
  }
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

function withCause(
  check: CheckResult,
  explanation: Explanation | undefined,
  redact: (text: string) => string,
  framework: ShownFramework | undefined,
): CheckResult {
  const named = explanation?.found;
  const likeliest = explanation?.suspects[0];
  const found = named ?? likeliest;
  if (!found) return check;
  const { summary, remediation } = describeCause(found, surfaceOf(check), framework);
  const cause: CheckCause = {
    id: found.id,
    summary: redact(summary),
    ...(!named && likeliest && { why: redact(likeliest.why) }),
    remediation: redact(remediation),
    certain: named !== undefined,
  };
  return { ...check, causes: [cause] };
}

function describeFault(error: unknown): string {
  if (error instanceof HarnessFault) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
