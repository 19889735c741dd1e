import { limits } from '../specs/limits.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import type { Gate, Shard } from '../specs/generated/types.ts';
import { HarnessFault } from '../harness/checks/faults.ts';

/** Seeds are those of fast-check: 32-bit integers; ours are never negative. */
export const largestSeed = 0x7fff_ffff;
export const mostRuns = 1_000_000;
export const mostCallbackWaitSeconds = limits.crmCallbackWithinMs / 1000;
/** Seconds; no answer timeout is longer than that of a callback. */
export const maxAnswerTimeoutSeconds = mostCallbackWaitSeconds;
export const mostRepeats = 20;
/** Seconds: a day. */
export const mostBudgetSeconds = 86_400;

/** Options of the certificate. */
export interface CertificateInput {
  certificate?: boolean;
  /** A file or `env:NAME`. */
  key?: string;
  /** Days. */
  validDays?: number;
}

/** Options of the gate, which may change the exit code. */
export interface GateInput {
  /** A report, or the directory of one, that the run is compared with. */
  baseline?: string;
  failOn?: Gate['failOn'];
}

/** Which checks a run executes, how it executes them, and how it publishes the result. */
export interface RunOptions extends CertificateInput, GateInput {
  /** Only these surfaces; empty for all of the config. */
  surface: string[];
  /** Only these requirements or checks; empty for all. */
  only: string[];
  seed?: number;
  runs?: number;
  thorough?: boolean;
  path?: string;
  /** Seconds. */
  callbackWait?: number;
  /** Seconds. */
  answerTimeout?: number;
  /** Seconds for the run; default: two minutes, ten while the endpoint answers everything, an hour with `thorough`. */
  budget?: number;
  /** Directory of the report; default: `defaultOut`. */
  out?: string;
  /** Directory of the report of a complete run; a partial one has a subdirectory. Without it no file is written. */
  defaultOut?: string;
  /** Names of formats that are written in addition to report.json; default: html. */
  format?: string[];
  /** Whether requests of the endpoint to API v1 fail on purpose; default: yes. */
  trouble?: boolean;
  /** Whether the endpoint, which the run must start, is killed after an effect; default: as the config says. */
  chaos?: boolean;
  /** Number of times that a failed check is repeated. */
  confirm?: number;
  /** Whether the causes of failures are searched for after the checks. */
  diagnose: boolean;
  anonymize?: boolean;
  /** The run stops after the first failure that decides the exit code. */
  bail?: boolean;
  /** Contracts are verified after the suites. */
  contracts?: boolean;
  shard?: Shard;
}

/** The input of a run. */
export interface RunInput {
  config: ResolvedConfig;
  /** The config file, as the report names it. */
  configFile?: string | undefined;
  /** The config file from the root of its repository. */
  configInRepository?: string | undefined;
  /** Command and flags that select the same target; the report shows them in the command that repeats a check. */
  command: readonly string[];
  /** Reported before the first check. */
  notes: readonly string[];
  options: RunOptions;
  /** Contracts are verified, and no suite is run. Default: as `options.contracts` says. */
  contracts?: 'alone' | undefined;
}

/**
 * Refuses a shard of a run that cannot be divided.
 *
 * @throws HarnessFault (exit code 2) without a seed; with `--only`, because most shards would have no check; with
 *   `--bail`, because it stops one shard alone
 */
export function assertShardable({ shard, seed, only, bail }: RunOptions): void {
  if (!shard) return;
  if (seed === undefined) {
    throw new HarnessFault('flag-missing:seed');
  }
  if (only.length > 0) {
    throw new HarnessFault('flags-conflict:shard-only');
  }
  if (bail === true) throw new HarnessFault('flags-conflict:shard-bail');
}

/** The flags of a run as words, to repeat it with other checks; `only`, `seed` and `path` are left to the caller. */
export function repeatedFlags({
  runs,
  thorough,
  answerTimeout,
  budget,
  callbackWait,
  trouble,
  chaos,
}: RunOptions): string[] {
  return [
    ...(trouble === false ? ['--no-trouble'] : []),
    ...(chaos === true ? ['--chaos'] : []),
    ...(runs === undefined ? [] : ['--runs', String(runs)]),
    ...(thorough === true ? ['--thorough'] : []),
    ...(answerTimeout === undefined ? [] : ['--answer-timeout', String(answerTimeout)]),
    ...(budget === undefined ? [] : ['--budget', String(budget)]),
    ...(callbackWait === undefined ? [] : ['--callback-wait', String(callbackWait)]),
  ];
}
