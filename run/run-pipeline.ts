import { join } from 'node:path';
import { onProgress } from '../harness/checks/progress.ts';
import { watchGroups } from '../harness/start/process-group.ts';
import { anonymize } from '../reports/model/anonymize.ts';
import { brandedReport } from '../reports/model/brand-report.ts';
import { applyGate, gateExitCode, isDecisive } from '../reports/model/apply-gate.ts';
import { buildReport } from '../reports/model/build-report.ts';
import { comparePrevious } from '../reports/model/compare-baseline.ts';
import { environmentNotes } from '../reports/text/run-notes.ts';
import { protocolRevision } from '../specs/limits.ts';
import type { Report, Selection } from '../specs/generated/types.ts';
import type { ConfirmedCheck } from './execute/confirm-failures.ts';
import { runOrigin } from './collect/run-origin.ts';
import { collectRun } from './collect/collect-run.ts';
import { unsetKeys } from './collect/unset-keys.ts';
import { diagnoseFailures } from './diagnose/diagnose-failures.ts';
import type { FinishedCheck } from '../harness/checks/engine.ts';
import { confirmChecks, executeChecks, isStopped } from './execute/execute-checks.ts';
import { signalExitCode, waitDuringShutdown } from './execute/end-on-signals.ts';
import { continueTraffic } from './execute/follow-parent.ts';
import { EarlyEnd } from './execute/early-end.ts';
import { incompleteExitCode, type RunExitCode } from './exit-code.ts';
import { usedLimits } from './collect/used-limits.ts';
import { runEnvironment } from './plan/run-environment.ts';
import { directoryOfStopped } from './plan/report-directory.ts';
import { grantCertificate } from './publish/grant-certificate.ts';
import { writeReportFiles } from './publish/publish-report.ts';
import type { RunContext } from './run-context.ts';
import type { RunPlan } from './run-plan.ts';
import type { RunStep } from './run-step.ts';
import { version } from './version.ts';

/** The result of a run: the report as it was published, and the exit code. */
export interface FinishedRun {
  report: Report;
  exitCode: RunExitCode;
}

type CompleteReport = (report: Report) => Promise<Report>;

/**
 * Runs a plan: execute, confirm, collect, diagnose, gate, publish.
 *
 * @param complete adds the data of the container to the report
 * @throws ReportNotWritten after the verdict was emitted
 */
export async function runPipeline(
  context: RunContext,
  plan: RunPlan,
  complete: CompleteReport = async (report) => report,
): Promise<FinishedRun> {
  const finished = await runUninterrupted(context, plan, complete);
  await waitDuringShutdown();
  return finished;
}

async function runUninterrupted(context: RunContext, plan: RunPlan, complete: CompleteReport): Promise<FinishedRun> {
  const { settings, output } = context;
  const { selected, target, gate } = plan;
  const startedAt = context.now();
  const from = performance.now();
  continueTraffic(settings.config.limits);
  const { routes: _, ...unsent } = settings.config;
  // Recorded traffic did not take these routes.
  const environment = runEnvironment(settings.capture ? unsent : settings.config);
  const harness = { name: 'svc-conform' as const, version: version() };
  output.emit({
    step: 'run-started',
    harness,
    protocol: protocolRevision,
    seed: settings.seed,
    surfaces: selected.surfaces,
    target,
    ...(plan.selection && { selection: plan.selection }),
    ...(selected.expected && !plan.shard && { checks: selected.expected.length }),
    expected: plan.shard ? undefined : selected.expected,
    usualMs: plan.usualMs,
  });
  for (const text of [...environmentNotes(environment), ...plan.notes]) output.emit({ step: 'note', text });

  const decisiveGate = gate ?? { failOn: 'must', today: startedAt.toISOString().slice(0, 10) };
  using clients = watchGroups();
  using interruption = new EarlyEnd(
    () => {
      clients.killAll();
      output.emit({ step: 'note', text: 'Stopping; a second signal ends the run at once.' });
    },
    (reason) => {
      clients.killAll();
      output.emit({ step: 'run-stopped', reason, isCutShort: true });
    },
  );
  const executed = await executeAndConfirm(context, plan, (check) => isDecisive(check, decisiveGate), interruption);
  const collected = collectRun(executed.checks, plan.reproduce);
  const checks = await interruption.unlessInterrupted(
    async () =>
      plan.diagnose === true
        ? await diagnoseFailures(untilInterrupted(context, interruption), collected, performance.now() - from)
        : collected.checks,
    () => collected.checks,
  );
  const built = await interruption.unlessInterrupted(() => complete(buildNow()), buildNow);
  function buildNow(): Report {
    const stopped: Selection['stopped'] | undefined = interruption.isInterrupted ? 'interrupted' : executed.stopped;
    return buildReport({
      version: harness.version,
      protocol: protocolRevision,
      brand: settings.config.brand,
      startedAt: startedAt.toISOString(),
      durationMs: Math.round(performance.now() - from),
      seed: settings.seed,
      target,
      selection: stopped ? { ...plan.selection, stopped } : plan.selection,
      configFile: plan.configFile,
      configInRepository: plan.configInRepository,
      origin: runOrigin(),
      environment,
      limits: usedLimits(settings.config),
      configured: selected.configured,
      // Recorded traffic does not depend on the config.
      unset: settings.recorded || settings.capture ? [] : unsetKeys(settings.config),
      selected: selected.isSelected,
      own: selected.own,
      ...collected,
      checks,
    });
  }
  // A signal may also have arrived while the report was completed.
  const stopped = built.selection?.stopped;
  const gated = gate && stopped !== 'interrupted' ? applyGate(built, gate) : built;
  const compared = stopped ? gated : withPrevious(gated, plan);
  const report = brandedReport(plan.anonymize === true ? anonymize(compared) : compared);
  const out = stopped ? await directoryOfStopped(plan.out) : plan.out;
  return { report, exitCode: await publish(context, { ...plan, out }, report) };
}

/** Adds what changed since the previous run, unless that run is the baseline. */
function withPrevious(report: Report, { previous }: RunPlan): Report {
  if (!previous || previous.startedAt === report.gate?.baseline?.startedAt) return report;
  return { ...report, previous: comparePrevious(report, previous) };
}

/** The context of a stage, which continues after a signal: what it does then is not reported. */
function untilInterrupted({ output, ...context }: RunContext, interruption: EarlyEnd): RunContext {
  const emit = (step: RunStep) => {
    if (!interruption.isInterrupted) output.emit(step);
  };
  return { ...context, output: { emit, note: (line) => output.note(line) } };
}

interface ExecutedChecks {
  checks: readonly ConfirmedCheck[];
  stopped?: 'bail';
}

async function executeAndConfirm(
  context: RunContext,
  plan: RunPlan,
  isDecisive: (check: FinishedCheck) => boolean,
  interruption: EarlyEnd,
): Promise<ExecutedChecks> {
  const { output } = context;
  const stage = untilInterrupted(context, interruption);
  using _waiting = onProgress(({ text }) => stage.output.emit({ step: 'waiting', text }));
  const judged: FinishedCheck[] = [];
  const all = await interruption.unlessInterrupted(
    () => executeChecks(stage, plan, (check) => judged.push(check)),
    () => [...judged],
  );
  if (all.length === 0) {
    output.emit({ step: 'run-stopped', reason: 'It was stopped by a signal.', isCutShort: true });
    interruption[Symbol.dispose]();
    await waitDuringShutdown();
  }
  const finished = all.filter((check) => !isStopped([check]));
  const confirmed = await interruption.unlessInterrupted(
    () => confirmChecks(stage, plan, finished, isDecisive),
    () => finished,
  );
  output.emit({ step: 'checks-executed' });
  return { checks: confirmed, ...(isStopped(all) && { stopped: 'bail' as const }) };
}

/** Writes and prints the report, signs the certificate, and returns the exit code. */
async function publish({ output, now }: RunContext, plan: RunPlan, report: Report): Promise<RunExitCode> {
  const { out, formats, certificate } = plan;
  const isInterrupted = report.selection?.stopped === 'interrupted';
  const written = out === undefined ? undefined : await writeReportFiles(report, { out, formats });
  await output.print?.(report, written && 'place' in written ? written.place : undefined);
  if (written && 'failure' in written) throw written.failure;
  let exitCode: RunExitCode = isInterrupted ? incompleteExitCode : gateExitCode(report);
  if (certificate && !(await grantCertificate(report, { ...certificate, now: now() }, output.note))) exitCode ||= 1;
  const file = out === undefined ? undefined : join(out, 'report.json');
  output.emit({ step: 'run-finished', report, exitCode: signalExitCode() ?? exitCode, file });
  return exitCode;
}
