import { timingSafeEqual } from 'node:crypto';
import { limits } from '../specs/limits.ts';
import type { Clock, Scheduled } from './clock.ts';
import type { ServiceIds } from './service-ids.ts';

/**
 * What is to become of a callback. `asked`: the event is on its way, so it counts once that was answered; `open`: one
 * is taken; the others: none is, and why.
 */
type CallbackState = 'asked' | 'open' | 'taken' | 'answered' | 'late';

/** The address for the late answer to one event. */
export interface CallbackAddress<About> {
  /** Path and query below `/callbacks/`. */
  readonly place: string;
  readonly about: About;
  state: CallbackState;
  /** A callback that came before the event was answered. */
  early: Uint8Array | undefined;
  expiry: Scheduled | undefined;
}

/** Addresses that are kept at the most, so that whoever calls back much too late hears why. */
const keptAddresses = 10_000;

/** The callback addresses that were given out: each takes one POST, within five minutes (interface: Limits). */
export class CrmCallbacks<About> {
  readonly #ids: ServiceIds;
  readonly #clock: Clock;
  readonly #given = new Map<string, CallbackAddress<About> & { ticket: string }>();

  constructor(ids: ServiceIds, clock: Clock) {
    this.#ids = ids;
    this.#clock = clock;
  }

  /** An address that nobody can guess. */
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

  /** The address with this token and query, with or without its question mark; `undefined` for one that was not given out. */
  find(token: string, search: string): CallbackAddress<About> | undefined {
    const address = this.#given.get(token);
    const given = Buffer.from(search.replace(/^\?/, ''));
    const wanted = Buffer.from(`ticket=${address?.ticket ?? ''}`);
    return address && given.length === wanted.length && timingSafeEqual(given, wanted) ? address : undefined;
  }

  /** From now on one callback is taken, for five minutes; `onLate` is told when they pass without one. */
  open(address: CallbackAddress<About>, onLate: () => void): void {
    address.state = 'open';
    address.expiry = this.#clock.schedule(this.#clock.now() + limits.crmCallbackWithinMs, () => {
      address.state = 'late';
      onLate();
    });
  }

  /** No callback is taken any more. */
  close(address: CallbackAddress<About>, state: 'taken' | 'answered'): void {
    address.expiry?.cancel();
    address.state = state;
  }
}

/** Why a callback is refused, for whoever sent it. */
export const callbackRefusals = {
  taken: 'This event has had its callback; there is exactly one.',
  answered: 'This event was answered at once, so no callback belongs to it.',
  late: `A callback comes within ${limits.crmCallbackWithinMs / 60_000} minutes of the 202.`,
} as const satisfies Partial<Record<CallbackState, string>>;
