import { Pool } from 'undici';

/** A pool of undici that is closed when it is disposed of. */
export function openPool(url: string, options: Pool.Options = {}): Pool & AsyncDisposable {
  const pool = new Pool(url, options);
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.close() });
}
