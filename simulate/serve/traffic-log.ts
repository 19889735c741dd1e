import { evidenceBytes, toRecords } from '../../harness/checks/evidence.ts';
import { apiArrival } from '../../harness/wire/api-effects.ts';
import type { OutboundTransport } from '../../harness/wire/harness-outbound.ts';
import type { WireExchange } from '../../harness/wire/observation.ts';
import type { ApiHooks } from '../../service/api/install-recording.ts';
import type { Redact } from '../../service/redact.ts';
import type { Exchange } from '../../specs/generated/types.ts';

/** The latest exchanges that are kept: some minutes of work, in bounded memory. */
const mostKept = 200;

/** An exchange with the endpoint or its client. */
export interface LoggedExchange {
  /** `ex-1` is the first one. */
  id: string;
  /** A call grows while it continues. */
  exchange: WireExchange;
  /** Of a delivery. */
  eventType?: string;
  /** Sends the same delivery again; only for deliveries. */
  repeat?: () => Promise<void>;
}

/** The exchanges of a running service in both directions, the latest ones, with their bodies. */
export class TrafficLog {
  readonly #kept: LoggedExchange[] = [];
  readonly #listeners = new Set<(logged: LoggedExchange) => void>();
  #count = 0;

  /** Oldest first. */
  get kept(): readonly LoggedExchange[] {
    return this.#kept;
  }

  /** Calls `listener` with each exchange from now on: a request once it was answered, a call once it was dialled. */
  listen(listener: (logged: LoggedExchange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(exchange: WireExchange, delivery?: Pick<LoggedExchange, 'eventType' | 'repeat'>): void {
    this.#count += 1;
    const logged = { id: `ex-${this.#count}`, exchange: bounded(exchange), ...delivery };
    this.#kept.push(logged);
    if (this.#kept.length > mostKept) this.#kept.shift();
    for (const listener of this.#listeners) listener(logged);
  }

  /** Adds requests to the service: those to API v1, and callbacks. `baseUrl` is that of the service. */
  hooks(baseUrl: () => string): Required<Pick<ApiHooks, 'onExchange' | 'onCallback'>> {
    return {
      onExchange: (record) => this.add(apiArrival(record, baseUrl())),
      onCallback: (record) => this.add({ ...apiArrival(record, baseUrl()), kind: 'callback', label: 'a callback' }),
    };
  }

  /** The same transport, with its exchanges logged. A repeated delivery has the same body and a new signature. */
  logging(transport: OutboundTransport): OutboundTransport {
    return {
      lag: transport.lag,
      send: async (make, options) => {
        const { kind: eventType } = options;
        const repeat = async () => void (await send(`${options.label}, sent again`));
        const send = async (label: string) => {
          const observation = await transport.send(make, { ...options, label });
          this.add(observation, { ...(eventType !== undefined && { eventType }), repeat });
          return observation;
        };
        return await send(options.label);
      },
      dial: async (make, options) => {
        const connection = await transport.dial(make, options);
        this.add(connection.observation);
        return connection;
      },
    };
  }
}

/** Of a large request of a client, only the part that is shown is kept. */
function bounded(exchange: WireExchange): WireExchange {
  if (exchange.kind === 'http' || exchange.kind === 'call') return exchange;
  const { request } = exchange;
  const { body } = request;
  if (body.length <= evidenceBytes) return exchange;
  return {
    bodyBytes: body.length,
    ...exchange,
    request: { ...request, body: Uint8Array.from(body.subarray(0, evidenceBytes)) },
  };
}

/** The exchange for display: redacted, and of bounded size. */
export function shownExchange({ id, exchange }: LoggedExchange, redact: Redact): Exchange {
  const [record] = toRecords([exchange], redact);
  if (!record) throw new RangeError('expected a record of the exchange, received none');
  return { id, ...record };
}
