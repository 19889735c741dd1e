import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../problem.ts';
import type { ServiceInbox } from '../service-inbox.ts';

/** The owner of an API key. */
export interface KeyHolder {
  readonly key: string;
  readonly keyName: string;
  readonly inbox: ServiceInbox;
}

/** The API keys of all inboxes (interface: Authentication). */
export class Keys {
  readonly #inboxes: readonly ServiceInbox[];

  /** Throws RangeError when two inboxes share a key: a key belongs to exactly one. */
  constructor(inboxes: readonly ServiceInbox[]) {
    const all = inboxes.flatMap(({ workspace }) => [...workspace.keys.keys()]);
    if (new Set(all).size < all.length) throw new RangeError('expected each API key in one inbox, received one in two');
    this.#inboxes = inboxes;
  }

  /**
   * The holder of the key that a request carries, in X-Api-Key before Authorization. Throws {@link Problem}
   * unauthorized.
   */
  holder(headers: IncomingHttpHeaders): KeyHolder {
    const key = headers['x-api-key'] ?? bearerToken(headers.authorization);
    if (typeof key === 'string' && key !== '') {
      for (const inbox of this.#inboxes) {
        const keyName = inbox.workspace.keys.get(key);
        if (keyName !== undefined) return { key, keyName, inbox };
      }
    }
    const received = key === undefined ? 'neither' : 'one that is not known here';
    const detail = `expected an API key in X-Api-Key or as Authorization: Bearer, received ${received}`;
    // RFC 9110, 11.6.1: a 401 names a scheme.
    throw new Problem('unauthorized', detail, { 'www-authenticate': 'Bearer' });
  }
}

function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}
