import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderState } from '../generators/contracts/contract.ts';
import { apiState } from '../generators/contracts/api-state-names.ts';
import type { ApiTrouble } from '../service/api/install-recording.ts';
import { Clock } from '../service/clock.ts';
import { SimulatedService } from '../service/simulated-service.ts';
import { readApiState, type ApiStateValues } from './api-states.ts';
import { enterApiState, StateConflict } from './enter-api-state.ts';
import { StubIntegrator } from './stub-integrator.ts';

/** Start of the service's clock, so that a contract is replayed the same way every day. */
const begin = Date.UTC(2026, 9, 11, 9, 30);
/** The first id that the service issues: beyond those that contracts are likely to contain. */
const firstId = 700_000_001;
const apiKey = 'svc_sk_0123456789abcdef0123456789abcdef';
/** No customer's number: used for the first request with an Idempotency-Key. */
const otherCustomer = '+4915228895456';

/**
 * API v1 of the simulated service for replaying contracts: one address, behind which every interaction gets a new inbox
 * ({@link renew}) in the states that it requires ({@link enter}). Nothing is sent outside this process.
 */
export class ApiProvider implements AsyncDisposable {
  /** The only key of the inbox. */
  readonly apiKey = apiKey;
  readonly #front: Server;
  #baseUrl = '';
  #service: SimulatedService | undefined;
  #integrator = new StubIntegrator();
  #troubles: ApiTrouble[] = [];
  #about: ApiStateValues = {};

  private constructor() {
    this.#front = createServer((request, response) => {
      if (this.#service) this.#service.app.routing(request, response);
      else response.writeHead(503).end();
    });
  }

  /** Listens on loopback, on any free port. Throws the errors of listening. */
  static async open(): Promise<ApiProvider> {
    const provider = new ApiProvider();
    provider.#front.listen(0, '127.0.0.1');
    await once(provider.#front, 'listening');
    provider.#baseUrl = `http://127.0.0.1:${(provider.#front.address() as AddressInfo).port}`;
    await provider.renew();
    return provider;
  }

  /** The API is under `/v1` of it. */
  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** A new inbox at the same address: one assistant with two skills, senders, templates, and no contact. */
  async renew(): Promise<void> {
    const old = this.#service;
    this.#integrator = new StubIntegrator();
    this.#troubles = [];
    this.#about = {};
    this.#service = await SimulatedService.open({
      outbound: this.#integrator,
      publicUrl: this.#baseUrl,
      clock: new Clock(begin),
      firstId,
      rateLimit: false,
      inboxes: [{ apiKeys: { [apiKey]: 'Contract' }, contacts: [] }],
      apiHooks: { trouble: () => this.#troubles.shift() },
    });
    old?.clock.stop();
    await old?.[Symbol.asyncDispose]();
  }

  /**
   * Puts the inbox into a state. `hints`: values from the request, for parameters that the state omits. Returns the
   * values that `fromProviderState` may refer to.
   *
   * @throws StateConflict for a state that is unknown, malformed, or contradicts an earlier one
   */
  async enter(state: ProviderState, hints: ApiStateValues = {}): Promise<ApiStateValues> {
    const read = readApiState(state);
    if ('fault' in read) throw new StateConflict(read.fault);
    const service = this.#service;
    if (!service) throw new StateConflict({ expected: 'a service that is open', received: 'one that was closed' });
    const taken: readonly string[] = apiState(read.name).params;
    const hinted = Object.entries(hints).filter(([param]) => taken.includes(param));
    const params: ApiStateValues = { ...Object.fromEntries(hinted), ...this.#about, ...read.params };
    const settled = await enterApiState(
      {
        inbox: service.inbox,
        integrator: this.#integrator,
        order: (trouble) => this.#troubles.push(trouble),
        useIdempotencyKey: (key) => this.#useIdempotencyKey(key),
      },
      { name: read.name, params },
    );
    Object.assign(this.#about, settled);
    return settled;
  }

  async #useIdempotencyKey(key: string): Promise<void> {
    const response = await fetch(`${this.#baseUrl}/v1/notes`, {
      method: 'POST',
      headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ phone: otherCustomer, text: 'Another request.' }),
    });
    await response.arrayBuffer();
    if (response.status !== 201) {
      throw new StateConflict({
        expected: 'an Idempotency-Key that the API accepts',
        received: `one that it answers with ${response.status}`,
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#front.closeAllConnections();
    const closed = once(this.#front, 'close');
    this.#front.close();
    this.#service?.clock.stop();
    await this.#service?.[Symbol.asyncDispose]();
    await closed;
  }
}
