import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeEndpointSecurity } from '../tls/endpoint-security.ts';
import type { ProofEndpoint } from './proof-endpoints.ts';
import type { ProofExtent, ProofResult } from './prove.ts';

/**
 * Processes of a proof, and the endpoints that each runs at once: a run in the engine takes most of a core; the others
 * mostly wait, and share what is loaded.
 */
const concurrency = { whole: { processes: 8, lanes: 1 }, broken: { processes: 2, lanes: 10 } };
/** Endpoints with many long waits: they start first, so that nothing waits for them at the end. */
const longest = [
  'hook-redelivery-noted-later-again',
  'hook-time-read-once',
  'chat-time-read-once',
  'phone-time-read-once',
  'slow-but-in-time',
  'phone-late-in-time',
  'phone-one-thread',
  'phone-one-call-at-a-time',
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
  { processes, lanes }: { processes: number; lanes: number } = concurrency[extent],
): Promise<ProofResult[]> {
  using security = transport === 'tls' ? makeEndpointSecurity() : undefined;
  const env = { ...environment, ...security?.environment };
  const results = new Array<ProofResult>(names.length);
  const isLongest = ({ name }: { name: string }) => longest.includes(name);
  const left = names.map((name, at) => ({ name, at })).sort((a, b) => Number(isLongest(b)) - Number(isLongest(a)));
  const workThrough = async (child: ChildProcess) => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { name, at } = next;
      // On a busy machine, a run may not end in time, so it is repeated once.
      const result = await ask(child, name, extent).catch(() => ask(child, name, extent));
      results[at] = result;
      onResult(result);
    }
  };
  const started = Array.from({ length: Math.min(processes, names.length) }, () =>
    fork(worker, { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }).setMaxListeners(2 * lanes),
  );
  try {
    await Promise.all(started.flatMap((child) => Array.from({ length: lanes }, () => workThrough(child))));
  } finally {
    for (const child of started) if (child.connected) child.disconnect();
  }
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
