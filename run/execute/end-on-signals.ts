import { endCompilations } from './end-compilations.ts';

/** Exit codes of a process that a signal ended, as in shells. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Exit code of a process that a signal ended. */
export type SignalExitCode = (typeof signalCodes)[keyof typeof signalCodes];

/** Milliseconds for all tasks; the process ends after that in any case. */
const endingMs = 10_000;

type EndTask = (reason: string | Error) => unknown;

const tasks: EndTask[] = [];
const never = Promise.withResolvers<never>().promise;
const exit: typeof process.exit = process.exit.bind(process);
/** The exit code of the shutdown; `undefined` while there is none. */
let ending: number | undefined;

/**
 * Registers a task to run before a signal or {@link endProcess} ends this process. Tasks run in reverse order, one after
 * another, and receive the reason. A second signal ends the process at once. Disposing unregisters the task.
 */
export function beforeEnd(task: EndTask): Disposable {
  if (tasks.length === 0) listen();
  tasks.push(task);
  return {
    [Symbol.dispose]: () => {
      const at = tasks.indexOf(task);
      if (at < 0) return;
      tasks.splice(at, 1);
      // Restores the default: a signal ends the process.
      if (tasks.length === 0 && ending === undefined) ignore();
    },
  };
}

/** Ends this process with this exit code after the registered tasks. Never resolves. */
export async function endProcess(code: number, reason: string | Error = 'It was stopped.'): Promise<never> {
  const isEnding = ending !== undefined;
  ending = code;
  if (isEnding) exit(code);
  // Vitest ends the process too: a millisecond after a signal, and at once after an unhandled rejection.
  process.exit = (() => undefined) as typeof process.exit;
  const end = () => {
    ending = code;
    return exit(code);
  };
  setTimeout(end, endingMs);
  for (const task of tasks.toReversed()) {
    try {
      await task(reason);
    } catch {
      // The other tasks still run.
    }
  }
  await endCompilations();
  return end();
}

/** The exit code of the shutdown in progress; `undefined` without one. */
export function endingExitCode(): number | undefined {
  return ending;
}

/** The exit code of the signal that is ending this process; `undefined` without one. */
export function signalExitCode(): SignalExitCode | undefined {
  return Object.values(signalCodes).find((code) => code === ending);
}

/** Ends this process after an uncaught error. `report` prints the error and returns the exit code. */
export function endOnFaults(report: (error: unknown) => number): void {
  const end = (error: unknown) => {
    // An error during the shutdown must not prevent it.
    if (ending === undefined) void endProcess(report(error), error instanceof Error ? error : String(error));
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}

/** Resolves at once, but never during a shutdown: an interrupted run has no result. */
export async function waitDuringShutdown(): Promise<void> {
  if (ending !== undefined) await never;
}

const listeners = Object.entries(signalCodes).map(
  ([signal, code]) =>
    [signal as keyof typeof signalCodes, () => void endProcess(code, 'It was stopped by a signal.')] as const,
);

function listen(): void {
  for (const [signal, listener] of listeners) process.on(signal, listener);
}

function ignore(): void {
  for (const [signal, listener] of listeners) process.off(signal, listener);
}
