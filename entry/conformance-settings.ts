import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import { readConfigFile } from '../harness/config/config-file.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { configuredSurfaces, resolveConfig, surfaceKeys } from '../harness/config/resolve-config.ts';
import { assertCallbackRoute } from '../harness/wire/callback-route.ts';
import { runDefaults, type ResolvedConfig, type RunSettings } from '../harness/config/settings.ts';
import { limits } from '../specs/limits.ts';
import { isRequirementId, type Surface } from '../specs/requirements/catalogue.ts';
import { schemas } from '../specs/schemas.ts';
import type { Config } from '../specs/generated/types.ts';

/** Options of `conformance()` of `svc-conform/vitest`; all are optional. */
export interface ConformanceOptions {
  /** A config as for `defineConfig`, or its path; default: the nearest `svc-conform.config.*`. */
  config?: Config | string;
  /** Only these surfaces of the config. */
  surface?: readonly Surface[];
  /** Only these requirements or checks, by their ids. */
  only?: readonly string[];
  /** Seed of generated events and dialogues; default: random. */
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
  /** Whether a failed `should` fails the test as well; by default it warns. */
  failOn?: 'must' | 'should';
}

const optionNames: readonly string[] = Object.keys({
  config: true,
  surface: true,
  only: true,
  seed: true,
  runs: true,
  thorough: true,
  path: true,
  callbackWaitSeconds: true,
  answerTimeoutSeconds: true,
  failOn: true,
} satisfies Record<keyof ConformanceOptions, true>);

/** Throws {@link HarnessFault} for an unknown option, which would otherwise be ignored silently. */
function assertOptions(options: object): void {
  const stranger = Object.keys(options).find((name) => !optionNames.includes(name));
  if (stranger === undefined) return;
  const isOfConfig = Object.keys(schemas.config.properties ?? {}).includes(stranger);
  const advice = isOfConfig
    ? `It belongs to the config: did you mean conformance({ config: { ${stranger}: … } })?`
    : `Expected one of ${optionNames.join(', ')}.`;
  throw new HarnessFault('config-invalid', `conformance() has no option ${stranger}. ${advice}`);
}

/**
 * Reads the config and the selection. Throws {@link HarnessFault} like `svc-conform check` for an invalid config or an
 * unreachable public address, and `selection-empty` for surfaces and ids that it does not contain.
 */
export async function conformanceSettings(options: ConformanceOptions): Promise<{
  settings: RunSettings;
  surfaces: Surface[];
}> {
  assertOptions(options);
  const config = await configOf(options.config);
  if (config.container) {
    throw new HarnessFault(
      'config-invalid',
      'conformance() does not start containers: start it in a globalSetup of Vitest and remove container from the config, or run npx svc-conform check.',
    );
  }
  const { only = [], thorough = false, path, callbackWaitSeconds, answerTimeoutSeconds } = options;
  const stranger = only.find((id) => !isRequirementId(id.split('#', 1)[0] ?? ''));
  if (stranger !== undefined) {
    throw new HarnessFault(
      'selection-empty',
      `only: there is no requirement ${stranger}. npx svc-conform explain lists them.`,
    );
  }
  const surfaces = surfacesOf(config, options);
  if (path !== undefined && (only.length !== 1 || options.seed === undefined)) {
    throw new HarnessFault('selection-empty', 'path replays one counterexample: give only with one check, and seed.');
  }
  await assertCallbackRoute(config, surfaces);
  return {
    surfaces,
    settings: {
      config,
      seed: options.seed ?? randomInt(0x7fff_ffff),
      runs: options.runs ?? (thorough ? runDefaults.thoroughRuns : runDefaults.runs),
      callbackWaitMs: inMs(callbackWaitSeconds) ?? limits.crmCallbackWithinMs,
      callbackLimitMs: limits.crmCallbackWithinMs,
      answerTimeoutMs: inMs(answerTimeoutSeconds) ?? runDefaults.answerTimeoutMs,
      quietMs: runDefaults.quietMs,
      retryWatchMs: runDefaults.retryWatchMs,
      propertyMs: thorough ? runDefaults.thoroughPropertyMs : runDefaults.propertyMs,
      shrinkMs: runDefaults.shrinkMs,
      only: [...only],
      ...(path !== undefined && { path }),
    },
  };
}

async function configOf(given: Config | string | undefined): Promise<ResolvedConfig> {
  if (typeof given === 'object') return resolveConfig(given, process.env, 'The config of conformance()');
  const found = await readConfigFile(process.cwd(), given);
  if (!found) {
    throw new HarnessFault(
      'config-not-found',
      `There is no svc-conform.config.{ts,js,json,yaml} in ${process.cwd()} or above it: write one, or give conformance() a config.`,
    );
  }
  return resolveConfig(found.value, process.env, found.file, dirname(found.file));
}

function surfacesOf(config: ResolvedConfig, { surface = [], only = [] }: ConformanceOptions): Surface[] {
  const configured = configuredSurfaces(config);
  if (configured.length === 0) {
    throw new HarnessFault(
      'selection-empty',
      `The config has no endpoint to check: add at least one of ${Object.values(surfaceKeys).join(', ')}.`,
    );
  }
  const missing = [...surface, ...only.map((id) => id.split('/', 1)[0] ?? id)].find(
    (name) => !configured.some((one) => one === name),
  );
  if (missing !== undefined) {
    throw new HarnessFault('selection-empty', `The config has no endpoint for ${missing}.`);
  }
  const surfaces = configured.filter(
    (name) =>
      (surface.length === 0 || surface.includes(name)) &&
      (only.length === 0 || only.some((id) => id.startsWith(`${name}/`))),
  );
  if (surfaces.length > 0) return surfaces;
  throw new HarnessFault('selection-empty', 'The selection is empty: only and surface exclude each other.');
}

function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
