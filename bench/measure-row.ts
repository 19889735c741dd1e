import { loadavg } from 'node:os';
import { thisMachine, type Machine } from './machine.ts';
import { RowSkipped, type Baseline, type Goal, type Measure, type MissingBaseline, type Row } from './row.ts';

/** The figures of one side. */
export interface Figures {
  min: number;
  median: number;
  max: number;
}

export interface BaselineResult {
  name: string;
  goal?: Goal;
  figures?: Figures;
  /** Our median divided by that of the baseline. */
  ratio?: number;
  isMet?: boolean;
  skipped?: string;
}

/** A measured row. */
export interface RowResult {
  name: string;
  what: string;
  unit: string;
  better: Row['better'];
  measuredAt: string;
  machine: Machine;
  /** Load average of the machine, over the last minute, at the end. */
  load?: number;
  rounds?: number;
  ours?: Figures;
  goal?: number;
  isMet?: boolean;
  baselines: BaselineResult[];
  skipped?: string;
  /** Why no figures could be measured, although the row is possible here. */
  failed?: string;
}

const usualRounds = 5;

/**
 * Measures one row; the same noise affects both sides, since they are measured alternately. A row that throws has
 * `failed`, so that it does not cost the others their figures.
 */
export async function measureRow(row: Row, givenRounds?: number): Promise<RowResult> {
  const { name, what, unit, better, goal } = row;
  const rounds = givenRounds ?? row.rounds ?? usualRounds;
  const result: RowResult = {
    name,
    what,
    unit,
    better,
    measuredAt: new Date().toISOString(),
    machine: thisMachine(),
    ...(goal !== undefined && { goal }),
    baselines: [],
  };
  try {
    await row.run(async (ours, baselines) => {
      Object.assign(result, await compare(row, { ours, baselines, rounds }));
    });
  } catch (error) {
    if (error instanceof RowSkipped) result.skipped = error.message;
    else result.failed = error instanceof Error ? error.message : String(error);
  }
  const [load = 0] = loadavg();
  return { ...result, load: Math.round(load * 10) / 10 };
}

async function compare(
  { better, goal }: Row,
  { ours, baselines, rounds }: { ours: Measure; baselines: readonly (Baseline | MissingBaseline)[]; rounds: number },
): Promise<Partial<RowResult>> {
  const sides = [ours, ...baselines.flatMap((one) => ('measure' in one ? [one.measure] : []))].map((measure) => ({
    measure,
    samples: [] as number[],
  }));
  if (rounds > 1) for (const { measure } of sides) await measure();
  for (let round = 0; round < rounds; round++) {
    for (const { measure, samples } of sides) {
      const sample = await measure();
      if (!Number.isFinite(sample)) throw new Error(`expected a figure, received ${sample}`);
      samples.push(sample);
    }
  }
  const [first, ...others] = sides.map(({ samples }) => figuresOf(samples));
  const figures = first as Figures;
  const isWithin = (value: number, limit: number) => (better === 'less' ? value <= limit : value >= limit);
  return {
    rounds,
    ours: figures,
    ...(goal !== undefined && { isMet: isWithin(figures.median, goal) }),
    baselines: baselines.map((one): BaselineResult => {
      const base = { name: one.name, ...(one.goal && { goal: one.goal }) };
      if (!('measure' in one)) return { ...base, skipped: one.skipped };
      const theirs = others.shift() as Figures;
      const ratio = figures.median / theirs.median;
      const isMet =
        one.goal &&
        ('ratio' in one.goal ? isWithin(ratio, one.goal.ratio) : figures.median - theirs.median <= one.goal.more);
      return { ...base, figures: theirs, ratio, ...(isMet !== undefined && { isMet }) };
    }),
  };
}

function figuresOf(samples: readonly number[]): Figures {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? NaN;
  return { min: at(0), median: at(Math.floor(sorted.length / 2)), max: at(sorted.length - 1) };
}
