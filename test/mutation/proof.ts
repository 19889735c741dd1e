import { endpointsToRun, labelUnit, type EndpointToRun } from './endpoints-to-run.ts';
import type { Noticer } from './noticer.ts';
import type { PlantedSources } from './planted-sources.ts';
import type { Reach } from './reach.ts';
import { WorkerProcess } from './worker-process.ts';

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
      try {
        for (const [number, unit] of units.entries()) {
          if (current.runs++ >= mostRuns) await renew();
          const run = await current.worker.run({ ...unit, fault: key });
          if (run?.isRight === true) continue;
          if (run === undefined) await renew();
          // A busy machine may be the reason, or a run with an earlier fault.
          if (await isRightWithout(unit, current.worker)) return { by: labelUnit(unit), ran: number + 1 };
          await renew();
          if (!(await isRightWithout(unit, current.worker))) continue;
          if ((await current.worker.run({ ...unit, fault: key }))?.isRight !== true) {
            await renew();
            return { by: labelUnit(unit), ran: number + 1 };
          }
        }
        return { ran: units.length };
      } finally {
        idle.push(current);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(idle.map(({ worker }) => worker[Symbol.asyncDispose]()));
    },
  };
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
    for (const [number, unit] of units.entries()) {
      const run = await faulty.run({ ...unit, fault: key });
      if (run?.isRight === true) continue;
      sound ??= startSound();
      if (await isRightWithout(unit, sound)) return { by: labelUnit(unit), ran: number + 1 };
      if (run === undefined) break;
    }
    return { ran: units.length };
  } finally {
    await sound?.[Symbol.asyncDispose]();
  }
}

async function isRightWithout(unit: EndpointToRun, worker: WorkerProcess): Promise<boolean> {
  return (await worker.run(unit))?.isRight === true;
}
