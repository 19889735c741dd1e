import type { Report } from '../../specs/generated/types.ts';
import { surfaces, type Surface } from '../../specs/surfaces.ts';

/**
 * The surfaces that these runs configured, in display order. On any other surface no requirement was applicable, and
 * the only checks are of requests that the endpoint sent on its own.
 */
export function configuredSurfaces(...reports: readonly Report[]): Surface[] {
  const named = new Set(
    reports.flatMap(({ requirements, checks: all }) => {
      const observed = new Set(all.filter(({ source }) => source === 'observed').map(({ id }) => id));
      return requirements
        .filter(({ checks, verdict }) =>
          checks.length > 0 ? checks.some((id) => !observed.has(id)) : verdict !== 'not-applicable',
        )
        .map(({ surface }) => surface);
    }),
  );
  return surfaces.filter((name): name is Surface => named.has(name));
}
