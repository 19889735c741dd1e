import type { Report } from '../../specs/types.ts';
import { configKeys, type Surface } from './surfaces.ts';

/**
 * The surfaces that the configs of these runs name, in the order in which surfaces are shown. A requirement of any other
 * was applicable in none of them, and no check ran for it.
 */
export function configuredSurfaces(...reports: readonly Report[]): Surface[] {
  const rows = reports.flatMap(({ requirements }) => requirements);
  const named = new Set(
    rows
      .filter(({ checks, verdict }) => checks.length > 0 || verdict !== 'not-applicable')
      .map(({ surface }) => surface),
  );
  return Object.keys(configKeys).filter((name): name is Surface => named.has(name));
}
