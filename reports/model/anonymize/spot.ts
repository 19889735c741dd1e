import type { Piece } from './decoded-text.ts';
import type { Identities } from './identities.ts';

/** A stretch of a text that has been dealt with, and what takes the place of parts of it. */
export interface Spot {
  readonly from: number;
  readonly to: number;
  readonly pieces: readonly Piece[];
}

/** Finds the spots of one kind in a text. */
export type Spotter = (text: string, identities: Identities) => Spot[];
