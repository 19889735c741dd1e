import { rememberForever, type Once } from '../proving/once.ts';
import { pause } from '../proving/wire.ts';

/** Milliseconds that work takes where two deliveries must meet in it. */
export const meetingMs = 80;

/** Forgets a key as soon as its work is done: right for deliveries at once, wrong for later ones. */
export function rememberWhileAtWork(): Once {
  const atWork = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const running = (atWork.get(key) as Promise<T> | undefined) ?? work().finally(() => atWork.delete(key));
    atWork.set(key, running);
    return running;
  };
}

/** Looks first and stores later: right for later deliveries, wrong for those at once. */
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

/** Acts once, but answers the same again with `status` when the first is `done` or still `at work`. */
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

/** Why two deliveries meet only in a whole run: the first of a run still wait for their connections. */
export const metAtWork = 'deliveries at once meet only on connections that are already open';
