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
