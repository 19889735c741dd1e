import type { EquivalentFault } from './equivalent-faults.ts';
import { reasonOf } from './equivalent-faults.ts';
import type { PlantedFault } from './find-faults.ts';
import type { Noticer } from './noticer.ts';
import type { PlantableFault } from './operators.ts';

/** The result of a planted fault. `by` is the test file or endpoint that detected it. */
export type Outcome =
  | { outcome: 'killed'; by: string }
  | { outcome: 'survived'; ran: number }
  | { outcome: 'not-run'; why: string }
  | { outcome: 'equivalent'; why: string };

export type JudgedFault = Omit<PlantableFault, 'nearby' | 'start' | 'end' | 'expression'> & Outcome;

export interface JudgeOptions {
  noticers: readonly Noticer[];
  equivalents: readonly EquivalentFault[];
  /** Number of faults that are judged at the same time. */
  jobs: number;
  /** Begins no further fault after this many milliseconds. */
  withinMs?: number;
  onJudged?: (fault: JudgedFault) => void;
}

/**
 * Puts each fault into effect and runs the units that must detect it. The results are in the order of the faults; those
 * for which the time did not suffice are missing.
 */
export async function judgeFaults(
  faults: readonly PlantedFault[],
  { jobs, withinMs = Infinity, onJudged, ...rest }: JudgeOptions,
): Promise<JudgedFault[]> {
  const results = new Map<PlantedFault, JudgedFault>();
  const left = [...faults];
  const from = performance.now();
  const job = async () => {
    while (left.length > 0 && performance.now() - from < withinMs) {
      const next = left.shift();
      if (next === undefined) return;
      const { nearby: _nearby, start: _start, end: _end, expression: _expression, key: _key, ...shown } = next;
      const judged = { ...shown, ...(await judgeFault(next, rest)) };
      results.set(next, judged);
      onJudged?.(judged);
    }
  };
  await Promise.all(Array.from({ length: jobs }, job));
  return faults.flatMap((fault) => results.get(fault) ?? []);
}

async function judgeFault(
  fault: PlantedFault,
  { noticers, equivalents }: Pick<JudgeOptions, 'noticers' | 'equivalents'>,
): Promise<Outcome> {
  const why = reasonOf(fault, equivalents);
  if (why !== undefined) return { outcome: 'equivalent', why };
  let ran = 0;
  for (const noticer of noticers) {
    const noticed = await noticer.judge(fault, fault.key);
    if (noticed.by !== undefined) return { outcome: 'killed', by: noticed.by };
    ran += noticed.ran;
  }
  return ran > 0 ? { outcome: 'survived', ran } : { outcome: 'not-run', why: 'no test and no endpoint reaches it' };
}
