import type { EquivalentFault } from './equivalent-faults.ts';
import { reasonOf } from './equivalent-faults.ts';
import type { Noticer } from './noticer.ts';
import type { PlantableFault } from './operators.ts';
import { TreeCopy } from './tree-copy.ts';

/** The result of a planted fault. `by` is the test file or endpoint that detected it. */
export type Outcome =
  | { outcome: 'killed'; by: string }
  | { outcome: 'survived'; ran: number }
  | { outcome: 'not-run'; why: string }
  | { outcome: 'equivalent'; why: string };

export type JudgedFault = Omit<PlantableFault, 'nearby' | 'start' | 'end'> & Outcome;

export interface JudgeOptions {
  /** The tree to copy, and the directory with its packages. */
  root: string;
  packages: string;
  noticers: readonly Noticer[];
  equivalents: readonly EquivalentFault[];
  /** Number of copies in which faults are planted at the same time. */
  jobs: number;
  onJudged?: (fault: JudgedFault) => void;
}

/**
 * Plants each fault in a copy of the tree and runs the units that must detect it. The results are in the order of the
 * faults.
 */
export async function judgeFaults(faults: readonly PlantableFault[], options: JudgeOptions): Promise<JudgedFault[]> {
  const results = new Array<JudgedFault>(faults.length);
  const left = faults.map((fault, at) => ({ fault, at }));
  /** Whether a unit passes without a fault. */
  const sound = new Map<string, Promise<boolean>>();
  const job = async () => {
    await using copy = await TreeCopy.make(options.root, options.packages);
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { nearby: _nearby, start: _start, end: _end, ...shown } = next.fault;
      const judged = { ...shown, ...(await judgeFault(next.fault, copy, options, sound)) };
      results[next.at] = judged;
      options.onJudged?.(judged);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, faults.length) }, job));
  return results;
}

async function judgeFault(
  fault: PlantableFault,
  copy: TreeCopy,
  { noticers, equivalents }: JudgeOptions,
  sound: Map<string, Promise<boolean>>,
): Promise<Outcome> {
  const why = reasonOf(fault, equivalents);
  if (why !== undefined) return { outcome: 'equivalent', why };
  let ran = 0;
  for (const noticer of noticers) {
    let units = noticer.unitsFor(fault);
    ran += units.length;
    while (units.length > 0) {
      const unit = await copy.with(fault, () => noticer.firstFailing(copy.root, units));
      if (unit === undefined) break;
      // A unit that also fails without the fault detects nothing.
      const key = `${noticer.name} ${unit}`;
      const isSound =
        sound.get(key) ?? noticer.firstFailing(copy.root, [unit]).then((failing) => failing === undefined);
      sound.set(key, isSound);
      if (await isSound) return { outcome: 'killed', by: unit };
      units = units.filter((one) => one !== unit);
      ran--;
    }
  }
  return ran > 0 ? { outcome: 'survived', ran } : { outcome: 'not-run', why: 'no test and no endpoint loads the file' };
}
