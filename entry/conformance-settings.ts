import { dirname } from 'node:path';
import { readConfigFile } from '../harness/config/config-file.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { assertPrivateHosts } from '../harness/config/allowed-http.ts';
import { configuredSurfaces, resolveConfig } from '../harness/config/resolve-config.ts';
import { assertCallbackRoute } from '../harness/wire/callback-address.ts';
import { type ResolvedConfig, type RunSettings } from '../harness/config/settings.ts';
import { isRequirementId } from '../specs/requirements/catalogue.ts';
import { schemas } from '../specs/schemas.ts';
import type { Config } from '../specs/generated/types.ts';
import { type Surface, configKeys } from '../specs/surfaces.ts';
import { runSettings } from '../run/plan/run-settings.ts';
import type { RunRequest } from '../run/run-request.ts';

/** Options of `conformance()` of `svc-conform/vitest`; all are optional. */
export interface ConformanceOptions extends Pick<
  RunRequest,
  | 'config'
  | 'only'
  | 'seed'
  | 'runs'
  | 'thorough'
  | 'path'
  | 'callbackWaitSeconds'
  | 'answerTimeoutSeconds'
  | 'budgetSeconds'
  | 'trouble'
> {
  /** Only these surfaces of the config. */
  surface?: readonly Surface[];
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
  budgetSeconds: true,
  trouble: true,
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
  throw new HarnessFault('config-invalid:option', { option: stranger, advice });
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
    throw new HarnessFault('config-invalid:container');
  }
  if (config.start) throw new HarnessFault('config-invalid:start');
  const {
    only = [],
    seed,
    runs,
    thorough,
    path,
    callbackWaitSeconds,
    answerTimeoutSeconds,
    budgetSeconds,
    trouble,
  } = options;
  const stranger = only.find((id) => !isRequirementId(id.split('#', 1)[0] ?? ''));
  if (stranger !== undefined) {
    throw new HarnessFault('selection-empty:option-requirement', { id: stranger });
  }
  const surfaces = surfacesOf(config, options);
  if (path !== undefined && (only.length !== 1 || seed === undefined)) {
    throw new HarnessFault('selection-empty:option-path');
  }
  if (config.service.tunnel !== undefined) throw new HarnessFault('tunnel-failed:unsupported');
  await assertPrivateHosts(config);
  await assertCallbackRoute(config, surfaces);
  const settings = runSettings(config, {
    only: [...only],
    ...(seed !== undefined && { seed }),
    ...(runs !== undefined && { runs }),
    ...(thorough !== undefined && { thorough }),
    ...(path !== undefined && { path }),
    ...(callbackWaitSeconds !== undefined && { callbackWait: callbackWaitSeconds }),
    ...(answerTimeoutSeconds !== undefined && { answerTimeout: answerTimeoutSeconds }),
    ...(budgetSeconds !== undefined && { budget: budgetSeconds }),
    ...(trouble !== undefined && { trouble }),
  });
  return { surfaces, settings };
}

async function configOf(given: Config | string | undefined): Promise<ResolvedConfig> {
  if (typeof given === 'object') return resolveConfig(given, process.env, 'The config of conformance()');
  const found = await readConfigFile(process.cwd(), given);
  if (!found) {
    throw new HarnessFault('config-not-found:conformance', { directory: process.cwd() });
  }
  return resolveConfig(found.value, process.env, found.file, dirname(found.file));
}

function surfacesOf(config: ResolvedConfig, { surface = [], only = [] }: ConformanceOptions): Surface[] {
  const configured = configuredSurfaces(config);
  if (configured.length === 0) {
    throw new HarnessFault('selection-empty:no-surface', { keys: configKeys });
  }
  const missing = [...surface, ...only.map((id) => id.split('/', 1)[0] ?? id)].find(
    (name) => !configured.some((one) => one === name),
  );
  if (missing !== undefined) {
    throw new HarnessFault('selection-empty:no-endpoint', { surface: missing });
  }
  const surfaces = configured.filter(
    (name) =>
      (surface.length === 0 || surface.includes(name)) &&
      (only.length === 0 || only.some((id) => id.startsWith(`${name}/`))),
  );
  if (surfaces.length > 0) return surfaces;
  throw new HarnessFault('selection-empty:options-differ');
}
