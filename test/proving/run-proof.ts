import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeEndpointSecurity } from '../tls/endpoint-security.ts';
import { proofEndpoints, type ProofEndpoint } from './proof-endpoints.ts';
import { runsInEngine, type ProofExtent, type ProofResult } from './prove.ts';

/** Processes that run one endpoint at a time in the engine: a run takes most of a core. */
const engineProcesses = { whole: 8, broken: 1 };
/**
 * Processes that run the others, and the endpoints that each runs at once: runs mostly wait, and share loaded modules.
 */
const processes = 2;
const lanes = 6;
/** Endpoints with many long waits: they start first, so that nothing waits for them at the end. */
const longest = [
  'slow-but-in-time',
  'phone-late-in-time',
  'phone-one-thread',
  'phone-skill-without-a-word',
  'phone-latest-call-in-a-global',
];

/** How the endpoints of a proof are reached. */
export type Transport = 'plain' | 'tls';

/**
 * Links are read from a file, and a client connects to the simulated service: neither uses the endpoint's transport.
 */
export function isSentTo(endpoint: ProofEndpoint | undefined): boolean {
  return endpoint?.surfaces.some((surface) => surface !== 'api-client' && surface !== 'deep-links') === true;
}

/** Each run loads the suites again, so a shared compile cache saves a third of the work. */
const environment = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/svc-conform', import.meta.url)),
  ...process.env,
};

const worker = fileURLToPath(new URL('proof-worker.ts', import.meta.url));

/**
 * Runs the proof for the endpoints of these names and returns their results in the same order. Throws if a run did not
 * complete.
 */
export async function runProof(
  names: readonly string[],
  extent: ProofExtent,
  transport: Transport,
  onResult: (result: ProofResult) => void = () => undefined,
): Promise<ProofResult[]> {
  using security = transport === 'tls' ? makeEndpointSecurity() : undefined;
  const env = { ...environment, ...security?.environment };
  const results = new Array<ProofResult>(names.length);
  const numbered = names.map((name, at) => ({ name, at }));
  const isLongest = ({ name }: { name: string }) => longest.includes(name);
  numbered.sort((a, b) => Number(isLongest(b)) - Number(isLongest(a)));
  const workThrough = async (left: typeof numbered, child: ChildProcess) => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { name, at } = next;
      // On a busy machine, a run may not end in time, so it is repeated once.
      const result = await ask(child, name, extent).catch(() => ask(child, name, extent));
      results[at] = result;
      onResult(result);
    }
  };
  const shareOut = async (left: typeof numbered, most: number, atOnce: number) => {
    const started = Array.from({ length: Math.min(most, left.length) }, () =>
      fork(worker, { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }).setMaxListeners(2 * atOnce),
    );
    try {
      const working = started.flatMap((child) => Array.from({ length: atOnce }, () => workThrough(left, child)));
      await Promise.all(working);
    } finally {
      for (const child of started) if (child.connected) child.disconnect();
    }
  };
  const isInEngine = ({ name }: { name: string }) => runsInEngine(proofEndpoints.get(name), extent);
  // Both run at the same time: neither keeps two cores busy by itself, and neither waits for the longest run of the
  // other.
  await Promise.all([
    shareOut(numbered.filter(isInEngine), engineProcesses[extent], 1),
    shareOut(
      numbered.filter((one) => !isInEngine(one)),
      processes,
      lanes,
    ),
  ]);
  return results;
}

/** Number of the latest request to a child process. */
let asked = 0;

function ask(child: ChildProcess, name: string, extent: ProofExtent): Promise<ProofResult> {
  const id = asked++;
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`The process that ran ${name} ended early.`));
    const onMessage = (message: { id: number } & ({ result: ProofResult } | { error: string })) => {
      if (message.id !== id) return;
      child.off('exit', ended).off('message', onMessage);
      if ('result' in message) resolve(message.result);
      else reject(new Error(message.error));
    };
    child.on('exit', ended).on('message', onMessage);
    child.send({ id, name, extent });
  });
}
