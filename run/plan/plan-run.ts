import type { FinishedCheck } from '../../harness/checks/engine.ts';
import type { OwnSuites } from '../../harness/checks/own-suites.ts';
import { runDefaults, type ResolvedConfig, type RunSettings } from '../../harness/config/settings.ts';
import { isDecisive, type GateOptions } from '../../reports/model/apply-gate.ts';
import { Brand } from '../../specs/brand.ts';
import { suggestion } from '../../specs/nearest.ts';
import { requirements } from '../../specs/requirements/catalogue.ts';
import { targetNames } from '../config/target-names.ts';
import {
  assertContractsFit,
  runWithContracts,
  selectWithContracts,
  verifyAgain,
  type ContractsPart,
} from '../execute/contract-run.ts';
import { brandedOutput } from '../output/branded-output.ts';
import { readBaseline } from '../input/read-baseline.ts';
import { readPrivateKey } from '../input/read-key.ts';
import type { CertificateSettings } from '../publish/grant-certificate.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import type { RunContext } from '../run-context.ts';
import { assertShardable, repeatedFlags, type RunInput, type RunOptions } from '../run-input.ts';
import { selectionOf, type RunPlan } from '../run-plan.ts';
import type { RunOutput } from '../run-step.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { requirePackages } from '../../harness/checks/require-packages.ts';
import { assertCertifiable } from './assert-certifiable.ts';
import { reportDirectory } from './report-directory.ts';
import { parseFormatNames } from './parse-format-names.ts';
import type { KnownCheck } from './known-checks.ts';
import { runEnvironment } from './run-environment.ts';
import { runSettings } from './run-settings.ts';
import { selectChecks } from './select-checks.ts';
import { shellCommand, redactCommand } from './shell-command.ts';
import { previousReport, usualDurationMs } from './previous-run.ts';

/** A plan, the context of its stages, and whether it verifies contracts. */
export interface PlannedRun {
  context: RunContext;
  plan: RunPlan;
  hasContracts: boolean;
}

/**
 * Reads and validates the whole input of a run; sends nothing. Throws {@link HarnessFault} for invalid input
 * and for an optional package that is missing.
 */
export async function planRun(
  { config, configFile, configInRepository, command, notes, options, contracts }: RunInput,
  output: RunOutput,
): Promise<PlannedRun> {
  const { only, shard, confirm } = options;
  assertShardable(options);
  assertContractsFit(options);
  const isAlone = contracts === 'alone';
  const part: ContractsPart | undefined = contracts ?? (options.contracts === true ? 'after-suites' : undefined);
  requirePackages(
    ...(part ? (['@pact-foundation/pact'] as const) : []),
    ...(config.container ? (['testcontainers'] as const) : []),
  );
  const { chaos = config.chaos } = options;
  if (chaos === true && !config.start && !config.container) throw new HarnessFault('flag-missing:chaos');
  const usual = runSettings(config, { ...options, ...(chaos !== undefined && { chaos }) });
  const own = isAlone ? undefined : await ownSuitesOf(config, options);
  const waivers = config.waivers ?? [];
  const settings: RunSettings = {
    ...usual,
    ...(own && { ownSuites: own.files }),
    // Each shard would decide for itself whether a surface is tried any further.
    ...(only.length === 0 && !shard && { preflightMs: runDefaults.preflightMs }),
  };
  const ofSuites = (ofContracts?: readonly KnownCheck[]) => selectChecks(config, options, own, ofContracts);
  const selected = part ? await selectWithContracts(part, config, options, ofSuites) : await ofSuites();
  const isNarrowed = selected.surfaces.length < selected.configured.length;
  const surface = isNarrowed ? options.surface : [];
  const selection = selectionOf({ asked: { surface, only }, settings, shard, contracts: isAlone });
  assertCertifiable(
    options,
    selection,
    waivers.map(({ requirement }) => requirement),
    runEnvironment(config),
  );
  const formats = await parseFormatNames(options.format ?? ['html']);
  const now = () => new Date();
  const out = await reportDirectory(options, selection);
  const gate = await gateOf({ ...options, ...(out !== undefined && { out }) }, waivers, now());
  const decisive = gate ?? { failOn: 'must', today: now().toISOString().slice(0, 10) };
  const stopping = Object.entries({ ...requirements, ...own?.requirements }).filter(([requirement, { level }]) =>
    isDecisive({ requirement, level }, decisive),
  );
  const context: RunContext = {
    settings: { ...settings, ...(options.bail === true && { bail: stopping.map(([requirement]) => requirement) }) },
    redact: configRedactor(config),
    now,
    output: brandedOutput(output, Brand.named(config.brand)),
  };
  const certificate = await certificateRequestOf(options, out);
  const target = targetNames(config, selected.surfaces, context.redact);
  const previous = await previousReport(out, { target, selection });
  const again = redactCommand([...command, ...repeatedFlags(options)], context.redact);
  return {
    context,
    hasContracts: part !== undefined,
    plan: {
      selected,
      runChecks: part && runWithContracts(part),
      notes: own ? [...notes, ...unstatedWaivers(waivers, own)] : notes,
      selection,
      target,
      previous,
      usualMs: usualDurationMs(previous, options),
      configFile,
      configInRepository,
      shard,
      confirm,
      diagnose: options.diagnose && !isAlone,
      reproduce: (check) =>
        verifyAgain(redactCommand(command, context.redact), check, options, settings.seed) ??
        reproduce(again, check, settings.seed),
      gate,
      anonymize: options.anonymize,
      out,
      formats,
      certificate,
    },
  };
}

/** Collects the integrator's suites of the config or flags before anything is sent. */
async function ownSuitesOf({ suites }: ResolvedConfig, { certificate }: RunOptions): Promise<OwnSuites | undefined> {
  if (!suites) return undefined;
  if (certificate === true) {
    throw new HarnessFault('certificate-impossible:suites');
  }
  const { collectOwnSuites } = await import('../../harness/checks/own-suites.ts');
  return await collectOwnSuites(suites);
}

/** A sentence about each waiver without effect, because neither the catalogue nor a suite defines its requirement. */
function unstatedWaivers(waivers: NonNullable<ResolvedConfig['waivers']>, own: OwnSuites): string[] {
  const ids = Object.keys({ ...requirements, ...own.requirements });
  return waivers
    .filter(({ requirement }) => !ids.includes(requirement))
    .map(
      ({ requirement }) => `A waiver refers to the unknown requirement ${requirement}.${suggestion(requirement, ids)}`,
    );
}

/** The gate that options and waivers define; `undefined` if the verdict alone decides. */
export async function gateOf(
  { baseline, failOn, path, out }: RunOptions,
  waivers: NonNullable<ResolvedConfig['waivers']>,
  today: Date,
): Promise<GateOptions | undefined> {
  if (baseline === undefined && failOn === undefined && waivers.length === 0) return undefined;
  return {
    failOn: failOn ?? 'must',
    today: today.toISOString().slice(0, 10),
    waivers,
    isReplay: path !== undefined,
    ...(baseline !== undefined && { baseline: await readBaseline(baseline, out) }),
  };
}

async function certificateRequestOf(
  { certificate, key, validDays }: RunOptions,
  out: string | undefined,
): Promise<CertificateSettings | undefined> {
  if (certificate !== true || key === undefined) return undefined;
  if (out === undefined) throw new HarnessFault('flag-missing:certificate-directory');
  return { key: await readPrivateKey(key), validDays, out };
}

function reproduce(command: readonly string[], { id, finding, source }: FinishedCheck, seed: number): string {
  // Requests of the endpoint come only with the events of the whole run.
  if (source === 'observed') return shellCommand(['npx', 'svc-conform', ...command, '--seed', String(seed)]);
  const example = finding?.counterexample;
  const words = ['npx', 'svc-conform', ...command, '--only', id, '--seed', String(example?.seed ?? seed)];
  return shellCommand(example && example.path !== '' ? [...words, '--path', example.path] : words);
}
