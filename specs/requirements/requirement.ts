/** How much depends on it: a `must` fails the run, a `should` warns, `advice` informs. */
export type Level = 'must' | 'should' | 'advice';

/** One normative statement of the interface that binds the integrator's side. */
export interface Requirement {
  /** Heading in the interface document, as it is written there. */
  readonly section: string;
  readonly level: Level;
  /** What holds, in our own words. */
  readonly statement: string;
  /** What a developer in any language changes when it does not hold. */
  readonly remediation: string;
  /** Why no black box can see it. Absent when a check can. */
  readonly unobservable?: string;
}

/** One statement of the interface about the service itself; a test of ours plays it. */
export interface ServiceStatement {
  /** Heading in the interface document, as it is written there. */
  readonly section: string;
  /** What the service does, in our own words. */
  readonly statement: string;
  /** What has to be there before a test of ours can show it. Absent where one shows it. */
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
