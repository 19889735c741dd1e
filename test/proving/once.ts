/** Does the work for a key once; later calls get the result of the first. */
export type Once = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Keeps results for its lifetime; failed work may be tried again. */
export function rememberForever(): Once {
  const done = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    let result = done.get(key) as Promise<T> | undefined;
    if (result === undefined) {
      result = work();
      done.set(key, result);
      result.catch(() => done.delete(key));
    }
    return result;
  };
}
