import { contractChecks } from '../../contracts/contract-checks.ts';
import { contractSurfaces, serviceContracts } from '../../contracts/contract-files.ts';
import { configuredSurfaces } from '../../harness/config/resolve-config.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { KnownCheck } from './known-checks.ts';
import { suggestion } from '../../specs/nearest.ts';
import type { RunOptions } from '../run-input.ts';
import type { SelectedChecks } from './select-checks.ts';
import { configKeyOf } from '../../specs/surfaces.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/**
 * Applies `--surface` and `--only` to the contracts of the configured surfaces, for runs that verify only contracts.
 *
 * @throws HarnessFault for an unknown name, and when the selection is empty
 */
export async function selectContracts(
  config: ResolvedConfig,
  { surface: asked, only }: Pick<RunOptions, 'surface' | 'only'>,
): Promise<SelectedChecks> {
  const configured = configuredSurfaces(config);
  const withContract: readonly string[] = contractSurfaces;
  for (const name of asked) {
    if (!withContract.includes(name)) {
      throw new HarnessFault('name-unknown:contract', {
        surface: name,
        known: withContract,
        near: suggestion(name, withContract),
      });
    }
  }
  const surfaces = configured.filter(
    (surface) => withContract.includes(surface) && (asked.length === 0 || asked.includes(surface)),
  );
  if (surfaces.length === 0) {
    const keys = contractSurfaces.map((surface) => configKeyOf(surface)).join(', ');
    throw new HarnessFault('selection-empty:no-contract-endpoint', { keys });
  }
  const all = await contractsOf(withContract);
  for (const id of only) {
    if (all.some((check) => check.id === id || check.requirement === id)) continue;
    const ids = all.flatMap((check) => [check.id, check.requirement]);
    throw new HarnessFault('name-unknown:interaction', { id, near: suggestion(id, ids) });
  }
  const expected = await contractsOf(surfaces, only);
  if (expected.length === 0) {
    throw new HarnessFault('selection-empty:no-interaction');
  }
  const chosen = new Set(expected.map(({ requirement }) => requirement));
  return { configured, surfaces, isSelected: (id) => chosen.has(id), expected };
}

/** The checks of the contracts of these surfaces. */
export async function contractsOf(surfaces: readonly string[], only: readonly string[] = []): Promise<KnownCheck[]> {
  return contractChecks(await serviceContracts(surfaces), only).map(({ identity }) => identity);
}
