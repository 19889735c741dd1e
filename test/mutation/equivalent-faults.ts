import { readFileSync } from 'node:fs';
import type { Operator, PlantableFault } from './operators.ts';

/** A fault without an observable effect, and the reason. */
export interface EquivalentFault {
  path: string;
  operator: Operator;
  /** The trimmed line of the source, because line numbers change. */
  source: string;
  /** The replacement; absent: each fault of this kind in the line. */
  after?: string;
  why: string;
}

/** The faults of `equivalent-faults.json`. */
export function readEquivalents(): EquivalentFault[] {
  return JSON.parse(readFileSync(new URL('equivalent-faults.json', import.meta.url), 'utf8')) as EquivalentFault[];
}

/** The reason why this fault changes nothing; `undefined` if it is not in the list. */
export function reasonOf(fault: PlantableFault, equivalents: readonly EquivalentFault[]): string | undefined {
  return equivalents.find((one) => isMeant(one, fault))?.why;
}

/** Whether an entry of the list is about this fault. */
export function isMeant(
  { path, operator, source, after }: EquivalentFault,
  fault: Pick<PlantableFault, 'path' | 'operator' | 'source' | 'after'>,
): boolean {
  return (
    path === fault.path &&
    operator === fault.operator &&
    source === fault.source &&
    (after === undefined || after === fault.after)
  );
}
