import { readFile } from 'node:fs/promises';
import { runsFile, type RecordedRun } from './check-mistake.ts';
import { figuresFile, type MistakeFigures } from './mistake-figures.ts';
import type { Mistake } from './mistake.ts';

/** The stored result of each endpoint, by its name. */
export const figures = JSON.parse(await readFile(figuresFile, 'utf8')) as MistakeFigures;

/** The recorded run of each endpoint, by its name. */
export const runs = JSON.parse(await readFile(runsFile, 'utf8')) as Record<string, RecordedRun>;

/** Deliveries of a diagnosis up to which `npm test` compares the causes of `check`; CI compares the others. */
const fewDeliveries = 70;
const quickSeconds = 1.5;

/** Whether the endpoint runs in the process of its test: the others are in framework-mistakes.ci.test.ts. */
export function isInProcess({ framework }: Mistake): boolean {
  return framework === undefined;
}

/** Whether `npm test` compares the causes that `check` and the diagnosis report for this endpoint. */
export function isCompared({ name }: Mistake): boolean {
  const { deliveries, seconds } = figures[name] ?? {};
  return deliveries !== undefined && deliveries <= fewDeliveries && (seconds ?? 0) <= quickSeconds;
}

/** Sorts by known duration, longest first. */
export function longestFirst(mistakes: readonly Mistake[]): Mistake[] {
  const secondsOf = ({ name }: Mistake) => figures[name]?.seconds ?? 0;
  return mistakes.toSorted((a, b) => secondsOf(b) - secondsOf(a));
}
