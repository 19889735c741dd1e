import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { readPassedChecks } from '../proving/passed-checks.ts';
import { proofEndpoints } from '../proving/proof-endpoints.ts';
import type { ProofResult } from '../proving/prove.ts';
import type { ImportGraph } from './import-graph.ts';
import type { Noticer } from './noticer.ts';
import { endpointsToRun } from './proof-endpoints-of.ts';

/** Endpoints that one process runs at once: runs mostly wait. */
const lanes = 12;
/** Checks that must still pass: a fault may make one judge nothing. */
const passedChecks = await readPassedChecks();
/** Milliseconds for one endpoint: a fault may also make a check wait for ever. */
const endpointMs = 90_000;

/**
 * The proof: every mutant must be caught by the checks of its requirement, no variant may be accused, and the endpoints from
 * which the mutants are derived must pass the same checks as before. Runs at most
 * `most` endpoints per fault.
 */
export function proof(
  graph: ImportGraph,
  suites: ReadonlyMap<string, readonly RequirementId[]>,
  most = Infinity,
): Noticer {
  return {
    name: 'proof',
    unitsFor: (fault) => endpointsToRun(fault, graph, suites).slice(0, most),
    firstFailing: firstUnexpected,
  };
}

/** Runs endpoints until one has an unexpected result twice: among others, and alone. */
async function firstUnexpected(root: string, names: readonly string[]): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  await using worker = startWorker(root);
  const waiting = [...names];
  let alone: Promise<unknown> = Promise.resolve();
  let isOver = false;
  const showsAlone = async (name: string): Promise<boolean> => {
    await using another = startWorker(root);
    return !(await isAsExpected(another.child, name));
  };
  const found = await new Promise<string | undefined>((resolve, reject) => {
    const lane = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const suspect = name;
        if (await isAsExpected(worker.child, suspect)) continue;
        // A busy machine may be the reason, so the endpoints run again, one at a time.
        const confirmed = alone.then(() => !isOver && showsAlone(suspect));
        alone = confirmed;
        if (await confirmed) resolve(suspect);
      }
    };
    Promise.all(Array.from({ length: lanes }, lane)).then(() => resolve(undefined), reject);
  });
  waiting.length = 0;
  isOver = true;
  return found;
}

/** A process of the proof in the tree at `root`. */
function startWorker(root: string): AsyncDisposable & { child: ChildProcess } {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache') };
  const path = join(root, 'test/proving/proof-worker.ts');
  const child = fork(path, { cwd: root, env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  child.setMaxListeners(50);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
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

function isRight({ name, caught, accusations, passed }: ProofResult): boolean {
  if (proofEndpoints.get(name)?.breaks !== undefined) return caught;
  const expected = passedChecks[name] ?? [];
  return accusations.length === 0 && passed.length > 0 && expected.every((id) => passed.includes(id));
}
