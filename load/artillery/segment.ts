import { HarnessFault } from '../../harness/checks/faults.ts';
import { seededNumbers } from '../arrivals.ts';

/** One of several equal parts: `index` counts from 0. */
export interface Part {
  index: number;
  of: number;
}

/** The part of a plan that one worker of Artillery sends: its machine among all, and the worker within this machine. */
export interface Segment {
  machine: Part;
  worker: Part;
}

/** The variable that numbers the machines of a load: 2/4 on the second of four. */
export const machineVariable = 'SVC_CONFORM_MACHINE';

/**
 * The segment of a worker.
 *
 * @param phase a phase as Artillery gives it to its workers; without numbers, there is one worker
 * @param machine the value of {@link machineVariable}; absent: one machine
 * @throws HarnessFault `value-invalid` if it is not of the form I/N
 */
export function segmentOf(
  { worker = 1, totalWorkers = 1 }: { worker?: number | undefined; totalWorkers?: number | undefined },
  machine = '1/1',
): Segment {
  const [, number = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(machine) ?? []).map(Number);
  if (number < 1 || number > count) {
    throw new HarnessFault('value-invalid:flag', {
      flag: machineVariable,
      expected: 'the number of this machine and of all, such as 2/4',
      received: machine,
    });
  }
  return { machine: { index: number - 1, of: count }, worker: { index: worker - 1, of: totalWorkers } };
}

/** A step of the plan, for all workers. */
export interface PlannedStep {
  /** Deliveries per second, or calls that begin within the second. */
  load: number;
  seconds: number;
  /** A step has the same times in every worker. */
  seed: number;
}

/**
 * Milliseconds from the start of a step at which a worker sends its part of the events. Those of all workers together are
 * `load` in each second, at independent times.
 */
export function dueTimes({ load, seconds, seed }: PlannedStep, { machine, worker }: Segment): number[] {
  const random = seededNumbers(seed);
  const isOwn = (at: number) =>
    at % machine.of === machine.index && Math.floor(at / machine.of) % worker.of === worker.index;
  return Array.from({ length: seconds }, (_, second) =>
    Array.from({ length: load }, () => (second + random()) * 1000)
      .sort((a, b) => a - b)
      .filter((_time, at) => isOwn(at)),
  ).flat();
}

/** The part of a whole number; the parts of all workers add up to it. */
export function partOf(whole: number, { machine, worker }: Segment): number {
  const share = (all: number, { index, of }: Part) => Math.floor(all / of) + (index < all % of ? 1 : 0);
  return share(share(whole, machine), worker);
}
