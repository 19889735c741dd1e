import { HarnessFault } from './faults.ts';
import type { Answer } from './observation.ts';

/** Failed connections in a row, with none that stood before, after which no further one is tried. */
const triesToConnect = 3;

/**
 * Deliveries to one address in a row that stayed without an answer, after which no further one is tried: each costs
 * the whole patience, and the run must end.
 */
const silencesInARow = 8;
/** The same for an address that has never answered anything. */
const silencesAtFirst = 2;

/** What an address may leave without an answer; each kind is counted for itself. */
export type Asked = 'deliveries' | 'calls' | 'sentences of callers';

/** What is known about the connections to one origin. */
interface Connections {
  /** Failed ones since the last that was made. */
  failed: number;
  /** Why the last failed one failed. */
  detail: string;
  needsClientCertificate: boolean;
  /** The last delivery that was answered. */
  lastLabel?: string;
}

/**
 * Remembers how each address of the endpoint has answered so far, and ends what is no use: none of its faults is held
 * against the endpoint.
 */
export class Reach {
  readonly #answered = new Set<string>();
  readonly #silences = new Map<string, number>();
  readonly #connections = new Map<string, Connections>();

  /** Throws {@link HarnessFault} as {@link connected}, or `target-silent`, when one more try is no use. */
  before(url: string, patienceMs: number, what: Asked = 'deliveries'): void {
    const { origin } = new URL(url);
    const connections = this.#connections.get(origin);
    if (connections?.needsClientCertificate === true) throw needsClientCertificate(origin);
    if (connections && connections.failed >= triesToConnect) throw unreachable(origin, connections);
    const key = keyOf(url, what);
    const most = this.#answered.has(key) ? silencesInARow : silencesAtFirst;
    if ((this.#silences.get(key) ?? 0) >= most) throw silent(url, most, patienceMs, what);
  }

  /**
   * Books whether a connection was made. Throws {@link HarnessFault} `target-unreachable`, or
   * `client-certificate-required`, when it was not.
   */
  connected(url: string, answer: Answer, label: string): void {
    const { origin } = new URL(url);
    const connections = this.#connections.get(origin) ?? { failed: 0, detail: '', needsClientCertificate: false };
    this.#connections.set(origin, connections);
    if (answer.outcome === 'unreachable') {
      connections.needsClientCertificate ||= answer.needsClientCertificate === true;
      if (connections.needsClientCertificate) throw needsClientCertificate(origin);
      connections.failed++;
      connections.detail = answer.detail;
      throw unreachable(origin, connections);
    }
    connections.failed = 0;
    if (answer.outcome === 'answered') connections.lastLabel = label;
  }

  /** Books whether something that had to be answered was. */
  answered(url: string, wasAnswered: boolean, what: Asked = 'deliveries'): void {
    const key = keyOf(url, what);
    this.#silences.set(key, wasAnswered ? 0 : (this.#silences.get(key) ?? 0) + 1);
    if (wasAnswered) this.#answered.add(key);
  }
}

function keyOf(url: string, what: Asked): string {
  return JSON.stringify([url, what]);
}

function silent(url: string, count: number, patienceMs: number, what: Asked): HarnessFault {
  return new HarnessFault(
    'target-silent',
    `Not tried: ${url} left ${count} ${what} in a row without a complete answer, each for ${patienceMs / 1000} s. --patience waits longer.`,
  );
}

function needsClientCertificate(origin: string): HarnessFault {
  return new HarnessFault(
    'client-certificate-required',
    `${origin} requires a client certificate. The interface has none: let the addresses that the service calls accept connections without one.`,
  );
}

function unreachable(origin: string, { detail, lastLabel }: Connections): HarnessFault {
  const after = lastLabel === undefined ? '' : ` It took connections before; the last answered one was: ${lastLabel}.`;
  return new HarnessFault(
    'target-unreachable',
    `No connection to ${origin}: ${detail}.${after} Is the endpoint running, and is this its address?`,
  );
}
