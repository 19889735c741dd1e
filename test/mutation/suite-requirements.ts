import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { RunSettings } from '../../harness/config/settings.ts';
import { ownRoot, suiteFiles } from '../../harness/checks/suite-files.ts';
import { isRequirementId, type RequirementId } from '../../specs/requirements/catalogue.ts';
import { surfaces } from '../../specs/surfaces.ts';
import type * as StandIn from '../proving/stand-in-vitest.ts';

const standIn = new URL('../proving/stand-in-vitest.ts', import.meta.url).href;

/**
 * The requirements that the checks of each suite file judge. From then on, the process has the substitute for `vitest`.
 */
export async function readSuiteRequirements(): Promise<Map<string, RequirementId[]>> {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vitest' ? { url: standIn, shortCircuit: true } : next(specifier, context),
  });
  const { registering } = (await import(standIn)) as typeof StandIn;
  // Registering runs no check, so the config is not read.
  const settings = { only: [], config: { skills: [], stimuli: {}, service: {} } } as unknown as RunSettings;
  const found = new Map<string, RequirementId[]>();
  for (const file of suiteFiles(surfaces)) {
    const checks = await registering(settings, () => import(pathToFileURL(`${ownRoot}${file}`).href));
    const ids = checks.map(({ check }) => check.requirement).filter(isRequirementId);
    found.set(file, [...new Set(ids)]);
  }
  return found;
}
