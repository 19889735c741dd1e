import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { configRedactor } from '../harness/config/config-redactor.ts';
import { reportWaitsVariable } from '../harness/wire/processor-wait.ts';
import { usageExitCode } from '../reports/model/verdict.ts';
import { visibleOnOneLine } from '../reports/text/visible-controls.ts';
import { sentBeforeVariable, type CheckProgress } from '../run/execute/follow-parent.ts';
import { reportFile } from '../run/input/read-report.ts';
import { describeFileError } from '../specs/faults/describe-file-error.ts';
import { readCertification, type ReadCertification } from './certified.ts';
import type { SentTraffic } from './ledger.ts';
import { timeLimitMs, type PreparedTarget } from './prepare-target.ts';

/** How the check of a target ended. */
export type TargetOutcome =
  | ({ kind: 'report' } & ReadCertification)
  /** Its config cannot be used on this machine. */
  | { kind: 'unusable'; reason: string }
  /** There is no report. */
  | { kind: 'failed'; reason: string };

/** How a check is run. */
export interface CheckSettings {
  /** The targets file, as the user gave it. */
  list: string;
  /** Directory of the report. */
  out: string;
  /** Megabytes of JavaScript memory. */
  memoryMb: number;
  /** Directory in which the checks of a fleet share the code that V8 has compiled. */
  compileCache: string;
  /** By earlier attempts of the night. */
  sent: SentTraffic;
  /** Ends the check. */
  signal: AbortSignal;
  onProgress: (progress: CheckProgress) => void;
}

/** Milliseconds for a check to end by itself; its whole process group is killed after that. */
const endingMs = 5_000;
/** Milliseconds to wait for the last output of a check that has ended. */
const outputMs = 1_000;
/** Characters of the standard error of a check that are kept. */
const keptCharacters = 4_096;
/** Characters of a reason. */
const reasonCharacters = 500;

const program = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../bin/svc-conform.js' : '../../bin/svc-conform.js', import.meta.url),
);

/** Runs `check` for one target in its own process group, with a limit of memory and of time. */
export async function checkTarget(target: PreparedTarget, settings: CheckSettings): Promise<TargetOutcome> {
  const { list, out, memoryMb, compileCache, sent, signal, onProgress } = settings;
  const budget = target.budgetSeconds === undefined ? [] : ['--budget', String(target.budgetSeconds)];
  const args = ['check', '--config', list, '--target', target.id, '--out', out, ...budget];
  const child = spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, program, ...args], {
    env: {
      ...target.environment,
      NODE_COMPILE_CACHE: compileCache,
      [reportWaitsVariable]: '1',
      [sentBeforeVariable]: JSON.stringify(sent),
    },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-keptCharacters)));
  child.on('message', (progress) => onProgress(progress as CheckProgress));
  const limit = AbortSignal.timeout(timeLimitMs(target));
  let ended: { code: number | null; signal: NodeJS.Signals | null };
  try {
    ended = await exitOf(child, AbortSignal.any([signal, limit]));
  } catch (error) {
    return { kind: 'failed', reason: `The check could not be started: ${(error as Error).message}` };
  }
  const lines = errors.trim().split('\n');
  const redact = configRedactor(target.config);
  const said = visibleOnOneLine(redact.foreign(lines.slice(-2).join(' '))).slice(0, reasonCharacters);
  if (limit.aborted) {
    const minutes = Math.round(timeLimitMs(target) / 60_000);
    return { kind: 'failed', reason: `The check was ended after its time limit of ${minutes} minutes.` };
  }
  if (ended.code === usageExitCode) return { kind: 'unusable', reason: said };
  if (ended.code !== 0 && ended.code !== 1 && ended.code !== 3) {
    const how = ended.code === null ? `by ${ended.signal}` : `with exit code ${ended.code}`;
    return { kind: 'failed', reason: `The check ended ${how}${said === '' ? '.' : `: ${said}`}` };
  }
  return await readReportOf(join(out, reportFile), said);
}

/** Waits until a process has ended, and ends it if the signal says so; nothing of its process group remains. */
async function exitOf(
  child: ChildProcess,
  signal: AbortSignal,
): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  let kill: NodeJS.Timeout | undefined;
  const end = () => {
    signalGroup(child, 'SIGTERM');
    kill = setTimeout(() => signalGroup(child, 'SIGKILL'), endingMs);
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  const closed = new Promise((resolve) => child.once('close', resolve));
  try {
    const [code, name] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return { code, signal: name };
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(kill);
    signalGroup(child, 'SIGKILL');
    // Its last output arrives after its end.
    if (child.pid !== undefined) await Promise.race([closed, sleep(outputMs, undefined, { ref: false })]);
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It has ended.
  }
}

/** @param said what the check printed last, if it wrote no report */
async function readReportOf(file: string, said: string): Promise<TargetOutcome> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return { kind: 'failed', reason: said === '' ? `There is no report: ${describeFileError(error)}.` : said };
  }
  try {
    return { kind: 'report', ...readCertification(text, file) };
  } catch (error) {
    return { kind: 'failed', reason: (error as Error).message };
  }
}
