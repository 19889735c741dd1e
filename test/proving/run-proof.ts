import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeEndpointSecurity } from '../tls/endpoint-security.ts';
import { proofEndpoints } from './proof-endpoints.ts';
import type { ProofExtent, ProofResult } from './prove.ts';

/** Child processes that share the list: runs mostly wait, so four of them keep two cores busy. */
const children = 4;
/** The same for calls and clients, which wait for nearly all of their time. */
const childrenThatWait = 8;
/** Endpoints that are waited for again and again: begun first, so that nothing waits for them in the end. */
const longest = [
  'slow-but-in-time',
  'phone-late-in-time',
  'phone-skill-without-a-word',
  'phone-latest-call-in-a-global',
];

/** How the endpoints of a proof are reached. */
export type Transport = 'plain' | 'tls';

/** Each run loads the suites anew; what V8 compiled once need not be compiled a thousand times. A third less work. */
const environment = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/svc-conform', import.meta.url)),
  ...process.env,
};

const worker = fileURLToPath(new URL('proof-worker.ts', import.meta.url));

/**
 * Runs the proof for the endpoints of these names and gives their results in the same order. Throws when a run could
 * not be made at all.
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
  const mostlyWaits = ({ name }: { name: string }) =>
    proofEndpoints.get(name)?.surfaces.some((surface) => surface === 'own-ai-phone' || surface === 'api-client') ===
    true;
  const workThrough = async (left: typeof numbered) => {
    const child = fork(worker, { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    try {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const result = await ask(child, next.name, extent);
        results[next.at] = result;
        onResult(result);
      }
    } finally {
      if (child.connected) child.disconnect();
    }
  };
  const shareOut = async (left: typeof numbered, most: number) => {
    await Promise.all(Array.from({ length: Math.min(most, left.length) }, () => workThrough(left)));
  };
  const isLongest = ({ name }: { name: string }) => longest.includes(name);
  numbered.sort((a, b) => Number(isLongest(b)) - Number(isLongest(a)));
  // Side by side: neither keeps two cores busy by itself, and the longest of one is not waited for by the other.
  await Promise.all([
    shareOut(
      numbered.filter((one) => !mostlyWaits(one)),
      children,
    ),
    shareOut(numbered.filter(mostlyWaits), childrenThatWait),
  ]);
  return results;
}

function ask(child: ChildProcess, name: string, extent: ProofExtent): Promise<ProofResult> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`The process that ran ${name} ended early.`));
    child.once('exit', ended);
    child.once('message', (message: { result: ProofResult } | { error: string }) => {
      child.off('exit', ended);
      if ('result' in message) resolve(message.result);
      else reject(new Error(message.error));
    });
    child.send({ name, extent });
  });
}
