import type { Report } from '../../specs/generated/types.ts';
import { surfaces, type Surface } from '../../specs/surfaces.ts';

/**
 * The surfaces that these runs configured, in display order. On any other surface no requirement was applicable and no
 * check ran.
 */
export function configuredSurfaces(...reports: readonly Report[]): Surface[] {
  const rows = reports.flatMap(({ requirements }) => requirements);
  const named = new Set(
    rows
      .filter(({ checks, verdict }) => checks.length > 0 || verdict !== 'not-applicable')
      .map(({ surface }) => surface),
  );
  return surfaces.filter((name): name is Surface => named.has(name));
}
