import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { HarnessFault } from '../checks/faults.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import { configKeyOf, endpointSurfaces } from '../../specs/surfaces.ts';
import { isSameAddress } from './routes.ts';
import { MinuteSlots } from './minute-slots.ts';
import { TrafficRoom } from './traffic-room.ts';
import { cells, type LimitedKind, type TrafficLimitSettings } from './traffic-counts.ts';

/** A request before it is sent. */
type OutgoingRequest = Readonly<{ url: string; method: string }>;

/**
 * Limits the messages and calls that an own AI receives, since each may cost money. A message is any POST to the chat, as
 * an endpoint with a fault may answer a ping or a forged delivery too; a call is any upgrade that was not rejected.
 */
export class TrafficLimits {
  readonly #settings: TrafficLimitSettings | undefined;
  readonly #counts: BigInt64Array<SharedArrayBuffer> | undefined;
  readonly #chat: URL | undefined;
  readonly #others: readonly URL[];
  readonly #slots: MinuteSlots | undefined;
  /** The room in which a request is sent. */
  readonly #rooms = new AsyncLocalStorage<TrafficRoom>();

  private constructor(config: Partial<ResolvedConfig>, now: () => number) {
    const { limits, chat } = config;
    this.#settings = limits;
    this.#counts = limits && new BigInt64Array(limits.used);
    this.#chat = chat && new URL(chat.url);
    this.#others = endpointSurfaces.flatMap((surface) => {
      const { [configKeyOf(surface)]: endpoint } = config;
      return endpoint && surface !== 'own-ai-chat' ? [new URL(endpoint.url)] : [];
    });
    const perMinute = limits?.perMinute;
    if (this.#counts && perMinute !== undefined) this.#slots = new MinuteSlots(this.#counts, perMinute, now);
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
    if (kind === undefined || !this.#counts) return 0;
    this.#assertLeft(kind);
    if (this.#slots && this.#rooms.getStore()?.use(kind) !== true) {
      const reserved = this.#slots.reserve(1);
      if (typeof reserved === 'number') return reserved;
      for (const slot of reserved) this.#slots.use(slot);
    }
    Atomics.add(this.#counts, cells[kind], 1n);
    return 0;
  }

  /** Discounts a request that was admitted and did not reach the endpoint, or a call that was rejected. */
  refund(request: OutgoingRequest): void {
    const kind = this.#kindOf(request);
    if (kind === undefined || !this.#counts) return;
    Atomics.sub(this.#counts, cells[kind], 1n);
    if (this.#rooms.getStore()?.refund(kind) !== true) this.#slots?.refund();
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
   * Reserves room for several such requests at once, which its `run` then uses, or none: see `waitMs` of the room. Throws
   * {@link HarnessFault} `limit-used` when there is never room for as many.
   */
  reserve(request: OutgoingRequest, count: number): TrafficRoom {
    const { perMinute } = this.#settings ?? {};
    const kind = this.#kindOf(request);
    const slots = this.#slots;
    const enter = <T>(room: TrafficRoom, run: () => T) => this.#rooms.run(room, run);
    if (kind === undefined || perMinute === undefined || !slots) return new TrafficRoom({ reserved: [] }, enter);
    if (count > perMinute) throw new HarnessFault('limit-used:at-once', { kind, count, perMinute });
    return new TrafficRoom({ kind, slots, reserved: slots.reserve(count) }, enter);
  }

  /** Waits for room for several such requests at once, and runs with it. Throws like {@link pass} and {@link reserve}. */
  async inRoom<T>(
    request: OutgoingRequest,
    count: number,
    assertLeft: (waitMs: number) => void,
    run: () => Promise<T>,
  ): Promise<T> {
    for (;;) {
      using room = this.reserve(request, count);
      if (room.waitMs === 0) return await room.run(run);
      assertLeft(room.waitMs);
      await delay(room.waitMs);
    }
  }

  #assertLeft(kind: LimitedKind): void {
    const most = this.#settings?.[kind];
    if (most === undefined || !this.#counts) return;
    if (Atomics.load(this.#counts, cells[kind]) >= most) throw new HarnessFault('limit-used:spent', { kind, most });
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
