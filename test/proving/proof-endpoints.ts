import { requirements, type RequirementId } from '../../specs/requirements/catalogue.ts';
import { mutants } from '../mutants/every-mutant.ts';
import { variants } from '../variants/every-variant.ts';
import type { Variant } from '../variants/variant.ts';
import type { Seams } from './endpoint.ts';
import { surfaceOf, type Surface } from '../../specs/surfaces.ts';

/** One endpoint of the proof: a mutant, a variant, or the correct one. */
export interface ProofEndpoint {
  name: string;
  what: string;
  surfaces: readonly Surface[];
  /** The requirement that must fail; absent if none may. */
  breaks?: RequirementId;
  /** The requirement that its second fault breaks, if it has two. */
  breaksToo?: RequirementId;
  /** Reason why the fault appears only together with the other suites. */
  needsTheRest?: string | undefined;
  /** Milliseconds in which a run watches it; default: as many as for others. */
  watchMs?: number | undefined;
  /** Whether this requirement may fail or be blocked as well. */
  isExcused(requirement: RequirementId): boolean;
  /** Event types of its API webhook subscription; absent: all of them. */
  subscribed?: Variant['subscribed'];
  /** Whether its config names no known caller. */
  knowsNobody?: true | undefined;
  /** The brand in its config; default: that of the document. */
  brand?: string | undefined;
  build: () => Seams;
}

/** Every endpoint of the proof, by name. */
export const proofEndpoints: ReadonlyMap<string, ProofEndpoint> = new Map(
  [
    ...mutants.map(
      ({
        name,
        what,
        breaks,
        mayAlso = [],
        stopsTheRest,
        needsTheRest,
        watchMs,
        surfaces,
        brand,
        build,
      }): ProofEndpoint => ({
        name,
        what,
        surfaces: surfaces ?? [surfaceOf(breaks)],
        breaks,
        needsTheRest,
        watchMs,
        isExcused: (id) => stopsTheRest !== undefined || id === breaks || mayAlso.some((also) => also.id === id),
        brand,
        build,
      }),
    ),
    ...variants.map(({ name, what, surfaces, advised = [], subscribed, knowsNobody, brand, build }): ProofEndpoint => ({
      name,
      what,
      surfaces,
      isExcused: (id) => requirements[id].level === 'advice' && advised.includes(id),
      subscribed,
      knowsNobody,
      brand,
      build,
    })),
  ].map((endpoint) => [endpoint.name, endpoint]),
);
