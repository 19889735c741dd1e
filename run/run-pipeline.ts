import { join } from 'node:path';
import { onProgress } from '../harness/checks/progress.ts';
import { watchGroups } from '../harness/start/process-group.ts';
import { anonymize } from '../reports/model/anonymize.ts';
import { brandedReport } from '../reports/model/brand-report.ts';
import { applyGate, gateExitCode, isDecisive } from '../reports/model/apply-gate.ts';
import { buildReport } from '../reports/model/build-report.ts';
import { environmentNotes } from '../reports/text/run-notes.ts';
import { protocolRevision } from '../specs/limits.ts';
import type { Report } from '../specs/generated/types.ts';
import type { ConfirmedCheck } from './execute/confirm-failures.ts';
import { runOrigin } from './collect/run-origin.ts';
import { collectRun } from './collect/collect-run.ts';
import { unsetKeys } from './collect/unset-keys.ts';
import { diagnoseFailures } from './diagnose/diagnose-failures.ts';
import type { FinishedCheck } from '../harness/checks/engine.ts';
import { confirmChecks, executeChecks } from './execute/execute-checks.ts';
import { beforeEnd, unlessEnding } from './execute/end-on-signals.ts';
import type { RunExitCode } from './exit-code.ts';
import { usedLimits } from './collect/used-limits.ts';
import { runEnvironment } from './plan/run-environment.ts';
import { grantCertificate } from './publish/grant-certificate.ts';
import { writeReportFiles } from './publish/publish-report.ts';
import type { RunContext } from './run-context.ts';
import type { RunPlan } from './run-plan.ts';
import { version } from './version.ts';

/** The result of a run: the report as it was published, and the exit code. */
export interface FinishedRun {
  report: Report;
  exitCode: RunExitCode;
}

/**
 * Runs a plan: execute, confirm, collect, diagnose, gate, publish.
 *
 * @param complete adds the data of the container to the report
 * @throws ReportNotWritten after the verdict was emitted
 */
export async function runPipeline(
  context: RunContext,
  plan: RunPlan,
  complete: (report: Report) => Promise<Report> = async (report) => report,
): Promise<FinishedRun> {
  const { settings, output } = context;
  const { selected, selection, target, gate } = plan;
  const startedAt = context.now();
  const from = performance.now();
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
    ...(selection && { selection }),
    ...(selected.expected && !plan.shard && { checks: selected.expected.length }),
    expected: plan.shard ? undefined : selected.expected,
  });
  for (const text of [...environmentNotes(environment), ...plan.notes]) output.emit({ step: 'note', text });

  const decisiveGate = gate ?? { failOn: 'must', today: startedAt.toISOString().slice(0, 10) };
  const confirmed = await executeAndConfirm(context, plan, (check) => isDecisive(check, decisiveGate));
  const collected = collectRun(confirmed, plan.reproduce);
  const checks =
    plan.diagnose === true ? await diagnoseFailures(context, collected, performance.now() - from) : collected.checks;

  const built = await complete(
    buildReport({
      version: harness.version,
      protocol: protocolRevision,
      brand: settings.config.brand,
      startedAt: startedAt.toISOString(),
      durationMs: Math.round(performance.now() - from),
      seed: settings.seed,
      target,
      selection,
      configFile: plan.configFile,
      configInRepository: plan.configInRepository,
      origin: runOrigin(),
      environment,
      limits: usedLimits(settings.config),
      configured: selected.configured,
      // What was recorded does not depend on the config.
      unset: settings.recorded || settings.capture ? [] : unsetKeys(settings.config),
      selected: selected.isSelected,
      own: selected.own,
      ...collected,
      checks,
    }),
  );
  const gated = gate ? applyGate(built, gate) : built;
  const report = brandedReport(plan.anonymize === true ? anonymize(gated) : gated);
  return { report, exitCode: await publish(context, plan, report) };
}

async function executeAndConfirm(
  context: RunContext,
  plan: RunPlan,
  isDecisive: (check: FinishedCheck) => boolean,
): Promise<ConfirmedCheck[]> {
  const { output } = context;
  using _waiting = onProgress(({ text }) => output.emit({ step: 'waiting', text }));
  using clients = watchGroups();
  // An interrupted run writes no report, because one without the missing checks would look like a verdict.
  using _end = beforeEnd((reason) => {
    clients.killAll();
    output.emit({ step: 'run-stopped', reason, isCutShort: true });
  });
  const finished = await executeChecks(context, plan);
  const confirmed = await confirmChecks(context, plan, finished, isDecisive);
  await unlessEnding();
  output.emit({ step: 'checks-executed' });
  return confirmed;
}

/** Writes and prints the report, signs the certificate, and returns the exit code. */
async function publish({ output, now }: RunContext, plan: RunPlan, report: Report): Promise<RunExitCode> {
  const { out, formats, certificate } = plan;
  const written = out === undefined ? undefined : await writeReportFiles(report, { out, formats });
  await output.print?.(report, written && 'place' in written ? written.place : undefined);
  if (written && 'failure' in written) throw written.failure;
  let exitCode: RunExitCode = gateExitCode(report);
  if (certificate && !(await grantCertificate(report, { ...certificate, now: now() }, output.note))) exitCode ||= 1;
  const file = out === undefined ? undefined : join(out, 'report.json');
  output.emit({ step: 'run-finished', report, exitCode, file });
  return exitCode;
}
