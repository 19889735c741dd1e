import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import type { ApiOptions, ApiService } from './api/api-service.ts';
import { buildApi } from './api/build-api.ts';
import { prepareValidation } from '../specs/validators.ts';
import { Clock, timestamp } from './clock.ts';
import type { Outbound } from './outbound.ts';
import { seededWorkspace, type SeedOptions } from './seed.ts';
import { ServiceEvents } from './service-events.ts';
import { ServiceIds } from './service-ids.ts';
import { ServiceInbox } from './service-inbox.ts';

export interface ServiceOptions extends ApiOptions {
  outbound: Outbound;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Default: a new one. A given clock keeps running when the service ends. */
  clock?: Clock;
  /** The first of the numeric ids that the service issues. */
  firstId?: number;
  /** Initial content of each inbox; default: one inbox with everything in it. */
  inboxes?: readonly SeedOptions[];
}

/**
 * The simulated service: REST API v1, callbacks, and the resulting events, deliveries and calls. Where the interface
 * leaves something open, it behaves as listed in `specs/assumptions.ts`.
 */
export class SimulatedService implements ApiService {
  readonly clock: Clock;
  readonly ids: ServiceIds;
  readonly events: ServiceEvents;
  readonly inboxes: readonly ServiceInbox[];
  readonly app: FastifyInstance;
  readonly #hasOwnClock: boolean;
  #baseUrl = '';

  private constructor(options: ServiceOptions) {
    this.#hasOwnClock = options.clock === undefined;
    this.clock = options.clock ?? new Clock();
    this.ids = new ServiceIds(options.firstId);
    this.events = new ServiceEvents(secondsOf(this.clock));
    const { clock, ids, events } = this;
    const commons = { clock, ids, events, outbound: options.outbound, baseUrl: () => this.#baseUrl };
    this.inboxes = (options.inboxes ?? [{}]).map(
      (seed) => new ServiceInbox(seededWorkspace(seed, this.ids, this.clock), commons),
    );
    this.app = buildApi(this, options);
  }

  /** Starts the service and listens. Throws the errors of listening (`EADDRINUSE` …). */
  static async open(options: ServiceOptions): Promise<SimulatedService> {
    prepareValidation();
    const service = new SimulatedService(options);
    const { host = '127.0.0.1', port = 0, publicUrl } = options;
    try {
      await service.app.listen({ host, port });
    } catch (error) {
      await service[Symbol.asyncDispose]();
      throw error;
    }
    const { port: taken } = service.app.server.address() as AddressInfo;
    const own = `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
    service.#baseUrl = (publicUrl ?? own).replace(/\/+$/, '');
    return service;
  }

  /** The address at which the integrator reaches the service; the API is under `/v1` of it. */
  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** The first inbox. */
  get inbox(): ServiceInbox {
    const [first] = this.inboxes;
    if (!first) throw new RangeError('expected at least one inbox, received none');
    return first;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hasOwnClock) this.clock.stop();
    for (const inbox of this.inboxes) inbox.end();
    await this.app.close();
  }
}

/** The time as events carry it; formatted once a second, since a second may have many events. */
function secondsOf(clock: Clock): () => string {
  let second = NaN;
  let text = '';
  return () => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) [second, text] = [now, timestamp(now * 1000)];
    return text;
  };
}
