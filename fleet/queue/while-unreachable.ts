import { setTimeout as sleep } from 'node:timers/promises';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** Milliseconds between attempts to reach a database again. */
const againMs = 500;

/** How a database is waited for. */
export interface Waiting {
  /** Address without user and password, for messages. */
  address: string;
  /** Milliseconds after which it cannot be reached. */
  forMs: number;
}

/** An object whose methods are repeated while their database cannot be reached. Each must be one that can be repeated. */
export function repeatUnreachable<Part extends object>(part: Part, waiting: Waiting): Part {
  return new Proxy(part, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) =>
        whileUnreachable(() => Reflect.apply(value, target, given) as Promise<unknown>, waiting);
    },
  });
}

/**
 * Repeats a step while its database cannot be reached, as during a restart.
 *
 * @throws HarnessFault `queue-unreachable` if there is no answer in time; rejections by the database are thrown unchanged
 */
export async function whileUnreachable<Result>(step: () => Promise<Result>, waiting: Waiting): Promise<Result> {
  const over = Promise.withResolvers<never>();
  // It may be rejected between two attempts.
  over.promise.catch(() => undefined);
  const seconds = waiting.forMs / 1000;
  const timer = setTimeout(() => over.reject(new Error(`there was no answer for ${seconds} s`)), waiting.forMs);
  const begun = performance.now();
  try {
    for (;;) {
      try {
        return await Promise.race([step(), over.promise]);
      } catch (error) {
        if (isAnswer(error)) throw error;
        if (performance.now() - begun + againMs > waiting.forMs) throw unreachable(error, waiting);
      }
      await sleep(againMs);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** The fault of a database that cannot be used. It shows no password. */
export function unreachable(error: unknown, { address }: Pick<Waiting, 'address'>): HarnessFault {
  // A connection that was tried at several addresses of a host has no message.
  const { message, code } = error as NodeJS.ErrnoException;
  return new HarnessFault(
    'queue-unreachable',
    { address, reason: message === '' ? String(code) : message },
    { cause: error },
  );
}

/** Whether a database rejected a step, other than because it starts or stops (PostgreSQL: the classes 08 and 57P). */
function isAnswer(error: unknown): boolean {
  const { name, severity, code } = error as { name?: unknown; severity?: unknown; code?: unknown };
  if (severity !== undefined) return !/^(?:08|57P)/.test(String(code));
  return name === 'ReplyError' || error instanceof HarnessFault;
}
