/** A measurement: resolves to one figure in the unit of its row. */
export type Measure = () => Promise<number>;

/** How our median must compare with that of a baseline: as a ratio (ours divided by theirs), or as a difference. */
export type Goal = { readonly ratio: number } | { readonly more: number };

/** What our figure is compared with. A baseline without a goal is shown for information. */
export interface Baseline {
  readonly name: string;
  readonly goal?: Goal;
  readonly measure: Measure;
}

/** A baseline that could not be measured here. */
export interface MissingBaseline {
  readonly name: string;
  readonly goal?: Goal;
  readonly skipped: string;
}

/** Measures our figure and the baselines alternately. */
export type Compare = (ours: Measure, baselines: readonly (Baseline | MissingBaseline)[]) => Promise<void>;

/** One row of the benchmarks: our figure, and what it is compared with in the same run. */
export interface Row {
  /** By which a row is chosen; it begins with the name of its file. */
  readonly name: string;
  readonly what: string;
  readonly unit: string;
  readonly better: 'less' | 'more';
  /** Limit of our median. */
  readonly goal?: number;
  /** Measurements of each side, after one that does not count unless this is 1; default: 5. */
  readonly rounds?: number;
  /** Sets up what both sides need and calls `compare` once. Throws {@link RowSkipped} if that is impossible here. */
  readonly run: (compare: Compare) => Promise<void>;
}

/** Thrown by a row that cannot be measured on this machine. */
export class RowSkipped extends Error {
  override readonly name = 'RowSkipped';
}
