/** Exit codes of a process that a signal ended, as shells count them. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Milliseconds that all of it may take before the process ends all the same. */
const endingMs = 10_000;

type EndTask = (reason: string | Error) => unknown;

const tasks: EndTask[] = [];
const never = Promise.withResolvers<never>().promise;
const exit: typeof process.exit = process.exit.bind(process);
/** The exit code that this process ends with; `undefined` while it is not being ended. */
let ending: number | undefined;

/**
 * Has something done before a signal, or {@link endProcess}, ends this process: the latest first, each waited for and
 * given the reason. A second signal ends it at once. Nothing is done any more once this is disposed of.
 */
export function beforeEnd(task: EndTask): Disposable {
  if (tasks.length === 0) listen();
  tasks.push(task);
  return {
    [Symbol.dispose]: () => {
      const at = tasks.indexOf(task);
      if (at < 0) return;
      tasks.splice(at, 1);
      // The default is back: a signal ends the process.
      if (tasks.length === 0 && ending === undefined) ignore();
    },
  };
}

/** Ends this process with this exit code when all that was to be done before is done. Never resolves. */
export async function endProcess(code: number, reason: string | Error = 'It was stopped.'): Promise<never> {
  const isEnding = ending !== undefined;
  ending = code;
  if (isEnding) exit(code);
  // Vitest ends the process too: a millisecond after a signal, and at once after a rejection that nothing handled.
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
      // The rest is to be done all the same.
    }
  }
  return end();
}

/** The exit code that this process is being ended with; `undefined` when it is not. */
export function endingExitCode(): number | undefined {
  return ending;
}

/** Ends this process after an error that nothing caught. `report` writes what happened and returns the exit code. */
export function endOnFaults(report: (error: unknown) => number): void {
  const end = (error: unknown) => {
    // What fails while the process is being ended must not keep it from ending.
    if (ending === undefined) void endProcess(report(error), error instanceof Error ? error : String(error));
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}

/** Resolves at once; never, when this process is being ended: what has been cut short is not a result. */
export async function unlessEnding(): Promise<void> {
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
