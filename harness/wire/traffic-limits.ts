import { setTimeout as delay } from 'node:timers/promises';
import { HarnessFault } from '../checks/faults.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import { configKeyOf, endpointSurfaces } from '../../specs/surfaces.ts';
import { isSameAddress } from './routes.ts';
import { cells, type LimitedKind, type TrafficLimitSettings } from './traffic-counts.ts';

/** A request before it is sent. */
type OutgoingRequest = Readonly<{ url: string; method: string }>;

/**
 * Milliseconds of the window of `perMinute`: a minute, and a second in which a request may be delayed on its way, so
 * that the endpoint does not receive more either.
 */
const windowMs = 61_000;

/**
 * Limits the messages and calls that an own AI receives, since each may cost money. A message is any POST to the chat, as
 * an endpoint with a fault may answer a ping or a forged delivery too; a call is any upgrade that was not rejected.
 */
export class TrafficLimits {
  readonly #settings: TrafficLimitSettings | undefined;
  readonly #counts: BigInt64Array<SharedArrayBuffer> | undefined;
  readonly #chat: URL | undefined;
  readonly #others: readonly URL[];
  readonly #now: () => number;

  private constructor(config: Partial<ResolvedConfig>, now: () => number) {
    const { limits, chat } = config;
    this.#settings = limits;
    this.#counts = limits && new BigInt64Array(limits.used);
    this.#chat = chat && new URL(chat.url);
    this.#others = endpointSurfaces.flatMap((surface) => {
      const { [configKeyOf(surface)]: endpoint } = config;
      return endpoint && surface !== 'own-ai-chat' ? [new URL(endpoint.url)] : [];
    });
    this.#now = now;
  }

  /** @param now Unix milliseconds, comparable between threads */
  static of(config: Partial<ResolvedConfig>, now = () => performance.timeOrigin + performance.now()): TrafficLimits {
    return new TrafficLimits(config, now);
  }

  /** Limits nothing. */
  static none(): TrafficLimits {
    return TrafficLimits.of({});
  }

  /** Whether there are limits. */
  get isActive(): boolean {
    return this.#settings !== undefined;
  }

  /** Whether requests may have to wait for `perMinute`. */
  get isPaced(): boolean {
    return this.#settings?.perMinute !== undefined;
  }

  /** Whether the limits count this request. */
  counts(request: OutgoingRequest): boolean {
    return this.#kindOf(request) !== undefined;
  }

  /**
   * Counts a request that is about to be sent and returns 0, or returns the milliseconds to wait before another attempt.
   * Throws {@link HarnessFault} `limit-used` when no more may be sent.
   */
  admit(request: OutgoingRequest): number {
    const kind = this.#kindOf(request);
    const { perMinute } = this.#settings ?? {};
    if (kind === undefined || !this.#counts) return 0;
    this.#assertLeft(kind);
    const waitMs = perMinute === undefined ? 0 : this.#takeTime(perMinute);
    if (waitMs > 0) return waitMs;
    Atomics.add(this.#counts, cells[kind], 1n);
    return 0;
  }

  /** Discounts a request that was admitted and did not reach the endpoint, or a call that was rejected. */
  refund(request: OutgoingRequest): void {
    const kind = this.#kindOf(request);
    if (kind !== undefined && this.#counts) Atomics.sub(this.#counts, cells[kind], 1n);
  }

  /**
   * Waits until the request may be sent, and counts it. Throws {@link HarnessFault} `limit-used`, and what `assertLeft`
   * throws, which is called before each wait.
   */
  async pass(request: OutgoingRequest, assertLeft: (waitMs: number) => void = () => undefined): Promise<void> {
    for (let waitMs = this.admit(request); waitMs > 0; waitMs = this.admit(request)) {
      assertLeft(waitMs);
      await delay(waitMs);
    }
  }

  /**
   * Waits until several such requests may be sent at once, without counting them: one must not wait for the next minute
   * while the others are open. Throws like {@link pass}.
   */
  async room(request: OutgoingRequest, count: number, assertLeft: (waitMs: number) => void): Promise<void> {
    const { perMinute } = this.#settings ?? {};
    if (perMinute === undefined || !this.counts(request)) return;
    if (count > perMinute) throw new HarnessFault('limit-used:at-once', { count, perMinute });
    for (let waitMs = this.#waitMs(perMinute, count); waitMs > 0; waitMs = this.#waitMs(perMinute, count)) {
      assertLeft(waitMs);
      await delay(waitMs);
    }
  }

  #assertLeft(kind: LimitedKind): void {
    const most = this.#settings?.[kind];
    if (most === undefined || !this.#counts) return;
    if (Atomics.load(this.#counts, cells[kind]) >= most) throw new HarnessFault('limit-used:spent', { kind, most });
  }

  /** Takes the place of the request that was sent `perMinute` requests ago, or returns the milliseconds until it is free. */
  #takeTime(perMinute: number): number {
    const counts = this.#counts;
    if (!counts) return 0;
    for (;;) {
      const admitted = Atomics.load(counts, cells.admitted);
      const waitMs = this.#waitMs(perMinute);
      if (waitMs > 0) return waitMs;
      if (Atomics.compareExchange(counts, cells.admitted, admitted, admitted + 1n) !== admitted) continue;
      Atomics.store(counts, cellOf(admitted, perMinute), BigInt(Math.ceil(this.#now())));
      return 0;
    }
  }

  /** Milliseconds until `count` more requests may be sent. */
  #waitMs(perMinute: number, count = 1): number {
    if (!this.#counts) return 0;
    const admitted = Atomics.load(this.#counts, cells.admitted);
    const last = Number(Atomics.load(this.#counts, cellOf(admitted + BigInt(count - 1), perMinute)));
    return last === 0 ? 0 : Math.max(0, last + windowMs - Math.ceil(this.#now()));
  }

  #kindOf({ url: address, method }: OutgoingRequest): LimitedKind | undefined {
    if (!this.#settings) return undefined;
    const url = new URL(address);
    if (url.protocol === 'ws:' || url.protocol === 'wss:') return 'calls';
    const chat = this.#chat;
    if (!chat || method !== 'POST' || url.origin !== chat.origin) return undefined;
    // Requests to other paths of the same server may reach the chat, too.
    return isSameAddress(url, chat) || !this.#others.some((other) => isSameAddress(url, other))
      ? 'messages'
      : undefined;
  }
}

/** The cell with the time of a request, by its number from 0. */
function cellOf(number: bigint, perMinute: number): number {
  return cells.times + Number(number % BigInt(perMinute));
}
