import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { correctEndpoints } from '../proving/passed-checks.ts';
import { proofEndpoints } from '../proving/proof-endpoints.ts';
import { plantableFaults } from './operators.ts';
import type { PlantedSources } from './planted-sources.ts';
import { WorkerProcess } from './worker-process.ts';

/** Times that an endpoint runs again whose run did not complete. */
const mostRepetitions = 1;

/** The faults that each endpoint of the proof reaches, with the checks that reach them. */
export interface Reach {
  /** Digests of the faults of each file, which their numbers depend on. */
  digests: Record<string, string>;
  /** Faults that are reached when the suites are loaded: they are in effect only in a new process. */
  loaded: string[];
  checks: string[];
  /** Numbers of checks by fault, by endpoint; -1 is what runs outside checks. */
  endpoints: Record<string, Record<string, number[]>>;
}

export interface ReachOptions {
  file: string;
  root: string;
  /** Files whose faults are judged: changes of other files do not matter. */
  paths: ReadonlySet<string>;
  jobs: number;
  withinMs: number;
}

/**
 * Runs the endpoints of the proof without a fault, the correct ones first, unless `file` contains an earlier result for
 * the same faults. Those for which the time does not suffice are left for the next call.
 */
export async function readReach(
  sources: PlantedSources,
  { file, root, paths, jobs, withinMs }: ReachOptions,
): Promise<Reach> {
  const current = await digestsOf(sources, root);
  const stored = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Reach,
    () => undefined,
  );
  const isChanged = (key: string) => {
    const path = key.slice(0, key.indexOf('#'));
    return paths.has(path) && current[path] !== stored?.digests[path];
  };
  // A changed file that is not judged now keeps its old digest, so its endpoints run when it is.
  const judged = Object.entries(current).filter(([path]) => paths.has(path));
  const digests = { ...current, ...stored?.digests, ...Object.fromEntries(judged) };
  const unchanged = Object.entries(stored?.endpoints ?? {}).filter(([, keys]) => !Object.keys(keys).some(isChanged));
  const reach: Reach = {
    digests,
    loaded: stored?.loaded ?? [],
    checks: stored?.checks ?? [],
    endpoints: Object.fromEntries(unchanged),
  };
  const names = new Set([...correctEndpoints, ...proofEndpoints.keys()]);
  const left = [...names].filter((name) => !(name in reach.endpoints));
  if (left.length === 0) return reach;
  const numbers = new Map([['', -1], ...reach.checks.map((id, number) => [id, number] as const)]);
  const numberOf = (id: string) => {
    const known = numbers.get(id);
    if (known !== undefined) return known;
    numbers.set(id, reach.checks.length);
    return reach.checks.push(id) - 1;
  };
  const from = performance.now();
  const collect = async () => {
    let worker = new WorkerProcess(sources.environment());
    reach.loaded = (await worker.loaded()) ?? reach.loaded;
    while (left.length > 0 && performance.now() - from < withinMs) {
      const name = left.shift() ?? '';
      let run = await worker.run({ name, collects: true });
      // A busy machine may be the reason.
      for (let time = 0; run?.reached === undefined && time < mostRepetitions; time++) {
        await worker[Symbol.asyncDispose]();
        worker = new WorkerProcess(sources.environment());
        run = await worker.run({ name, collects: true });
      }
      if (run?.reached === undefined) {
        console.warn(`${name} did not complete, so it judges no fault: ${run?.error ?? 'no answer'}`);
        reach.endpoints[name] = {};
        continue;
      }
      reach.endpoints[name] = Object.fromEntries(
        Object.entries(run.reached).map(([key, checks]) => [key, checks.map(numberOf)]),
      );
    }
    await worker[Symbol.asyncDispose]();
  };
  await Promise.all(Array.from({ length: jobs }, collect));
  await writeFile(file, JSON.stringify(reach));
  return reach;
}

async function digestsOf({ paths }: PlantedSources, root: string): Promise<Record<string, string>> {
  const entries = paths.map(async (path) => {
    const faults = plantableFaults(path, await readFile(join(root, path), 'utf8'));
    const text = JSON.stringify(faults.map(({ operator, before, after }) => [operator, before, after]));
    return [path, createHash('sha256').update(text).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
