import { Availability, type Sending } from './availability.ts';
import { HarnessFault } from '../checks/faults.ts';
import type { Answer } from './observation.ts';
import { Throttling } from './throttling.ts';

/** Failed connections in a row to an origin that was never reached, after which no further one is tried. */
const triesToConnect = 3;

/**
 * Deliveries to one address in a row that stayed without an answer, after which no further one is tried: each costs
 * the whole timeout, and the run must end.
 */
const silencesInARow = 8;
/** The same for an address that has never answered anything. */
const silencesAtFirst = 2;

/** What an address may leave without an answer; each kind is counted for itself. */
export type RequestKind = 'deliveries' | 'calls' | 'sentences of callers';

/** What is known about the connections to one origin. */
interface Connections {
  /** Failed ones since the last that was made. */
  failed: number;
  /** Why the last failed one failed. */
  detail: string;
  needsClientCertificate: boolean;
  /** Some connection was made. */
  isKnown: boolean;
  /** Label of the last delivery that was answered. */
  lastLabel?: string;
}

/**
 * Remembers how each address of the endpoint has answered so far, and ends further attempts that are of no use. No
 * requirement fails for any of its faults.
 */
export class Reach {
  /** Of deliveries that are to be accepted, and of those to be refused: often only the latter are limited. */
  readonly #throttling = { accepted: new Throttling(), refused: new Throttling() };
  readonly #availability = new Availability();
  readonly #answered = new Set<string>();
  readonly #silences = new Map<string, number>();
  readonly #connections = new Map<string, Connections>();

  /**
   * Throws {@link HarnessFault} as {@link ended}, or `target-throttles` or `target-silent`, when one more try is of no use.
   */
  before(url: string, patienceMs: number, what: RequestKind = 'deliveries', toBeRefused = false): void {
    const { origin, host } = new URL(url);
    const gone = this.#availability.goneBy(url);
    if (gone !== undefined) throw stopped(`Not tried: ${gone}`);
    const connections = this.#connections.get(origin);
    if (connections?.needsClientCertificate === true) throw needsClientCertificate(host);
    if (connections && connections.failed >= triesToConnect) throw noConnection(origin, connections);
    this.#throttling.accepted.before(url);
    if (toBeRefused) this.#throttling.refused.before(url);
    const key = keyOf(url, what);
    const most = this.#answered.has(key) ? silencesInARow : silencesAtFirst;
    if ((this.#silences.get(key) ?? 0) >= most) throw noAnswers(url, most, patienceMs, what);
  }

  /** The pauses that deliveries of this kind get. */
  throttlingOf(toBeRefused: boolean): Throttling {
    return toBeRefused ? this.#throttling.refused : this.#throttling.accepted;
  }

  /** Books a delivery, or a call, as in flight to this address. */
  sending(url: string, label: string): Sending {
    return this.#availability.sending(url, label);
  }

  /**
   * Books how the connection of a delivery ended, and adds the stop of the endpoint to the answer where one caused it.
   * `true` when the endpoint stopped and has returned, so that the delivery is to be sent once more: if it was not the
   * reason, it is answered then. Throws {@link HarnessFault} `target-unreachable` or
   * `client-certificate-required` when no connection could be made, `target-stopped` when the endpoint had been reached before.
   */
  async ended(url: string, answer: Answer, { sending, label }: { sending: Sending; label: string }): Promise<boolean> {
    const { origin, host } = new URL(url);
    const connections = this.#connections.get(origin) ?? {
      failed: 0,
      detail: '',
      needsClientCertificate: false,
      isKnown: false,
    };
    this.#connections.set(origin, connections);
    if (answer.outcome === 'unreachable') {
      sending.unreached();
      connections.needsClientCertificate ||= answer.needsClientCertificate === true;
      if (connections.needsClientCertificate) throw needsClientCertificate(host);
      connections.detail = answer.detail;
      if (connections.isKnown) return await this.#returns(url, connections);
      connections.failed++;
      throw noConnection(origin, connections);
    }
    connections.failed = 0;
    connections.isKnown = true;
    if (answer.outcome === 'answered') connections.lastLabel = label;
    if (answer.outcome !== 'closed') return false;
    const stop = await sending.closed(answer.unreachable);
    if (stop === undefined) return false;
    answer.stop = stop;
    return await this.#availability.returns(url);
  }

  /** Whether the endpoint listens again after a stop; waits for it. */
  async hasReturned(url: string): Promise<boolean> {
    return await this.#availability.returns(url);
  }

  /** Books whether something that had to be answered was. */
  answered(url: string, wasAnswered: boolean, what: RequestKind = 'deliveries'): void {
    const key = keyOf(url, what);
    this.#silences.set(key, wasAnswered ? 0 : (this.#silences.get(key) ?? 0) + 1);
    if (wasAnswered) this.#answered.add(key);
  }

  async #returns(url: string, { detail, lastLabel = 'the first connection' }: Connections): Promise<boolean> {
    const why = `The endpoint at ${new URL(url).origin} stopped accepting connections (${detail}). It stopped after: ${lastLabel}.`;
    if (await this.#availability.returns(url, why)) return true;
    throw stopped(this.#availability.goneBy(url) ?? why);
  }
}

function keyOf(url: string, what: RequestKind): string {
  return JSON.stringify([url, what]);
}

function stopped(why: string): HarnessFault {
  return new HarnessFault('target-stopped', why);
}

function noAnswers(url: string, count: number, patienceMs: number, what: RequestKind): HarnessFault {
  return new HarnessFault(
    'target-silent',
    `Not tried: ${url} left ${count} ${what} in a row without a complete answer, each for ${patienceMs / 1000} s. Use --patience to wait longer.`,
  );
}

function needsClientCertificate(host: string): HarnessFault {
  return new HarnessFault(
    'client-certificate-required',
    `${host} requires a client certificate. The service presents none, so accept connections without one at the addresses that it calls.`,
  );
}

/** The fault of an address that accepted connections before, where so many in a row could not be made by now. */
export function lostConnection(url: string, count: number, detail: string): HarnessFault {
  return new HarnessFault(
    'target-unreachable',
    `${new URL(url).origin} accepted connections before, but ${count} in a row could not be made: ${detail}.`,
  );
}

function noConnection(origin: string, { detail }: { detail: string }): HarnessFault {
  return new HarnessFault(
    'target-unreachable',
    `No connection to ${origin}: ${detail}. Is the endpoint running, and is this its address?`,
  );
}
