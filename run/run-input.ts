import { limits } from '../specs/limits.ts';
import type { Gate, Shard } from '../specs/generated/types.ts';
import { UsageError } from './usage-error.ts';

/** Seeds are those of fast-check: 32-bit integers; ours are never negative. */
export const largestSeed = 0x7fff_ffff;
export const mostRuns = 1_000_000;
export const mostCallbackWaitSeconds = limits.crmCallbackWithinMs / 1000;
/** Seconds; no answer is waited for longer than a callback is. */
export const mostPatienceSeconds = mostCallbackWaitSeconds;
export const mostRepeats = 20;

/** What decides a certificate: whether one is signed, with which key, for how long. */
export interface CertificateInput {
  certificate?: boolean;
  /** A file or `env:NAME`. */
  key?: string;
  /** Days. */
  validDays?: number;
}

/** What fails a run in addition to its verdict. */
export interface GateInput {
  /** A report, or the directory of one, that the run is compared with. */
  baseline?: string;
  failOn?: Gate['failOn'];
}

/** What a run is asked to do, in addition to its config. */
export interface RunInput extends CertificateInput, GateInput {
  surface: string[];
  only: string[];
  seed?: number;
  runs?: number;
  thorough?: boolean;
  path?: string;
  /** Seconds. */
  callbackWait?: number;
  /** Seconds. */
  patience?: number;
  out: string;
  json?: boolean;
  /** Names of formats beside report.json. */
  format?: string[];
  /** File that events go to while the run goes on, `-` for standard output. */
  events?: string;
  /** Further runs of what failed. */
  confirm?: number;
  /** Whether causes of what failed are looked for afterwards. */
  diagnose: boolean;
  anonymize?: boolean;
  /** Contracts are verified after the suites. */
  contracts?: boolean;
  shard?: Shard;
}

/**
 * Refuses a share of what cannot be shared out.
 *
 * @throws UsageError (exit code 2) without a seed, and with `--only`: most shards would have no check, and write no report
 */
export function assertShardable({ shard, seed, only }: RunInput): void {
  if (!shard) return;
  if (seed === undefined) {
    throw new UsageError('--shard needs --seed, the same for all shards: together they are one run.');
  }
  if (only.length > 0) {
    throw new UsageError(
      '--shard divides whole suites, and --only leaves some checks of them: omit --shard, a few checks are quick by themselves.',
    );
  }
}

/** The flags of a run as words, to repeat it with other checks; `only`, `seed` and `path` are left to the caller. */
export function repeatedFlags({ runs, thorough, patience, callbackWait }: RunInput): string[] {
  return [
    ...(runs === undefined ? [] : ['--runs', String(runs)]),
    ...(thorough === true ? ['--thorough'] : []),
    ...(patience === undefined ? [] : ['--patience', String(patience)]),
    ...(callbackWait === undefined ? [] : ['--callback-wait', String(callbackWait)]),
  ];
}
