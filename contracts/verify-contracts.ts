import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FinishedCheck } from '../harness/checks/engine.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { copyLimits, setCounts } from '../harness/wire/traffic-counts.ts';
import { reportProgress } from '../harness/checks/progress.ts';
import { configRedactor } from '../harness/config/config-redactor.ts';
import { statesTimeoutMs, maxAnswerWaitMs } from './contract-timeouts.ts';
import { contractChecks } from './contract-checks.ts';
import { serviceContracts } from './contract-files.ts';
import type { VerificationRequest } from './run-verification.ts';
import type { WorkerMessage, WorkerTask } from './verification-worker.ts';
import { verifierEnvironment } from './verifier-environment.ts';

const worker = fileURLToPath(
  new URL(`./verification-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

/** Milliseconds in addition to the waits for answers after which the verifier's process counts as stuck. */
const startingMs = 60_000;
/** Maximum number of characters kept of its error output. */
const keptCharacters = 2_000;

/**
 * Verifies the service's contracts with Pact's verifier: one check for each interaction, with id
 * `requirement#contract-what-happens`. Runs in a separate process, since the verifier is native code that writes to the
 * standard output of its process; checks that a fault of that process skipped are `blocked`. Never rejects because of
 * the endpoint. `onCheck` is called with each as it ends; the checks are returned in the order of the contracts. A failure
 * of one of `settings.bail` stops it.
 *
 * @param verification `settings.only` selects requirements and checks; empty: all interactions
 */
export async function verifyContracts({ onCheck, onObserved, ...task }: VerificationRequest): Promise<FinishedCheck[]> {
  const contracts = task.contracts ?? (await serviceContracts(task.surfaces));
  const expected = contractChecks(contracts, task.settings.only);
  if (expected.length === 0) return [];
  const finished: FinishedCheck[] = [];
  const end = (check: FinishedCheck) => {
    finished.push(check);
    onCheck?.(check);
  };
  try {
    const limitMs = startingMs + expected.length * (maxAnswerWaitMs(task.settings) + statesTimeoutMs(task.settings));
    const { limits, ...config } = task.settings.config;
    const sent = { ...task, settings: { ...task.settings, config }, limits: limits && copyLimits(limits), contracts };
    const onCounts = (counts: Uint8Array) => limits && setCounts(limits, counts);
    const isLast = ({ verdict, requirement }: FinishedCheck) =>
      verdict === 'fail' && task.settings.bail?.includes(requirement) === true;
    await runWorker(sent, { onCheck: end, isLast, onObserved, onCounts }, limitMs);
  } catch (error) {
    const fault =
      error instanceof HarnessFault ? error : new HarnessFault('engine-failed:error', { reason: String(error) });
    const { code } = fault;
    const message = configRedactor(task.settings.config)(fault.message);
    const left = expected.filter(({ identity }) => !finished.some(({ id }) => id === identity.id));
    for (const { identity } of left) {
      end({ ...identity, verdict: 'blocked', code, message, durationMs: 0, evidence: [], samples: [] });
    }
  }
  const order = new Map(expected.map(({ identity }, at) => [identity.id, at]));
  return finished.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

interface WorkerListeners extends Pick<VerificationRequest, 'onCheck' | 'onObserved'> {
  /** Whether a check stops the verification. */
  isLast: (check: FinishedCheck) => boolean;
  /** Receives what the limits have counted. */
  onCounts: (counts: Uint8Array) => void;
}

async function runWorker(
  task: WorkerTask,
  { onCheck, isLast, onObserved, onCounts }: WorkerListeners,
  limitMs: number,
): Promise<void> {
  const child = fork(worker, {
    execArgv: [],
    env: verifierEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  // Enough of its error output for the last lines.
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    complaints = (complaints + chunk).slice(-keptCharacters);
  });
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const fail = (message: string) => reject(new HarnessFault('engine-failed:error', { reason: message }));
  const limit = setTimeout(() => fail("The process of Pact's verifier did not end."), limitMs);
  child.on('message', (message: WorkerMessage) => {
    if ('counts' in message && message.counts) onCounts(message.counts);
    if ('check' in message) {
      onCheck?.(message.check);
      if (isLast(message.check)) {
        child.removeAllListeners('message');
        reject(new HarnessFault('run-stopped'));
      }
    } else if ('observed' in message) onObserved?.(message.observed);
    else if ('waiting' in message) reportProgress(message.waiting);
    else if ('fault' in message) reject(HarnessFault.from(message.fault));
    else resolve(undefined);
  });
  child.once('error', ({ message }) => fail(`The process of Pact's verifier could not be started: ${message}`));
  child.once('close', (code, signal) => {
    const why = complaints.trim().split('\n').slice(-3).join(' ');
    fail(`The process of Pact's verifier ended early (${signal ?? code})${why && `: ${why}`}.`);
  });
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
