import type { Config, Report, RunEvent } from '../specs/generated/types.ts';
import { givenTarget, readTarget } from './config/read-target.ts';
import { runConformance } from './run-conformance.ts';
import { runEventOf } from './run-event.ts';
import {
  largestSeed,
  mostCallbackWaitSeconds,
  maxAnswerTimeoutSeconds,
  mostRepeats,
  mostRuns,
  mostBudgetSeconds,
  type RunOptions,
} from './run-input.ts';
import type { RunOutput } from './run-step.ts';
import { counterexamplePath, secondsUpTo, wholeNumber, type ReadValue } from './run-values.ts';
import { HarnessFault } from '../harness/checks/faults.ts';

/** The options of `run`; all are optional. */
export interface RunRequest {
  /** A config as for `defineConfig`, or its path; default: the nearest `svc-conform.config.*`. */
  config?: Config | string;
  /** Only these surfaces of the config. */
  surface?: readonly string[];
  /** Only these requirements or checks, by their ids. */
  only?: readonly string[];
  /** Seed of generated events and dialogues, from 0 to 2147483647; default: random, stated in the report. */
  seed?: number;
  /** Generated events per property. */
  runs?: number;
  /** Many more generated events and dialogues, and more time for them. */
  thorough?: boolean;
  /** Replays the recorded counterexample of one check, with `only` and `seed`. */
  path?: string;
  /** Seconds to wait for a callback after 202; default: the 300 of the interface. */
  callbackWaitSeconds?: number;
  /** Timeout in seconds for answers without a limit in the interface. */
  answerTimeoutSeconds?: number;
  /**
   * Seconds for the whole run; the report shows what it cut off. Default: 120, 600 while the endpoint answers everything,
   * 3600 with `thorough`.
   */
  budgetSeconds?: number;
  /** Number of times that a failed check is repeated; default: 0. */
  confirm?: number;
  /** Whether the run stops after the first failure that makes it fail; the report is partial then. Default: `false`. */
  bail?: boolean;
  /** Whether some requests of the endpoint to API v1 fail on purpose, to see how it retries; default: `true`. */
  trouble?: boolean;
  /** Whether the endpoint, which `start` or `container` of the config starts, is killed after an effect; default: `false`. */
  chaos?: boolean;
  /** Whether the causes of failures are searched for after the checks, which sends more; default: `true`. */
  diagnose?: boolean;
  /** Whether the Pact contracts of the service are verified after the checks; default: `false`. */
  contracts?: boolean;
  /** Failures of this level and above fail the run; default: `must`. */
  failOn?: 'must' | 'should';
  /** A report.json, or its directory: only what did not fail there fails the run. */
  baseline?: string;
  /** Replaces hosts, phone numbers, names, addresses and ids in the report; excludes `onEvent`. */
  anonymize?: boolean;
  /** Directory into which the report is written; default: no file is written. */
  out?: string;
  /** Formats that are written in addition to report.json; default: html. */
  format?: readonly string[];
  /** Receives the events of the run (run-event.schema.json). */
  onEvent?: (event: RunEvent) => void;
}

/** The result of `run`. */
export interface RunResult {
  report: Report;
  /** 0 conformant (with or without warnings), 1 non-conformant, 3 incomplete. */
  exitCode: 0 | 1 | 3;
}

const fieldNames: readonly string[] = Object.keys({
  config: true,
  surface: true,
  only: true,
  seed: true,
  runs: true,
  thorough: true,
  path: true,
  callbackWaitSeconds: true,
  answerTimeoutSeconds: true,
  budgetSeconds: true,
  confirm: true,
  bail: true,
  trouble: true,
  chaos: true,
  diagnose: true,
  contracts: true,
  failOn: true,
  baseline: true,
  anonymize: true,
  out: true,
  format: true,
  onEvent: true,
} satisfies Record<keyof RunRequest, true>);

/** Runs a request. See `run`. */
export async function runRequest(request: RunRequest): Promise<RunResult> {
  assertUsable(request);
  const { config, onEvent } = request;
  const target =
    typeof config === 'object'
      ? await givenTarget(config, process.env, 'The config of run()')
      : await readTarget(config === undefined ? {} : { config }, process.env);
  const output = new EventOutput(onEvent);
  const { report, exitCode } = await runConformance(
    {
      config: target.config,
      configFile: target.configFile,
      configInRepository: target.configInRepository,
      command: ['check', ...target.flags],
      notes: [],
      options: optionsOf(request),
    },
    output,
  );
  if (output.failure) throw output.failure.error;
  return { report, exitCode };
}

/** Passes the events of a run to a function of the caller. */
class EventOutput implements RunOutput {
  readonly emit: RunOutput['emit'];
  readonly note = () => undefined;
  /** The first error that the function threw. */
  failure: { error: unknown } | undefined;

  constructor(onEvent: ((event: RunEvent) => void) | undefined) {
    this.emit = (step) => {
      const event = onEvent && runEventOf(step, () => new Date());
      if (!event) return;
      try {
        onEvent(event);
      } catch (error) {
        this.failure ??= { error };
      }
    };
  }
}

/** Enforces the types of {@link RunRequest} for callers without types; an unknown field would silently have no effect. */
function assertUsable(request: RunRequest): void {
  const unknown = Object.keys(request).find((name) => !fieldNames.includes(name));
  if (unknown !== undefined) {
    throw new HarnessFault('name-unknown:option', { option: unknown, known: fieldNames });
  }
  const { seed, runs, confirm, callbackWaitSeconds, answerTimeoutSeconds, budgetSeconds, path, failOn } = request;
  assertValue('seed', seed, wholeNumber(0, largestSeed));
  assertValue('runs', runs, wholeNumber(1, mostRuns));
  assertValue('confirm', confirm, wholeNumber(0, mostRepeats));
  assertValue('callbackWaitSeconds', callbackWaitSeconds, secondsUpTo(mostCallbackWaitSeconds));
  assertValue('answerTimeoutSeconds', answerTimeoutSeconds, secondsUpTo(maxAnswerTimeoutSeconds));
  assertValue('budgetSeconds', budgetSeconds, secondsUpTo(mostBudgetSeconds));
  assertValue('path', path, counterexamplePath);
  if (failOn !== undefined && failOn !== 'must' && failOn !== 'should') {
    throw new HarnessFault('value-invalid:flag', {
      flag: 'run(): failOn',
      expected: 'must or should',
      received: String(failOn),
    });
  }
  if (request.anonymize === true && request.onEvent) {
    throw new HarnessFault('flags-conflict:option-events');
  }
}

function assertValue(name: string, value: string | number | undefined, read: ReadValue<unknown>): void {
  if (value === undefined) return;
  try {
    read(String(value));
  } catch (error) {
    throw new HarnessFault(
      'value-invalid:option',
      { option: `run(): ${name}`, reason: (error as Error).message, received: String(value) },
      { cause: error },
    );
  }
}

function optionsOf(request: RunRequest): RunOptions {
  const { surface = [], only = [], callbackWaitSeconds, answerTimeoutSeconds, diagnose = true, format } = request;
  const { seed, runs, thorough, path, confirm, bail, contracts, failOn, baseline, anonymize, out } = request;
  const { budgetSeconds, trouble, chaos } = request;
  return {
    surface: [...surface],
    only: [...only],
    diagnose,
    ...(callbackWaitSeconds !== undefined && { callbackWait: callbackWaitSeconds }),
    ...(answerTimeoutSeconds !== undefined && { answerTimeout: answerTimeoutSeconds }),
    ...(budgetSeconds !== undefined && { budget: budgetSeconds }),
    ...(format && { format: [...format] }),
    ...(seed !== undefined && { seed }),
    ...(runs !== undefined && { runs }),
    ...(thorough !== undefined && { thorough }),
    ...(path !== undefined && { path }),
    ...(trouble !== undefined && { trouble }),
    ...(chaos !== undefined && { chaos }),
    ...(confirm !== undefined && { confirm }),
    ...(bail !== undefined && { bail }),
    ...(contracts !== undefined && { contracts }),
    ...(failOn !== undefined && { failOn }),
    ...(baseline !== undefined && { baseline }),
    ...(anonymize !== undefined && { anonymize }),
    ...(out !== undefined && { out }),
  };
}
