import type { Piece } from './decoded-text.ts';
import type { Identities } from './identities.ts';

/** A processed range of a string, and the replacements within it. */
export interface Spot {
  readonly from: number;
  readonly to: number;
  readonly pieces: readonly Piece[];
}

/** Finds the spots of one kind in a string. */
export type Spotter = (text: string, identities: Identities) => Spot[];

/** Pattern of what separates the groups of a phone number: spaces and dashes of any kind, including invisible ones. */
export const phoneSeparator = String.raw`[\p{Zs}\p{Pd}()./\u00ad\u200b-\u200d\u2044\u2060\u2212]{1,3}`;
