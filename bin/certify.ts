import { setFlagsFromString } from 'node:v8';
import type { FinishedCheck } from '../harness/engine.ts';
import { redactor } from '../harness/redact.ts';
import { surfaceKeys } from '../harness/resolve-config.ts';
import { secretsOf, type ResolvedConfig } from '../harness/settings.ts';
import type { GateOptions } from '../reports/apply-gate.ts';
import type { Report } from '../specs/types.ts';
import { assertEventsPlace } from './assert-events-place.ts';
import { assertCertifiable } from './certificate-options.ts';
import { formatsNamed } from './format-option.ts';
import type { CertificateRequest } from './grant-certificate.ts';
import { judge, selectionOf } from './judge.ts';
import { readPrivateKey } from './read-key.ts';
import { readBaseline } from './read-baseline.ts';
import { withContainer } from './run-container.ts';
import { RunEvents } from './run-events.ts';
import { assertShardable, repeatedFlags, type RunOptions } from './run-options.ts';
import { runSettings } from './run-settings.ts';
import { selectChecks, type SelectedChecks } from './select-checks.ts';
import { shellCommand } from './shell-command.ts';
import { tryOutFolder } from './try-out-folder.ts';
import { tryServiceAddress } from './try-service-address.ts';
import { UsageError } from './usage-error.ts';

/** What `check` and `demo` hand over. */
export interface Certification {
  config: ResolvedConfig;
  /** Verb and flags that name the same target again. */
  command: readonly string[];
  /** Told before the run. */
  notes: readonly string[];
  options: RunOptions;
  /** As the report names it. */
  configFile?: string | undefined;
}

/**
 * Megabytes of V8's young generation for the threads of a run. Exchanges are short-lived; with V8's default the space
 * for them grows to several times what a run needs, and no run is quicker for it.
 */
const youngMegabytes = 4;

/** Runs the selected checks, writes the report, prints the verdict and sets the exit code. */
export async function certify({ config, command, notes, options, configFile }: Certification): Promise<void> {
  setFlagsFromString(`--max-semi-space-size=${youngMegabytes}`);
  const { surface, only, shard, out, json, confirm } = options;
  assertShardable(options);
  if (json === true && options.events === '-') {
    throw new UsageError('--json and --events - both want standard output: give --events a file.');
  }
  if (options.anonymize === true && options.events !== undefined) {
    throw new UsageError('--events tells what happens as it is: leave it out, or leave out --anonymize.');
  }
  const settings = runSettings(config, options);
  const selected = await selectChecks(config, options);
  const asked = { surface, only };
  const waivers = config.waivers ?? [];
  assertCertifiable(
    options,
    selectionOf({ asked, settings, shard }),
    waivers.map(({ requirement }) => requirement),
  );
  const formats = await formatsNamed(options.format ?? ['html']);
  const gate = await gateOf(options, waivers);
  const certificate = await certificateRequestOf(options);
  if (!config.container) await tryServiceAddress(config);
  await tryOutFolder(out);
  const redact = redactor(secretsOf(config));
  const again = [...command, ...repeatedFlags(options)].map(redact);
  await assertEventsPlace(options);
  using events = options.events === undefined ? undefined : RunEvents.open(options.events);
  try {
    await withContainer(config, async (placed, complete) => {
      await judge({
        settings: { ...settings, config: placed },
        selected,
        notes,
        asked,
        target: targetOf(config, selected, redact),
        reproduce: (check) => reproduce(again, check, settings.seed),
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
        complete,
        configFile,
      });
    });
  } catch (error) {
    events?.stopped(error instanceof Error ? error : String(error));
    throw error;
  }
  if (events?.failure) {
    process.stderr.write(`Events are missing from ${options.events}: ${events.failure.message}\n`);
  }
}

/** What flags and waivers hold the run against; `undefined` where its verdict alone decides. */
async function gateOf(
  { baseline, failOn, path, out }: RunOptions,
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
}: RunOptions): Promise<CertificateRequest | undefined> {
  return certificate === true && key !== undefined ? { key: await readPrivateKey(key), validDays } : undefined;
}

function targetOf(config: ResolvedConfig, { surfaces }: SelectedChecks, redact: (text: string) => string) {
  const target: Report['target'] = {};
  for (const surface of surfaces) {
    const named = config[surfaceKeys[surface]];
    if (!named) continue;
    if ('url' in named) target[surface] = { url: redact(named.url) };
    else target[surface] = 'command' in named ? { command: redact(named.command) } : { file: redact(named.file) };
  }
  return target;
}

function reproduce(command: readonly string[], { id, finding }: FinishedCheck, seed: number): string {
  const example = finding?.counterexample;
  const words = ['npx', 'svc-conform', ...command, '--only', id, '--seed', String(example?.seed ?? seed)];
  return shellCommand(example && example.path !== '' ? [...words, '--path', example.path] : words);
}
