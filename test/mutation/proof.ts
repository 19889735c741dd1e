import { endpointsToRun, labelUnit, type EndpointToRun } from './endpoints-to-run.ts';
import type { Noticer } from './noticer.ts';
import type { PlantedSources } from './planted-sources.ts';
import type { Reach } from './reach.ts';
import { WorkerProcess } from './worker-process.ts';

/** Endpoints that one process runs at the same time. */
const mostAtOnce = 8;
/** Runs of one process: what it remembers from one run must not add up. */
const mostRuns = 150;

/**
 * The proof: runs the endpoints that reach a fault until one has an unexpected result, which it does not have without the
 * fault. At most `most` endpoints per fault.
 */
export function proof(sources: PlantedSources, reach: Reach, most = Infinity): Noticer {
  const idle: { worker: WorkerProcess; runs: number }[] = [];
  const isLoaded = new Set(reach.loaded);
  const start = (fault?: string) => ({ worker: new WorkerProcess(sources.environment(fault)), runs: 0 });
  return {
    name: 'proof',
    async judge(fault, key) {
      const units = endpointsToRun(fault, key, reach).slice(0, most);
      if (isLoaded.has(key))
        return await judgeFromStart(
          units,
          key,
          () => start(key).worker,
          () => start().worker,
        );
      let current = idle.pop() ?? start();
      const renew = async () => {
        await current.worker[Symbol.asyncDispose]();
        current = start();
      };
      const isRight = async (unit: EndpointToRun) =>
        (await current.worker.run({ ...unit, fault: key }))?.isRight === true;
      try {
        let ran = 0;
        for (const together of inBatches(units)) {
          if ((current.runs += together.length) > mostRuns) await renew();
          const { worker } = current;
          const runs = await Promise.all(together.map((unit) => worker.run({ ...unit, fault: key })));
          ran += together.length;
          if (runs.includes(undefined)) await renew();
          for (const unit of together.filter((_, at) => runs[at]?.isRight !== true)) {
            // A busy machine may be the reason, or a run with an earlier fault.
            const isSoundAtOnce = await isRightWithout(unit, current.worker);
            if (isSoundAtOnce && (together.length === 1 || !(await isRight(unit)))) return { by: labelUnit(unit), ran };
            if (isSoundAtOnce) continue;
            await renew();
            if ((await isRightWithout(unit, current.worker)) && !(await isRight(unit))) {
              await renew();
              return { by: labelUnit(unit), ran };
            }
          }
        }
        return { ran };
      } finally {
        idle.push(current);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(idle.map(({ worker }) => worker[Symbol.asyncDispose]()));
    },
  };
}

/** One unit, then two, then more at the same time: most faults are detected by the first, and runs mostly wait. */
function inBatches(units: readonly EndpointToRun[]): EndpointToRun[][] {
  const batches: EndpointToRun[][] = [];
  for (let from = 0, size = 1; from < units.length; from += size, size = Math.min(2 * size, mostAtOnce)) {
    batches.push(units.slice(from, from + size));
  }
  return batches;
}

/** Judges a fault that is in effect only in processes that load the suites with it. */
async function judgeFromStart(
  units: readonly EndpointToRun[],
  key: string,
  startFaulty: () => WorkerProcess,
  startSound: () => WorkerProcess,
): Promise<{ by?: string; ran: number }> {
  if (units.length === 0) return { ran: 0 };
  await using faulty = startFaulty();
  let sound: WorkerProcess | undefined;
  try {
    let ran = 0;
    for (const together of inBatches(units)) {
      const runs = await Promise.all(together.map((unit) => faulty.run({ ...unit, fault: key })));
      ran += together.length;
      for (const unit of together.filter((_, at) => runs[at]?.isRight !== true)) {
        sound ??= startSound();
        if (await isRightWithout(unit, sound)) return { by: labelUnit(unit), ran };
      }
      if (runs.includes(undefined)) break;
    }
    return { ran };
  } finally {
    await sound?.[Symbol.asyncDispose]();
  }
}

async function isRightWithout(unit: EndpointToRun, worker: WorkerProcess): Promise<boolean> {
  return (await worker.run(unit))?.isRight === true;
}
