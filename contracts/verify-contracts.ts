import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FinishedCheck } from '../harness/engine.ts';
import { HarnessFault } from '../harness/faults.ts';
import { tellProgress } from '../harness/progress.ts';
import { answerPatience } from './answer-patience.ts';
import { contractChecks } from './contract-checks.ts';
import { serviceContracts } from './contract-files.ts';
import type { Verification } from './run-verification.ts';
import type { WorkerMessage, WorkerTask } from './verification-worker.ts';
import { verifierEnvironment } from './verifier-environment.ts';

const worker = fileURLToPath(
  new URL(`./verification-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

/** Milliseconds beside the waits for answers after which the process of the verifier counts as stuck. */
const startingMs = 60_000;

/**
 * Verifies the service's contracts with Pact's verifier: one check for each interaction, with id
 * `requirement#contract-what-happens`. A process of its own does it, since the verifier is native code that writes to the
 * standard output of its process; what a fault of that process left out is `blocked`. Never rejects for the endpoint's
 * sake.
 *
 * @param verification `settings.only` selects requirements and checks; empty: all interactions
 */
export async function verifyContracts({ onCheck, ...task }: Verification): Promise<FinishedCheck[]> {
  const contracts = task.contracts ?? (await serviceContracts(task.surfaces));
  const expected = contractChecks(contracts, task.settings.only);
  if (expected.length === 0) return [];
  const finished: FinishedCheck[] = [];
  const end = (check: FinishedCheck) => {
    finished.push(check);
    onCheck?.(check);
  };
  try {
    const limitMs = startingMs + expected.length * answerPatience(task.settings);
    await runWorker({ ...task, contracts }, end, limitMs);
  } catch (error) {
    const { code, message } = error instanceof HarnessFault ? error : new HarnessFault('engine-failed', String(error));
    const left = expected.filter(({ identity }) => !finished.some(({ id }) => id === identity.id));
    for (const { identity } of left) {
      end({ ...identity, verdict: 'blocked', code, message, durationMs: 0, evidence: [], samples: [] });
    }
  }
  return finished;
}

async function runWorker(task: WorkerTask, onCheck: (check: FinishedCheck) => void, limitMs: number): Promise<void> {
  const child = fork(worker, {
    execArgv: [],
    env: verifierEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const fail = (message: string) => reject(new HarnessFault('engine-failed', message));
  const limit = setTimeout(() => fail("The process of Pact's verifier did not come to an end."), limitMs);
  child.on('message', (message: WorkerMessage) => {
    if ('check' in message) onCheck(message.check);
    else if ('waiting' in message) tellProgress(message.waiting);
    else if ('fault' in message) reject(new HarnessFault(message.fault.code, message.fault.message));
    else resolve(undefined);
  });
  child.once('error', ({ message }) => fail(`The process of Pact's verifier could not be started: ${message}`));
  child.once('exit', (code, signal) => fail(`The process of Pact's verifier ended early (${signal ?? code}).`));
  try {
    child.send(task);
    await promise;
  } finally {
    clearTimeout(limit);
    child.removeAllListeners();
    child.once('error', () => undefined);
    child.kill('SIGKILL');
  }
}
