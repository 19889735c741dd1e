import { join } from 'node:path';
import type { FinishedCheck } from '../harness/checks/engine.ts';
import { runDefaults, type RunSettings } from '../harness/config/settings.ts';
import { anonymize } from '../reports/model/anonymize.ts';
import { applyGate, gateExitCode, isDecisive, type GateOptions } from '../reports/model/apply-gate.ts';
import { buildReport } from '../reports/model/build-report.ts';
import type { ReportFormat } from '../reports/text/format-names.ts';
import { environmentNotes } from '../reports/text/wording.ts';
import { protocolRevision } from '../specs/limits.ts';
import type { Report, Selection, Shard } from '../specs/generated/types.ts';
import { collectRun } from './collect/collect-run.ts';
import { diagnoseFailures } from './diagnose/diagnose-failures.ts';
import { unlessEnding } from './execute/end-on-signals.ts';
import type { RunExitCode } from './exit-code.ts';
import { publishReport } from './publish/publish-report.ts';
import { grantCertificate, type CertificateRequest } from './publish/grant-certificate.ts';
import type { RunEvents } from './publish/run-events.ts';
import { runSelected, type RunChecks } from './execute/run-selected.ts';
import type { SelectedChecks } from './plan/select-checks.ts';
import type { Stream } from './publish/terminal.ts';
import { runEnvironment } from './plan/run-environment.ts';
import { version } from './version.ts';

/** The report as it was written, and the exit code of the run. */
export interface FinishedRun {
  report: Report;
  exitCode: RunExitCode;
}

/** A run whose selection is made and whose flags are read. */
export interface CheckExecution {
  settings: RunSettings;
  selected: SelectedChecks;
  /** What runs the checks; default: the suites. */
  run?: RunChecks | undefined;
  /** Contracts alone are verified. */
  contracts?: boolean | undefined;
  /** Told before the run. */
  notes: readonly string[];
  /** Requirements, checks and surfaces that were asked for; nothing for all of them. */
  asked: { surface: readonly string[]; only: readonly string[] };
  /** What is judged, as the report names it. */
  target: Report['target'];
  /** The command that repeats a check. */
  reproduce: (check: FinishedCheck) => string;
  /** Directory of the report. */
  out: string;
  formats: readonly ReportFormat[];
  /** Print `report.json`, and nothing else, on standard output. */
  json?: boolean | undefined;
  /** Where the verdict is printed; default standard output. */
  printTo?: Stream;
  shard?: Shard | undefined;
  /** Further runs of what failed. */
  confirm?: number | undefined;
  /** What the run is held against beside its verdict. */
  gate?: GateOptions | undefined;
  anonymize?: boolean | undefined;
  certificate?: CertificateRequest | undefined;
  events?: RunEvents | undefined;
  configFile?: string | undefined;
  /** Looks for the causes of what failed, after the run. */
  diagnose?: boolean | undefined;
  /** Adds to the report what only whoever started the endpoint knows. */
  complete?: ((report: Report) => Promise<Report>) | undefined;
}

/** Runs the checks, writes the report and prints the verdict. */
export async function executeChecks(judged: CheckExecution): Promise<FinishedRun> {
  const { settings, selected, target, reproduce, gate, events, complete, out, certificate } = judged;
  const startedAt = new Date();
  const from = performance.now();
  const heldAgainst = gate ?? { failOn: 'must', today: startedAt.toISOString().slice(0, 10) };
  const selection = selectionOf(judged);
  const environment = runEnvironment(settings.config);
  const weakened = environmentNotes(environment);
  const harness = { name: 'svc-conform' as const, version: version() };
  events?.started({
    harness,
    protocol: protocolRevision,
    seed: settings.seed,
    surfaces: selected.surfaces,
    target,
    ...(selection && { selection }),
    ...(selected.expected && !judged.shard && { checks: selected.expected.length }),
  });
  const finished = await runSelected({
    settings,
    selected,
    notes: [...weakened, ...judged.notes],
    shard: judged.shard,
    confirm: judged.confirm ?? 0,
    isDecisive: (check) => isDecisive(check, heldAgainst),
    events,
    isDiscreet: judged.anonymize === true,
    run: judged.run,
  });
  await unlessEnding();
  const collected = collectRun(finished, reproduce);
  const checks = judged.diagnose === true ? await diagnoseFailures(collected, settings, events) : collected.checks;
  const told = buildReport({
    version: harness.version,
    protocol: protocolRevision,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - from),
    seed: settings.seed,
    target,
    selection,
    configFile: judged.configFile,
    environment,
    configured: selected.configured,
    selected: selected.isSelected,
    own: selected.own,
    ...collected,
    checks,
  });
  const whole = complete ? await complete(told) : told;
  const gated = gate ? applyGate(whole, gate) : whole;
  const report = judged.anonymize === true ? anonymize(gated) : gated;
  await publishReport(report, judged);
  let code: RunExitCode = gateExitCode(report);
  if (certificate && !(await grantCertificate(report, out, certificate))) code ||= 1;
  events?.finished(report, { exitCode: code, file: join(out, 'report.json') });
  return { report, exitCode: code };
}

/** What of everything this run is; `undefined` for the whole. */
export function selectionOf({
  asked,
  settings,
  shard,
  contracts,
}: Pick<CheckExecution, 'asked' | 'settings' | 'shard' | 'contracts'>): Selection | undefined {
  const selection: Selection = {
    ...(asked.surface.length > 0 && { surfaces: [...asked.surface] }),
    ...(asked.only.length > 0 && { only: [...asked.only] }),
    ...(settings.callbackWaitMs < settings.callbackLimitMs && { callbackWaitMs: settings.callbackWaitMs }),
    ...(settings.runs < runDefaults.runs && { runs: settings.runs }),
    ...(shard && { shard }),
    ...(contracts === true && { contracts }),
    ...(settings.capture && { capture: true as const }),
  };
  return Object.keys(selection).length > 0 ? selection : undefined;
}
