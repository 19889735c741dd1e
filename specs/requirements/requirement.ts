import type { Level } from '../generated/types.ts';
import type { ProbeName, UnprobedReason } from './probe.ts';

/** One normative statement of the interface that binds the integrator's side. */
export interface Requirement {
  /** Heading in the interface document, verbatim. */
  readonly section: string;
  /** A failed `must` fails the run, a `should` warns, `advice` informs. */
  /** The cheapest probe that can find why it fails. */
  readonly probe?: ProbeName;
  readonly unprobed?: UnprobedReason;
  readonly level: Level;
  /** The required behaviour, in our own words. */
  readonly statement: string;
  /** The fix for a developer in any language when a check fails. */
  readonly remediation: string;
  /** Why black-box tests cannot observe it. Absent where a check can. */
  readonly unobservable?: string;
}

/** One statement of the interface about the service itself; one of our tests plays it. */
export interface ServiceStatement {
  /** Heading in the interface document, verbatim. */
  readonly section: string;
  /** Behaviour of the service, in our own words. */
  readonly statement: string;
  /** Missing prerequisite for a test of it. Absent if a test shows it. */
  readonly awaits?: string;
}

/** The same entries, each id led by the surface: `refuses-other-secret` becomes `own-ai-chat/refuses-other-secret`. */
export type OnSurface<S extends string, T> = { readonly [K in keyof T & string as `${S}/${K}`]: T[K] };

/** Puts entries that several surfaces share under one surface. */
export function onSurface<const S extends string, T extends Record<string, Requirement>>(
  surface: S,
  entries: T,
): OnSurface<S, T> {
  return Object.fromEntries(Object.entries(entries).map(([slug, entry]) => [`${surface}/${slug}`, entry])) as OnSurface<
    S,
    T
  >;
}
