import { setFlagsFromString } from 'node:v8';
import type { FinishedCheck } from '../harness/checks/engine.ts';
import { assertFileHandles } from '../harness/wire/resource-limits.ts';
import type { OwnSuites } from '../harness/checks/own-suites.ts';
import { redactor } from '../service/redact.ts';
import { secretsOf, type ResolvedConfig } from '../harness/config/settings.ts';
import type { GateOptions } from '../reports/model/apply-gate.ts';
import { requirements } from '../specs/requirements/catalogue.ts';
import { assertEventsPlace } from './plan/assert-events-place.ts';
import { assertCertifiable } from './plan/assert-certifiable.ts';
import {
  assertContractsFit,
  runWithContracts,
  selectWithContracts,
  tellBroker,
  verifyAgain,
  type ContractsPart,
} from './execute/contract-run.ts';
import { incompleteExitCode, type RunExitCode } from './exit-code.ts';
import { formatsNamed } from './plan/formats-named.ts';
import type { CertificateRequest } from './publish/grant-certificate.ts';
import { executeChecks, selectionOf } from './execute-checks.ts';
import type { KnownCheck } from './plan/known-checks.ts';
import { suggestion } from '../specs/nearest.ts';
import { readPrivateKey } from './input/read-key.ts';
import { readBaseline } from './input/read-baseline.ts';
import { withContainer } from './execute/run-container.ts';
import { RunEvents } from './publish/run-events.ts';
import { assertShardable, repeatedFlags, type RunInput } from './run-input.ts';
import { runEnvironment } from './plan/run-environment.ts';
import { runSettings } from './plan/run-settings.ts';
import { selectChecks } from './plan/select-checks.ts';
import { shellCommand, shownWords } from './plan/shell-command.ts';
import { targetNames } from './config/target-names.ts';
import { tryOutDirectory } from './plan/try-out-directory.ts';
import { tryServiceAddress } from './plan/try-service-address.ts';
import { UsageError } from './usage-error.ts';

/** What `check` and `demo` hand over. */
export interface ConformanceRun {
  config: ResolvedConfig;
  /** Verb and flags that name the same target again. */
  command: readonly string[];
  /** Told before the run. */
  notes: readonly string[];
  options: RunInput;
  /** As the report names it. */
  configFile?: string | undefined;
  /** Contracts are verified, and no suite is run. Default: as `options.contracts` says. */
  contracts?: 'alone' | undefined;
}

/**
 * Megabytes of V8's young generation for the threads of a run. Exchanges are short-lived; with V8's default the space
 * for them grows to several times what a run needs, and no run is quicker for it.
 */
const youngMegabytes = 4;

/** Runs the selected checks, writes the report, prints the verdict and returns the exit code. */
export async function runConformance({
  config,
  command,
  notes,
  options,
  configFile,
  contracts,
}: ConformanceRun): Promise<RunExitCode> {
  setFlagsFromString(`--max-semi-space-size=${youngMegabytes}`);
  const { surface, only, shard, out, json, confirm } = options;
  assertShardable(options);
  assertContractsFit(options);
  const part: ContractsPart | undefined = contracts ?? (options.contracts === true ? 'beside' : undefined);
  if (json === true && options.events === '-') {
    throw new UsageError('--json and --events - both want standard output: give --events a file.');
  }
  if (options.anonymize === true && options.events !== undefined) {
    throw new UsageError('--events tells what happens as it is: leave it out, or omit --anonymize.');
  }
  const usual = runSettings(config, options);
  const own = contracts === 'alone' ? undefined : await ownSuitesOf(config, options);
  const settings = own ? { ...usual, ownSuites: own.files } : usual;
  const ofSuites = (ofContracts?: readonly KnownCheck[]) => selectChecks(config, options, own, ofContracts);
  const selected = part ? await selectWithContracts(part, config, options, ofSuites) : await ofSuites();
  const asked = { surface, only };
  const waivers = config.waivers ?? [];
  assertCertifiable(
    options,
    selectionOf({ asked, settings, shard, contracts: contracts === 'alone' }),
    waivers.map(({ requirement }) => requirement),
    runEnvironment(config),
  );
  const formats = await formatsNamed(options.format ?? ['html']);
  const gate = await gateOf(options, waivers);
  const certificate = await certificateRequestOf(options);
  assertFileHandles();
  if (!config.container) await tryServiceAddress(config, selected.surfaces);
  await tryOutDirectory(out);
  const redact = redactor(secretsOf(config));
  const again = shownWords([...command, ...repeatedFlags(options)], redact);
  await assertEventsPlace(options);
  using events = options.events === undefined ? undefined : RunEvents.open(options.events);
  let code: RunExitCode;
  try {
    code = await withContainer(config, async (placed, complete) => {
      const { report, exitCode } = await executeChecks({
        settings: { ...settings, config: placed },
        selected,
        ...(part && { run: runWithContracts(part), contracts: part === 'alone' }),
        notes: own ? [...notes, ...unstatedWaivers(waivers, own)] : notes,
        asked,
        target: targetNames(config, selected.surfaces, redact),
        reproduce: (check) =>
          verifyAgain(shownWords(command, redact), check, options, settings.seed) ??
          reproduce(again, check, settings.seed),
        out,
        formats,
        json,
        // What reads events line by line must meet nothing else.
        printTo: options.events === '-' ? process.stderr : process.stdout,
        shard,
        confirm,
        gate,
        anonymize: options.anonymize,
        certificate,
        events,
        diagnose: options.diagnose && contracts !== 'alone',
        complete,
        configFile,
      });
      if (part && !(await tellBroker(placed, options, selected, report, redact))) return exitCode || incompleteExitCode;
      return exitCode;
    });
  } catch (error) {
    events?.stopped(error instanceof Error ? error : String(error));
    throw error;
  }
  if (events?.failure) {
    process.stderr.write(`Events are missing from ${options.events}: ${events.failure.message}\n`);
  }
  return code;
}

/** Suites of the integrator's own that the config or flags name, looked at before anything is sent. */
async function ownSuitesOf({ suites }: ResolvedConfig, { certificate }: RunInput): Promise<OwnSuites | undefined> {
  if (!suites) return undefined;
  if (certificate === true) {
    throw new UsageError(
      'No certificate can be given for a run with suites of your own: it is about the interface alone. Omit --suites, and give --no-suites where the config names some.',
    );
  }
  const { collectOwnSuites } = await import('../harness/checks/own-suites.ts');
  return await collectOwnSuites(suites);
}

/** A sentence about each waiver of a requirement that nobody states: it rests until its date, and excuses nothing. */
function unstatedWaivers(waivers: NonNullable<ResolvedConfig['waivers']>, own: OwnSuites): string[] {
  const ids = Object.keys({ ...requirements, ...own.requirements });
  return waivers
    .filter(({ requirement }) => !ids.includes(requirement))
    .map(({ requirement }) => `Nothing states ${requirement}, which a waiver excuses.${suggestion(requirement, ids)}`);
}

/** What flags and waivers hold the run against; `undefined` where its verdict alone decides. */
export async function gateOf(
  { baseline, failOn, path, out }: RunInput,
  waivers: NonNullable<ResolvedConfig['waivers']>,
): Promise<GateOptions | undefined> {
  if (baseline === undefined && failOn === undefined && waivers.length === 0) return undefined;
  return {
    failOn: failOn ?? 'must',
    today: new Date().toISOString().slice(0, 10),
    waivers,
    isReplay: path !== undefined,
    ...(baseline !== undefined && { baseline: await readBaseline(baseline, out) }),
  };
}

async function certificateRequestOf({
  certificate,
  key,
  validDays,
}: RunInput): Promise<CertificateRequest | undefined> {
  return certificate === true && key !== undefined ? { key: await readPrivateKey(key), validDays } : undefined;
}

function reproduce(command: readonly string[], { id, finding }: FinishedCheck, seed: number): string {
  const example = finding?.counterexample;
  const words = ['npx', 'svc-conform', ...command, '--only', id, '--seed', String(example?.seed ?? seed)];
  return shellCommand(example && example.path !== '' ? [...words, '--path', example.path] : words);
}
