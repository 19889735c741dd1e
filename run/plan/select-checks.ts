import type { OwnSuites } from '../../harness/checks/own-suites.ts';
import { configuredSurfaces } from '../../harness/config/resolve-config.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { contractMark } from '../../specs/contract-mark.ts';
import { isRequirementId, requirement, requirements } from '../../specs/requirements/catalogue.ts';
import { surfaces as everySurface, type Surface, configKeyOf, configKeys } from '../../specs/surfaces.ts';
import { isOfRecordings, knownChecks, type KnownCheck } from './known-checks.ts';
import { suggestion } from '../../specs/nearest.ts';
import type { RunOptions } from '../run-input.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** The checks that a run selects. */
export interface SelectedChecks {
  /** Surfaces of the config. */
  configured: Surface[];
  /** Configured surfaces that run. */
  surfaces: Surface[];
  /** Whether a requirement is to be judged. */
  isSelected: (id: string) => boolean;
  /** The checks that will run; `undefined` without a build. */
  expected: readonly KnownCheck[] | undefined;
  /** Requirements of the integrator's suites. */
  own?: OwnSuites['requirements'];
}

/**
 * Applies `--surface` and `--only` to the configured surfaces, to the integrator's own checks and to those of contracts
 * if these are verified too. Throws {@link HarnessFault} when the selection is empty.
 */
export async function selectChecks(
  config: ResolvedConfig,
  options: Pick<RunOptions, 'surface' | 'only'>,
  own: Pick<OwnSuites, 'checks' | 'requirements'> = { checks: [], requirements: {} },
  ofContracts: readonly KnownCheck[] = [],
): Promise<SelectedChecks> {
  const configured = configuredSurfaces(config);
  if (configured.length === 0) {
    throw new HarnessFault('selection-empty:no-surface', { keys: configKeys });
  }
  const asked = options.surface.map((name) => surfaceNamed(name, configured));
  const ours = (await knownChecks())?.filter((check) => !isOfRecordings(check));
  const known = ours && [...ours, ...own.checks, ...ofContracts];
  const only = options.only.map((id) => requirementNamed(id, known, own));
  for (const id of only) {
    const surface = surfaceOf(id);
    if (!configured.includes(surface))
      throw new HarnessFault('selection-empty:not-configured', {
        selection: `--only ${id}`,
        surface,
        key: configKeyOf(surface),
      });
  }
  const surfaces = configured.filter(
    (surface) =>
      (asked.length === 0 || asked.includes(surface)) &&
      (only.length === 0 || only.some((id) => surfaceOf(id) === surface)),
  );
  const expected = known?.filter(
    ({ id, requirement: of }) =>
      surfaces.some((surface) => of.startsWith(`${surface}/`)) &&
      (options.only.length === 0 || options.only.includes(of) || options.only.includes(id)),
  );
  if (surfaces.length === 0 || expected?.length === 0) {
    throw new HarnessFault('selection-empty:different');
  }
  return {
    configured,
    surfaces,
    isSelected: (id) =>
      surfaces.some((surface) => id.startsWith(`${surface}/`)) && (only.length === 0 || only.some((one) => one === id)),
    expected,
    own: own.requirements,
  };
}

/** The surface of a requirement id; ids of the integrator's suites were validated when the suites were loaded. */
function surfaceOf(id: string): Surface {
  return id.slice(0, id.indexOf('/')) as Surface;
}

function surfaceNamed(name: string, configured: readonly Surface[]): Surface {
  const surface = everySurface.find((one) => one === name);
  if (surface === undefined) {
    throw new HarnessFault('name-unknown:surface', {
      surface: name,
      known: everySurface,
      near: suggestion(name, everySurface),
    });
  }
  if (!configured.includes(surface))
    throw new HarnessFault('selection-empty:not-configured', {
      selection: `--surface ${name}`,
      surface,
      key: configKeyOf(surface),
    });
  return surface;
}

/** The requirement of an id of `--only`, which may be the id of a check. */
function requirementNamed(
  id: string,
  known: readonly KnownCheck[] | undefined,
  own: Pick<OwnSuites, 'checks' | 'requirements'>,
): string {
  const [name = '', slug] = id.split('#', 2);
  if (Object.hasOwn(own.requirements, name) && (slug === undefined || own.checks.some((check) => check.id === id))) {
    return name;
  }
  const ids = [
    ...Object.keys({ ...requirements, ...own.requirements }),
    ...(known ?? own.checks).map((check) => check.id),
  ];
  if (!isRequirementId(name) || (slug !== undefined && known && !known.some((check) => check.id === id))) {
    const ofContract = slug?.startsWith(contractMark) === true ? ' Checks of contracts run with --contracts.' : '';
    throw new HarnessFault('name-unknown:only', { id, note: ofContract, near: suggestion(id, ids) });
  }
  const { unobservable } = requirement(name);
  if (unobservable !== undefined) throw new HarnessFault('selection-empty:unobservable', { id, reason: unobservable });
  if (known && !known.some((check) => check.requirement === name)) {
    throw new HarnessFault('selection-empty:no-check', { id });
  }
  return name;
}
