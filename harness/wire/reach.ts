import { Availability, type Sending } from './availability.ts';
import { HarnessFault } from '../checks/faults.ts';
import { formatFault } from '../../specs/faults/fault-table.ts';
import type { Answer } from './observation.ts';
import { Routes } from './routes.ts';
import { Throttling } from './throttling.ts';

/** Maximum consecutive failed connections to an origin that was never reached. */
const triesToConnect = 3;

/**
 * Maximum consecutive deliveries to one address without an answer: each takes the whole timeout, and the run must end.
 */
const silencesInARow = 8;
/** The same for an address that has never answered anything. */
const silencesAtFirst = 2;

/** Kinds of requests, whose missing answers are counted separately. */
export type RequestKind = 'deliveries' | 'calls' | 'sentences of callers';

/** State of the connections to one origin. */
interface Connections {
  /** Failed connections since the last successful one. */
  failed: number;
  /** Error of the last failed connection. */
  detail: string;
  /** Whether the server requires a client certificate, or another one than ours. */
  needsClientCertificate: 'any' | 'another' | undefined;
  /** Whether any connection succeeded. */
  isKnown: boolean;
  /** Label of the last answered delivery. */
  lastLabel?: string;
}

/**
 * Tracks how each address of the endpoint has answered so far, and prevents pointless attempts. No requirement fails
 * for any of its faults.
 */
export class Reach {
  /** Separate for deliveries that should be accepted and rejected: often only the latter are limited. */
  readonly #throttling = { accepted: new Throttling(), refused: new Throttling() };
  readonly #availability: Availability;
  readonly #routes: Routes;
  readonly #answered = new Set<string>();
  readonly #silences = new Map<string, number>();
  readonly #connections = new Map<string, Connections>();

  /** @param routes how each address is reached */
  constructor(routes = Routes.none()) {
    this.#routes = routes;
    this.#availability = new Availability(routes);
  }

  /**
   * Throws {@link HarnessFault} as {@link ended}, or `target-throttles` or `target-silent`, when another attempt is
   * pointless.
   */
  before(url: string, timeoutMs: number, what: RequestKind = 'deliveries', toBeRefused = false): void {
    const { origin, host } = new URL(url);
    const gone = this.#availability.goneBy(url);
    if (gone !== undefined) throw new HarnessFault('target-stopped:not-tried', { reason: gone });
    const connections = this.#connections.get(origin);
    if (connections?.needsClientCertificate) throw needsClientCertificate(host, connections.needsClientCertificate);
    if (connections && connections.failed >= triesToConnect) throw noConnection(origin, connections);
    this.#throttling.accepted.before(url);
    if (toBeRefused) this.#throttling.refused.before(url);
    const key = keyOf(url, what);
    const most = this.#answered.has(key) ? silencesInARow : silencesAtFirst;
    if ((this.#silences.get(key) ?? 0) >= most) throw noAnswers(url, most, timeoutMs, what);
  }

  /** The pauses for deliveries of this kind. */
  throttlingOf(toBeRefused: boolean): Throttling {
    return toBeRefused ? this.#throttling.refused : this.#throttling.accepted;
  }

  /** Registers a delivery or call in flight to this address. */
  sending(url: string, label: string): Sending {
    return this.#availability.sending(url, label);
  }

  /**
   * Records the end of a delivery's connection, and adds the endpoint's stop to the answer if there was one. `true`
   * when the endpoint stopped and was restarted, so that the delivery must be resent: it is answered then unless it
   * caused the stop. Throws {@link HarnessFault} `target-unreachable` or `client-certificate-required` when no
   * connection can be made, `target-stopped` when the endpoint was reached before.
   */
  async ended(url: string, answer: Answer, { sending, label }: { sending: Sending; label: string }): Promise<boolean> {
    const { origin, host } = new URL(url);
    const connections = this.#connections.get(origin) ?? {
      failed: 0,
      detail: '',
      needsClientCertificate: undefined,
      isKnown: false,
    };
    this.#connections.set(origin, connections);
    if (answer.outcome === 'unreachable') {
      sending.unreached();
      connections.needsClientCertificate ??= answer.needsClientCertificate;
      if (connections.needsClientCertificate) throw needsClientCertificate(host, connections.needsClientCertificate);
      connections.detail = answer.detail;
      if (connections.isKnown) return await this.#returns(url, connections);
      connections.failed++;
      throw noConnection(origin, connections);
    }
    connections.failed = 0;
    connections.isKnown = true;
    if (answer.outcome === 'answered') connections.lastLabel = label;
    // Some servers verify a client certificate after the handshake, and end the connection without an alert.
    if (isClosedUnanswered(answer) && connections.lastLabel === undefined && this.#routes.to(url).cert !== undefined) {
      sending.unreached();
      throw new HarnessFault('client-certificate-required:closed', { host });
    }
    if (answer.outcome !== 'closed') return false;
    const stop = await sending.closed(answer.unreachable);
    if (stop === undefined) return false;
    if (
      stop.viaProxy &&
      !(await this.#availability.returns(url, formatFault('target-unreachable:via-proxy', { url })))
    ) {
      throw new HarnessFault('target-unreachable:via-proxy', { url });
    }
    answer.stop = stop;
    return await this.#availability.returns(url);
  }

  /** Waits until the endpoint listens again after a stop; returns whether it does. */
  async hasReturned(url: string): Promise<boolean> {
    return await this.#availability.returns(url);
  }

  /** Records whether a request that needs an answer got one. */
  answered(url: string, wasAnswered: boolean, what: RequestKind = 'deliveries'): void {
    const key = keyOf(url, what);
    this.#silences.set(key, wasAnswered ? 0 : (this.#silences.get(key) ?? 0) + 1);
    if (wasAnswered) this.#answered.add(key);
  }

  async #returns(url: string, { detail, lastLabel = 'the first connection' }: Connections): Promise<boolean> {
    const why = formatFault('target-stopped:refusing', { url, detail, last: lastLabel });
    if (await this.#availability.returns(url, why)) return true;
    throw new HarnessFault('target-stopped:known', { reason: this.#availability.goneBy(url) ?? why });
  }
}

function isClosedUnanswered(answer: Answer): boolean {
  return answer.outcome === 'closed' && answer.status === undefined;
}

function keyOf(url: string, what: RequestKind): string {
  return JSON.stringify([url, what]);
}

function noAnswers(url: string, count: number, answerTimeoutMs: number, what: RequestKind): HarnessFault {
  return new HarnessFault('target-silent', { url, count, what, answerTimeoutMs });
}

function needsClientCertificate(host: string, needed: 'any' | 'another'): HarnessFault {
  const name = needed === 'any' ? 'client-certificate-required:any' : 'client-certificate-required:another';
  return new HarnessFault(name, { host });
}

/** The fault of an address that accepted connections before and now rejected several in a row. */
export function lostConnection(url: string, count: number, detail: string): HarnessFault {
  return new HarnessFault('target-unreachable:lost', { origin: new URL(url).origin, count, detail });
}

function noConnection(origin: string, { detail }: { detail: string }): HarnessFault {
  return new HarnessFault('target-unreachable:never', { origin, detail });
}
