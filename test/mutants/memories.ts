import { rememberForever, type Once } from '../proving/once.ts';
import { pause } from '../proving/wire.ts';

/** Milliseconds of the work, so that two concurrent deliveries overlap in it. */
export const meetingMs = 80;

/** Forgets a key as soon as its work is done: correct for concurrent deliveries, wrong for later ones. */
export function rememberWhileAtWork(): Once {
  const atWork = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const running = (atWork.get(key) as Promise<T> | undefined) ?? work().finally(() => atWork.delete(key));
    atWork.set(key, running);
    return running;
  };
}

/** Forgets a key some milliseconds after it came. */
export function rememberFor(ms: number): Once {
  const results = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const known = results.get(key) as Promise<T> | undefined;
    const result = known ?? work();
    results.set(key, result);
    if (!known) setTimeout(() => results.delete(key), ms).unref();
    return result;
  };
}

/** Remembers only the latest keys. */
export function rememberLatest(count: number): Once {
  const results = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const known = results.get(key) as Promise<T> | undefined;
    const result = known ?? work();
    results.set(key, result);
    const [oldest] = results.keys();
    if (results.size > count && oldest !== undefined) results.delete(oldest);
    return result;
  };
}

/** Checks first and stores later: correct for later deliveries, wrong for concurrent ones. */
export function rememberAfterwards(): Once {
  const done = new Map<string, unknown>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    if (done.has(key)) return done.get(key) as T;
    await pause(meetingMs);
    const result = await work();
    done.set(key, result);
    return result;
  };
}

/** Acts once, but answers a repetition with `status` if the first delivery is `done` or still `at work`. */
export function answeringAgain(status: number, when: 'done' | 'at work'): Once {
  const once = rememberForever();
  const state = new Map<string, 'done' | 'at work'>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    if (state.get(key) === when) return { status } as T;
    if (!state.has(key)) state.set(key, 'at work');
    await pause(meetingMs);
    const result = await once(key, work);
    state.set(key, 'done');
    return result;
  };
}

/**
 * Reason why two deliveries overlap only in a run of all checks: the first ones of a run wait for their connections.
 */
export const metAtWork = 'deliveries at once meet only on connections that are already open';
