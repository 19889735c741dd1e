import { timingSafeEqual } from 'node:crypto';
import { limits } from '../specs/limits.ts';
import type { Clock, Scheduled } from './clock.ts';
import type { ServiceIds } from './service-ids.ts';

/**
 * State of a callback address. `asked`: the event is on its way, so a callback counts once it is answered; `open`: one
 * callback is accepted; the others: none is accepted, for this reason.
 */
type CallbackState = 'asked' | 'open' | 'taken' | 'answered' | 'late';

/** The callback address of one event. */
export interface CallbackAddress<About> {
  /** Path and query below `/callbacks/`. */
  readonly place: string;
  readonly about: About;
  state: CallbackState;
  /** A callback that came before the event was answered. */
  early: Uint8Array | undefined;
  expiry: Scheduled | undefined;
}

/** Maximum number of addresses that are kept, so that a very late callback still gets a reason. */
const keptAddresses = 10_000;

/** The issued callback addresses: each accepts one POST, within five minutes (interface: Limits). */
export class CrmCallbacks<About> {
  readonly #ids: ServiceIds;
  readonly #clock: Clock;
  readonly #given = new Map<string, CallbackAddress<About> & { ticket: string }>();

  constructor(ids: ServiceIds, clock: Clock) {
    this.#ids = ids;
    this.#clock = clock;
  }

  /** Issues an address that cannot be guessed. */
  give(about: About): CallbackAddress<About> {
    const [token, ticket] = [this.#ids.text(), this.#ids.text()];
    const address = {
      place: `${token}?ticket=${ticket}`,
      about,
      state: 'asked' as const,
      early: undefined,
      expiry: undefined,
      ticket,
    };
    this.#given.set(token, address);
    const [oldest] = this.#given.keys();
    if (this.#given.size > keptAddresses && oldest !== undefined) this.#given.delete(oldest);
    return address;
  }

  /** The address with this token and query, with or without its question mark; `undefined` for an unknown one. */
  find(token: string, search: string): CallbackAddress<About> | undefined {
    const address = this.#given.get(token);
    const given = Buffer.from(search.replace(/^\?/, ''));
    const wanted = Buffer.from(`ticket=${address?.ticket ?? ''}`);
    return address && given.length === wanted.length && timingSafeEqual(given, wanted) ? address : undefined;
  }

  /** Accepts one callback for five minutes; calls `onLate` when they pass without one. */
  open(address: CallbackAddress<About>, onLate: () => void): void {
    address.state = 'open';
    address.expiry = this.#clock.schedule(this.#clock.now() + limits.crmCallbackWithinMs, () => {
      address.state = 'late';
      onLate();
    });
  }

  /** Stops accepting callbacks. */
  close(address: CallbackAddress<About>, state: 'taken' | 'answered'): void {
    address.expiry?.cancel();
    address.state = state;
  }
}

/** Why a callback is refused, for the client. */
export const callbackRefusals = {
  taken: 'This event already had its callback; exactly one is accepted.',
  answered: 'This event was answered directly, so it has no callback.',
  late: `A callback must arrive within ${limits.crmCallbackWithinMs / 60_000} minutes of the 202.`,
} as const satisfies Partial<Record<CallbackState, string>>;
