import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { HarnessFault } from '../harness/checks/faults.ts';
import { ContractFault } from './contract-fault.ts';
import type { ReplayedInteraction } from './replay-interactions.ts';
import type { ReplayMessage, ReplayOrder } from './replay-worker.ts';
import type { StateTranslations } from './state-translations.ts';
import { verifierEnvironment } from './verifier-environment.ts';

/** Milliseconds until the verifier's process counts as stuck; an interaction takes some hundredths of a second. */
const timeoutMs = 600_000;

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const worker = new URL(`./replay-worker.${extension}`, import.meta.url);

/**
 * Replays the interactions of a contract against the simulated service, in a separate process that ends afterwards.
 *
 * @param text of the Pact file
 * @throws ContractFault, and HarnessFault `engine-failed` when there is no result
 */
export async function replayContract(
  text: string,
  words: StateTranslations = new Map(),
): Promise<readonly ReplayedInteraction[]> {
  const child = fork(worker, {
    execArgv: [],
    env: verifierEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const complaints: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    const message = await messageOf(child, { text, words: [...words] });
    if (message === undefined) {
      const why = Buffer.concat(complaints).toString('utf8').trim().split('\n').slice(-3).join(' ');
      throw new HarnessFault('engine-failed:contract-replay', { reason: why || 'the process ended without a message' });
    }
    if ('replayed' in message) return message.replayed;
    throw message.isContract
      ? new ContractFault(message.fault)
      : new HarnessFault('engine-failed:error', { reason: message.fault });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

/** The message of the process; `undefined` when it ends before. */
async function messageOf(child: ChildProcess, order: ReplayOrder): Promise<ReplayMessage | undefined> {
  const ended = once(child, 'close').then(() => undefined);
  const message = once(child, 'message').then(([message]) => message as ReplayMessage);
  child.send(order);
  return await Promise.race([message, ended]);
}
