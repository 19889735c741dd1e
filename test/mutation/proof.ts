import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { proofEndpoints } from '../proving/proof-endpoints.ts';
import { runsInEngine, type ProofResult } from '../proving/prove.ts';
import type { ImportGraph } from './import-graph.ts';
import type { Noticer } from './noticer.ts';
import { endpointsToRun } from './proof-endpoints-of.ts';

/** Endpoints that one process runs at once: runs mostly wait. */
const lanes = { registered: 16, engine: 1 };
/** Milliseconds for one endpoint: a fault may also make a check wait for ever. */
const endpointMs = 90_000;

/** The proof: every mutant must be caught by the checks of its requirement, and no variant may be accused. */
export function proof(graph: ImportGraph, suites: ReadonlyMap<string, readonly RequirementId[]>): Noticer {
  return {
    name: 'proof',
    unitsFor: (fault) => endpointsToRun(fault, graph, suites),
    async firstFailing(root, units) {
      for (const kind of ['registered', 'engine'] as const) {
        let left = units.filter((name) => isInEngine(name) === (kind === 'engine'));
        while (left.length > 0) {
          const { suspect, passed } = await runUntilUnexpected(root, left, lanes[kind]);
          if (suspect === undefined) break;
          // A busy machine may be the reason: the fault shows again, alone.
          if ((await runUntilUnexpected(root, [suspect], 1)).suspect !== undefined) return suspect;
          left = left.filter((name) => name !== suspect && !passed.has(name));
        }
      }
      return undefined;
    },
  };
}

const isInEngine = (name: string) => runsInEngine(proofEndpoints.get(name), 'broken');

/** Runs endpoints until one of them is not as expected. */
async function runUntilUnexpected(
  root: string,
  names: readonly string[],
  atOnce: number,
): Promise<{ suspect: string | undefined; passed: ReadonlySet<string> }> {
  const worker = join(root, 'test/proving/proof-worker.ts');
  const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache') };
  const child = fork(worker, { cwd: root, env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  child.setMaxListeners(4 * atOnce);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const waiting = [...names];
  const passed = new Set<string>();
  const suspect = await new Promise<string | undefined>((resolve, reject) => {
    const lane = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        if (await isAsExpected(child, name)) passed.add(name);
        else resolve(name);
      }
    };
    Promise.all(Array.from({ length: atOnce }, lane)).then(() => resolve(undefined), reject);
  });
  waiting.length = 0;
  child.kill('SIGKILL');
  await ended;
  return { suspect, passed };
}

let asked = 0;

function isAsExpected(child: ChildProcess, name: string): Promise<boolean> {
  const id = asked++;
  return new Promise((resolve) => {
    const finish = (isRight: boolean) => {
      clearTimeout(timer);
      child.off('exit', onExit).off('message', onMessage);
      resolve(isRight);
    };
    const onExit = () => finish(false);
    const onMessage = (message: { id: number; result?: ProofResult }) => {
      if (message.id === id) finish(message.result !== undefined && isRight(message.result));
    };
    const timer = setTimeout(() => finish(false), endpointMs);
    child.on('exit', onExit).on('message', onMessage);
    if (child.connected) child.send({ id, name, extent: 'broken' });
    else finish(false);
  });
}

function isRight({ name, caught, accusations, passes }: ProofResult): boolean {
  if (proofEndpoints.get(name)?.breaks !== undefined) return caught;
  return accusations.length === 0 && passes > 0;
}
