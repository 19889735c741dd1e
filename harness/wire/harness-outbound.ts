import type {
  CallRequest,
  LiveCall,
  Outbound,
  OutboundAnswer,
  OutboundOptions,
  OutboundRequest,
} from '../../service/outbound.ts';
import { protocolRevision } from '../../specs/limits.ts';
import { CallConnection, type DialOptions } from './call-connection.ts';
import { Deliveries, type DeliverOptions } from './deliveries.ts';
import { HarnessFault } from '../checks/faults.ts';
import { LagMeter } from './lag.ts';
import { HeldCall } from './held-call.ts';
import type { Answer, CallObservation, Observation, WireRequest } from './observation.ts';
import { SignedDelivery } from './signed-delivery.ts';
import { isConnected } from './upgrade-answer.ts';

/** What the service's traffic goes over: the lanes of a session, or a wire of its own. */
export interface OutboundTransport {
  lag: LagMeter;
  /** Sends what `make` makes at the moment of sending. May throw {@link HarnessFault} when it is no use. */
  send: (make: () => WireRequest, options: DeliverOptions) => Promise<Observation>;
  /** Dials what `make` makes at the moment of dialling, from Unix milliseconds. May throw as `send`. */
  dial: (make: (now: number) => WireRequest, options: DialOptions) => Promise<CallConnection>;
  /** Is given each exchange: a request once it was answered, a call once it was dialled; that grows while it goes on. */
  onExchange?: (exchange: Observation | CallObservation) => void;
}

/** Milliseconds of a greeting, as long as a short one really takes: no AI has to be ready for a sentence sooner. */
const usualGreetingMs = 800;
/** Why nothing goes out any more. */
const over = 'the service has ended';

/** How the simulated service reaches the integrator: over connections that bound and observe everything. */
export class HarnessOutbound implements Outbound {
  readonly #transport: OutboundTransport;
  readonly #calls = new Set<HeldCall>();
  readonly #greetingMs: number;
  #isOver = false;

  constructor(means: OutboundTransport, { greetingMs = usualGreetingMs }: { greetingMs?: number } = {}) {
    this.#transport = means;
    this.#greetingMs = greetingMs;
  }

  /** Never rejects: everything that the other side can do is an answer. */
  async post(
    make: () => OutboundRequest,
    { label, timeoutMs: patienceMs, maxBodyBytes }: OutboundOptions,
  ): Promise<OutboundAnswer & { ms: number }> {
    const from = performance.now();
    if (this.#isOver) return { outcome: 'unreachable', detail: over, ms: 0 };
    try {
      // On a connection that was kept alive, one that closes at once is sent again: more often than the service may.
      const options = { label, patienceMs, fresh: true, ...(maxBodyBytes !== undefined && { maxBodyBytes }) };
      const observation = await this.#transport.send(make, options);
      this.#transport.onExchange?.(observation);
      return { ...answerOf(observation.answer), ms: observation.times.totalMs ?? performance.now() - from };
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
        patienceMs: setupMs,
      });
    } catch (error) {
      return { failed: describeFailure(error) };
    }
    const { observation } = connection;
    this.#transport.onExchange?.(observation);
    if (!isConnected(observation.answer)) return { failed: describeFailedUpgrade(observation.answer, setupMs) };
    const { totalMs } = observation.times;
    if (totalMs !== null && totalMs > setupMs) {
      // Whoever lends the connection may listen longer than the service waits.
      await connection.close();
      return { failed: `the upgrade was answered after ${Math.round(totalMs)} ms, and not within ${setupMs} ms` };
    }
    const call = new HeldCall(connection, request, { lag: this.#transport.lag, greetingMs: this.#greetingMs });
    this.#calls.add(call);
    void call.over.then(() => this.#calls.delete(call));
    return call;
  }

  /** Ends every call that still stands. Nothing goes out afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#calls].map((call) => call.end()));
  }
}

/** A wire of its own for a service that stands alone: nobody shares it, and nothing is tried twice. */
export class StandaloneTransport implements OutboundTransport {
  readonly lag = new LagMeter();
  readonly onExchange: (exchange: Observation | CallObservation) => void;
  readonly #deliveries = new Deliveries(this.lag);

  constructor(onExchange: (exchange: Observation | CallObservation) => void = () => undefined) {
    this.onExchange = onExchange;
  }

  async send(make: () => WireRequest, options: DeliverOptions): Promise<Observation> {
    return await this.#deliveries.deliver(make(), options);
  }

  async dial(make: (now: number) => WireRequest, options: DialOptions): Promise<CallConnection> {
    const from = performance.now();
    const connection = await CallConnection.dial(make(Date.now()), options);
    connection.observation.times.lagMs = this.lag.whileDialling(from, performance.now());
    return connection;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#deliveries[Symbol.asyncDispose]();
    this.lag[Symbol.dispose]();
  }
}

function answerOf(answer: Answer): OutboundAnswer {
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

/** Why nothing was sent: the other side is known to be away, or the address is none. Anything else is a defect. */
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
      return `none within ${setupMs / 1000} s`;
    case 'closed':
      return `the connection was closed before the upgrade was answered: ${answer.detail}`;
    case 'malformed':
      return `what came back is not a WebSocket: ${answer.detail}`;
    case 'unreachable':
      return answer.detail;
  }
}
