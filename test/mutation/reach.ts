import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { proofEndpoints } from '../proving/proof-endpoints.ts';
import type { PlantedSources } from './planted-sources.ts';
import { WorkerProcess } from './worker-process.ts';

/** Times that an endpoint runs again whose run did not complete. */
const mostRepetitions = 3;

/** The faults that each endpoint of the proof reaches, with the checks that reach them. */
export interface Reach {
  /** Digest of the sources, which the numbers of the faults depend on. */
  digest: string;
  /** Faults that are reached when the suites are loaded: they are in effect only in a new process. */
  loaded: string[];
  checks: string[];
  /** Numbers of checks by fault, by endpoint; -1 stands for what runs outside checks. */
  endpoints: Record<string, Record<string, number[]>>;
}

/** Runs every endpoint of the proof without a fault, or reads an earlier result for the same sources from `file`. */
export async function readReach(
  sources: PlantedSources,
  { file, root, jobs }: { file: string; root: string; jobs: number },
): Promise<Reach> {
  const digest = await digestOf(sources, root);
  const stored = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Reach,
    () => undefined,
  );
  const reach: Reach = stored?.digest === digest ? stored : { digest, loaded: [], checks: [], endpoints: {} };
  const left = [...proofEndpoints.keys()].filter((name) => !(name in reach.endpoints));
  if (left.length === 0) return reach;
  const numbers = new Map([['', -1], ...reach.checks.map((id, number) => [id, number] as const)]);
  const numberOf = (id: string) => {
    const known = numbers.get(id);
    if (known !== undefined) return known;
    numbers.set(id, reach.checks.length);
    return reach.checks.push(id) - 1;
  };
  const collect = async () => {
    let worker = new WorkerProcess(sources.environment());
    reach.loaded = (await worker.loaded()) ?? reach.loaded;
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      let run = await worker.run({ name, collects: true });
      // A busy machine may be the reason.
      for (let time = 0; run?.reached === undefined && time < mostRepetitions; time++) {
        await worker[Symbol.asyncDispose]();
        worker = new WorkerProcess(sources.environment());
        run = await worker.run({ name, collects: true });
      }
      if (run?.reached === undefined) throw new Error(`${name} did not complete: ${run?.error ?? 'no answer'}`);
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

async function digestOf({ paths }: PlantedSources, root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\0`).update(await readFile(join(root, path)));
  return hash.digest('hex');
}
