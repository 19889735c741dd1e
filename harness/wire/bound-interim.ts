import type { ClientRequest } from 'node:http';

/** Maximum interim answers (1xx) before that to an upgrade, far more than a server sends. */
const maxInterim = 1_000;

/** Gives up this upgrade if it is answered by interim answers without end. */
export function boundInterim(upgrade: ClientRequest): ClientRequest {
  let interim = 0;
  return upgrade.on('information', () => {
    if (++interim > maxInterim) upgrade.destroy(new Error(`more than ${maxInterim} interim answers (1xx)`));
  });
}
