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

  add(exchange: WireExchange, repeat?: () => Promise<void>): void {
    this.#count += 1;
    const logged = { id: `ex-${this.#count}`, exchange: bounded(exchange), ...(repeat && { repeat }) };
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
    const send: OutboundTransport['send'] = async (make, options) => {
      const observation = await transport.send(make, options);
      const label = options.label.replace(/(?:, sent again)?$/, ', sent again');
      this.add(observation, async () => void (await send(make, { ...options, label })));
      return observation;
    };
    return {
      lag: transport.lag,
      send,
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
