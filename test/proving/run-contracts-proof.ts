import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { verifierEnvironment } from '../../contracts/verifier-environment.ts';
import { proofEndpoints } from './proof-endpoints.ts';
import type { ContractProof } from './prove-contracts.ts';

const worker = fileURLToPath(new URL('contracts-proof-worker.ts', import.meta.url));

/** Child processes that share the list, and those that share the calls, which mostly wait. */
const children = 2;
const childrenThatWait = 8;

/** Verifies the contracts against the endpoints of these names; returns the results in the same order. */
export async function runContractsProof(
  names: readonly string[],
  onResult: (result: ContractProof) => void = () => undefined,
): Promise<ContractProof[]> {
  const results = new Map<string, ContractProof>();
  const workThrough = async (left: string[]) => {
    // The verifier writes to standard output directly.
    const child = fork(worker, {
      env: verifierEnvironment(process.env),
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    try {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const result = await ask(child, name);
        results.set(name, result);
        onResult(result);
      }
    } finally {
      // The process and its verifier may wait for each other.
      child.kill('SIGKILL');
    }
  };
  const shareOut = async (left: string[], most: number) => {
    await Promise.all(Array.from({ length: Math.min(most, left.length) }, () => workThrough(left)));
  };
  const waits = (name: string) => proofEndpoints.get(name)?.surfaces.includes('own-ai-phone') === true;
  await Promise.all([
    shareOut(
      names.filter((name) => !waits(name)),
      children,
    ),
    shareOut(names.filter(waits), childrenThatWait),
  ]);
  return names.flatMap((name) => results.get(name) ?? []);
}

function ask(child: ChildProcess, name: string): Promise<ContractProof> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`The process that verified against ${name} ended early.`));
    child.once('exit', ended);
    child.once('message', (message: { result: ContractProof } | { error: string }) => {
      child.off('exit', ended);
      if ('result' in message) resolve(message.result);
      else reject(new Error(message.error));
    });
    child.send({ name });
  });
}
