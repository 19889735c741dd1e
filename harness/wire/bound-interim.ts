import type { ClientRequest } from 'node:http';

/** Maximum interim answers (1xx) before the final one, far more than a server sends. */
const maxInterim = 10_000;

/** What is wrong with so many interim answers; `undefined` for fewer. */
export function interimFault(count: number): string | undefined {
  return count > maxInterim ? `more than ${maxInterim} interim answers (1xx)` : undefined;
}

/** Gives up this upgrade if it is answered by interim answers without end. */
export function boundInterim(upgrade: ClientRequest): ClientRequest {
  let interim = 0;
  return upgrade.on('information', () => {
    const fault = interimFault(++interim);
    if (fault !== undefined) upgrade.destroy(new Error(fault));
  });
}
