import type { SchemeGroup, Trial } from './every-scheme.ts';
import type { TrialResult } from './run-trial.ts';
import { schemeName } from './scheme.ts';

export interface GroupFigures {
  endpoints: number;
  /** Every mistake was reported; for correct endpoints and unknown schemes: no cause was named. */
  right: number;
  /** One of two mistakes was reported. */
  partly: number;
  /** No cause was named. */
  none: number;
  /** A wrong cause was named. */
  wrong: number;
  deliveries: { median: number; worst: number };
  seconds: { median: number; worst: number };
}

/** The endpoints of `singles` without `--thorough`. */
export const usualGroup = 'usual';
export type FigureGroup = SchemeGroup | typeof usualGroup;

export type Figures = { schemes: number; groups: Partial<Record<FigureGroup, GroupFigures>> };

/** Counts the named causes by group. */
export function countFigures(results: readonly (Trial & TrialResult)[]): Figures {
  const groups = [...new Set(results.map(({ group }) => group))];
  return {
    schemes: new Set(results.flatMap(({ scheme }) => (scheme.ids.length === 0 ? [] : [schemeName(scheme)]))).size,
    groups: Object.fromEntries(groups.map((name) => [name, ofGroup(results.filter(({ group }) => group === name))])),
  };
}

function ofGroup(results: readonly TrialResult[]): GroupFigures {
  const count = (wanted: TrialResult['verdict']) => results.filter(({ verdict }) => verdict === wanted).length;
  return {
    endpoints: results.length,
    right: count('right'),
    partly: count('partly'),
    none: count('none'),
    wrong: count('wrong'),
    deliveries: spread(results.map(({ deliveries }) => deliveries)),
    seconds: spread(results.map(({ seconds }) => Math.round(seconds * 10) / 10)),
  };
}

function spread(values: readonly number[]): { median: number; worst: number } {
  const sorted = [...values].sort((one, other) => one - other);
  return { median: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, worst: sorted.at(-1) ?? 0 };
}
