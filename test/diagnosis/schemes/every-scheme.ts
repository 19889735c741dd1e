import { bodyMistakes } from './body-mistakes.ts';
import { callMistakes } from './call-mistakes.ts';
import { careless } from './careless.ts';
import { clockMistakes } from './clock-mistakes.ts';
import { composites } from './composites.ts';
import { contentMistakes } from './content-mistakes.ts';
import { digestMistakes } from './digest-mistakes.ts';
import { headerMistakes } from './header-mistakes.ts';
import { keyMistakes } from './key-mistakes.ts';
import { rightReceivers } from './right-receivers.ts';
import { signedSurfaces, type Scheme, type SignedSurface } from './scheme.ts';
import { unknownSchemes } from './unknown-schemes.ts';

/** Endpoints by purpose: one mistake, two, carelessness, the clock, unknown schemes, and correct ones. */
export const schemeGroups = {
  singles: [...keyMistakes, ...contentMistakes, ...bodyMistakes, ...digestMistakes, ...headerMistakes, ...callMistakes],
  clock: clockMistakes,
  careless,
  composites,
  unknown: unknownSchemes,
  right: rightReceivers,
} as const satisfies Record<string, readonly Scheme[]>;

export type SchemeGroup = keyof typeof schemeGroups;

export interface Trial {
  group: SchemeGroup;
  scheme: Scheme;
  surface: SignedSurface;
}

/** Every scheme on every surface to which it applies. */
export function everyTrial(): Trial[] {
  return (Object.keys(schemeGroups) as SchemeGroup[]).flatMap((group) =>
    schemeGroups[group].flatMap((scheme) =>
      (scheme.surfaces ?? signedSurfaces).map((surface) => ({ group, scheme, surface })),
    ),
  );
}
