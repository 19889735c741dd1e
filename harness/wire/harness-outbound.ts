import {
  labelDelivery,
  type CallRequest,
  type LiveCall,
  type Outbound,
  type OutboundAnswer,
  type OutboundOptions,
  type OutboundRequest,
} from '../../service/outbound.ts';
import { protocolRevision } from '../../specs/limits.ts';
import { CallConnection, type DialOptions } from './call-connection.ts';
import { Brand } from '../../specs/brand.ts';
import { Deliveries, type DeliverOptions } from './deliveries.ts';
import { HarnessFault } from '../checks/faults.ts';
import { LagMeter } from './lag-meter.ts';
import { HeldCall } from './held-call.ts';
import type { Answer, CallObservation, Observation, WireRequest } from './observation.ts';
import { Routes } from './routes.ts';
import { SignedDelivery } from './signed-delivery.ts';
import { TrafficLimits } from './traffic-limits.ts';
import { isConnected, hasNoCall } from './upgrade-answer.ts';

/** Transport of the service's traffic: the lanes of a session, or a separate one. */
export interface OutboundTransport {
  lag: LagMeter;
  /**
   * Sends the request that `make` creates at the moment of sending. May throw {@link HarnessFault} when sending is
   * pointless.
   */
  send: (make: () => WireRequest, options: DeliverOptions) => Promise<Observation>;
  /** Dials the upgrade that `make` creates at the moment of dialling, from Unix milliseconds. May throw like `send`. */
  dial: (make: (now: number) => WireRequest, options: DialOptions) => Promise<CallConnection>;
  /**
   * Receives each exchange: a request once it was answered, a call once it was dialled; a call grows while it
   * continues.
   */
  onExchange?: (exchange: Observation | CallObservation) => void;
}

/** Duration of a short real greeting in milliseconds: no AI has to be ready for a sentence sooner. */
const usualGreetingMs = 800;
/** Error after the service has ended. */
const over = 'the service has ended';

/** Outbound side of the simulated service, over connections that bound and observe all traffic. */
export class HarnessOutbound implements Outbound {
  readonly #transport: OutboundTransport;
  readonly #calls = new Set<HeldCall>();
  readonly #greetingMs: number;
  #isOver = false;

  constructor(means: OutboundTransport, { greetingMs = usualGreetingMs }: { greetingMs?: number } = {}) {
    this.#transport = means;
    this.#greetingMs = greetingMs;
  }

  /** Never rejects: every behaviour of the other side is an answer. */
  async post(make: () => OutboundRequest, asked: OutboundOptions): Promise<OutboundAnswer & { ms: number }> {
    const { eventType: kind, timeoutMs, maxBodyBytes } = asked;
    const from = performance.now();
    if (this.#isOver) return { outcome: 'unreachable', detail: over, ms: 0 };
    try {
      // On a kept-alive connection a request may be resent, more often than the service may.
      const options = {
        label: labelDelivery(asked),
        kind,
        timeoutMs,
        fresh: true,
        ...(maxBodyBytes !== undefined && { maxBodyBytes }),
      };
      const observation = await this.#transport.send(make, options);
      this.#transport.onExchange?.(observation);
      return { ...outboundAnswer(observation.answer), ms: observation.times.totalMs ?? performance.now() - from };
    } catch (error) {
      return { outcome: 'unreachable', detail: describeFailure(error), ms: performance.now() - from };
    }
  }

  /** Dials and signs (interface: Authentication). Never rejects. */
  async call(request: CallRequest): Promise<LiveCall | { failed: string }> {
    const { callId, url, secret, label, setupMs } = request;
    if (this.#isOver) return { failed: over };
    const headers = [
      ['User-Agent', 'svc-conform'],
      ['X-Svc-Call-Id', callId],
      ['X-Svc-Agent-Protocol', protocolRevision],
    ] as const;
    const upgrade = SignedDelivery.upgrade(callId, headers, secret);
    let connection: CallConnection;
    try {
      connection = await this.#transport.dial((now) => upgrade.request(url, now), {
        label,
        callId,
        timeoutMs: setupMs,
      });
    } catch (error) {
      return { failed: describeFailure(error) };
    }
    const { observation } = connection;
    this.#transport.onExchange?.(observation);
    if (!isConnected(observation.answer)) return { failed: describeFailedUpgrade(observation.answer, setupMs) };
    const { totalMs } = observation.times;
    if (totalMs !== null && totalMs > setupMs) {
      // The transport may wait longer than the service.
      await connection.close();
      return { failed: `the upgrade was answered after ${Math.round(totalMs)} ms, not within ${setupMs} ms` };
    }
    const call = new HeldCall(connection, request, { lag: this.#transport.lag, greetingMs: this.#greetingMs });
    this.#calls.add(call);
    void call.over.then(() => this.#calls.delete(call));
    return call;
  }

  /** Ends every open call. Nothing is sent afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#calls].map((call) => call.end()));
  }
}

/** Transport of a standalone service: without shared lanes and retries. */
export class StandaloneTransport implements OutboundTransport {
  readonly lag = new LagMeter();
  readonly onExchange: (exchange: Observation | CallObservation) => void;
  readonly #brand: Brand;
  readonly #deliveries: Deliveries;
  readonly #limits: TrafficLimits;
  readonly #routes: Routes;

  constructor(
    onExchange: (exchange: Observation | CallObservation) => void = () => undefined,
    brand = Brand.named(),
    routes = Routes.none(),
    limits = TrafficLimits.none(),
  ) {
    this.onExchange = onExchange;
    this.#brand = brand;
    this.#routes = routes;
    this.#limits = limits;
    this.#deliveries = new Deliveries(this.lag, brand, routes);
  }

  async send(make: () => WireRequest, options: DeliverOptions): Promise<Observation> {
    // A request is made at the moment of sending, which may be a minute later with limits.
    if (this.#limits.isActive) await this.#limits.pass(make());
    const request = make();
    const observation = await this.#deliveries.deliver(request, options);
    if (observation.answer.outcome === 'unreachable') this.#limits.refund(request);
    return observation;
  }

  async dial(make: (now: number) => WireRequest, options: DialOptions): Promise<CallConnection> {
    if (this.#limits.isActive) await this.#limits.pass(make(Date.now()));
    const from = performance.now();
    const request = make(Date.now());
    const route = this.#routes.to(request.url);
    const connection = await CallConnection.dial(request, { ...options, brand: this.#brand, route });
    const { answer, times } = connection.observation;
    if (hasNoCall(answer)) this.#limits.refund(request);
    times.lagMs = (times.proxyMs ?? 0) + this.lag.whileDialling(from, performance.now());
    return connection;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#deliveries[Symbol.asyncDispose]();
    this.lag[Symbol.dispose]();
  }
}

/** An observed answer in the form of the service. */
export function outboundAnswer(answer: Answer): OutboundAnswer {
  switch (answer.outcome) {
    case 'answered':
      return answer;
    case 'no-answer':
      return { outcome: 'no-answer', afterMs: answer.afterMs };
    case 'closed':
    case 'malformed':
    case 'unreachable':
      return { outcome: answer.outcome, detail: answer.detail };
  }
}

/**
 * Describes why nothing was sent: the other side is known to be unavailable, or the address is invalid. Other errors
 * are defects.
 */
function describeFailure(error: unknown): string {
  if (error instanceof HarnessFault) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  const isAddress = code === 'ERR_INVALID_URL' || code === 'UND_ERR_INVALID_ARG';
  if (error instanceof Error && (isAddress || error instanceof SyntaxError)) return error.message;
  throw error;
}

function describeFailedUpgrade(answer: Answer, setupMs: number): string {
  switch (answer.outcome) {
    case 'answered':
      return `the upgrade was answered with status ${answer.status}`;
    case 'no-answer':
      return `no answer to the upgrade within ${setupMs / 1000} s`;
    case 'closed':
      return `the connection was closed before the upgrade was answered: ${answer.detail}`;
    case 'malformed':
      return `the answer is not a WebSocket upgrade: ${answer.detail}`;
    case 'unreachable':
      return answer.detail;
  }
}
