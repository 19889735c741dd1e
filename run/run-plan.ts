import type { EngineOptions, FinishedCheck } from '../harness/checks/engine.ts';
import { runDefaults, type RunSettings } from '../harness/config/settings.ts';
import type { GateOptions } from '../reports/model/apply-gate.ts';
import type { ReportFormat } from '../reports/text/format-names.ts';
import type { Report, Selection, Shard } from '../specs/generated/types.ts';
import type { SelectedChecks } from './plan/select-checks.ts';
import type { CertificateSettings } from './publish/grant-certificate.ts';

/** Runs the checks that the settings select, and returns every check that ended. */
export type RunChecks = (options: EngineOptions) => Promise<FinishedCheck[]>;

/** The plan of a run: its input was read and accepted, and nothing was sent yet. */
export interface RunPlan {
  selected: SelectedChecks;
  /** Runs the checks; default: the suites. */
  runChecks?: RunChecks | undefined;
  /** Reported before the first check. */
  notes: readonly string[];
  /** The part that this run is of all requirements; `undefined` for all of them. */
  selection: Selection | undefined;
  /** The endpoints, as the report names them. */
  target: Report['target'];
  /** The config file, as the report names it. */
  configFile?: string | undefined;
  /** The config file from the root of its repository. */
  configInRepository?: string | undefined;
  shard?: Shard | undefined;
  /** The latest run of the same kind, whose report this one replaces. */
  previous?: Report | undefined;
  /** Milliseconds that such a run takes. */
  usualMs?: number | undefined;
  /** Number of times that a failed check is repeated. */
  confirm?: number | undefined;
  /** Whether the causes of failures are searched for after the checks. */
  diagnose?: boolean | undefined;
  /** Returns the command that repeats a check. */
  reproduce: (check: FinishedCheck) => string;
  /** The conditions that decide the exit code in addition to the verdict. */
  gate?: GateOptions | undefined;
  anonymize?: boolean | undefined;
  /** Directory of the report; `undefined` writes no file. */
  out: string | undefined;
  formats: readonly ReportFormat[];
  certificate?: CertificateSettings | undefined;
}

interface RunSelection {
  /** The surfaces, requirements and checks that the user selected; empty for all. */
  asked: { surface: readonly string[]; only: readonly string[] };
  settings: RunSettings;
  shard?: Shard | undefined;
  /** Only contracts are verified. */
  contracts?: boolean | undefined;
}

/** The part that a run is of all requirements; `undefined` for all of them. */
export function selectionOf({ asked, settings, shard, contracts }: RunSelection): Selection | undefined {
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
