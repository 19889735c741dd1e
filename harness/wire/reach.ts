import { Availability, type Restarting, type Sending } from './availability.ts';
import { HarnessFault } from '../checks/faults.ts';
import { formatFault } from '../../specs/faults/fault-table.ts';
import type { Answer, Observation } from './observation.ts';
import { Routes } from './routes.ts';
import { Throttling } from './throttling.ts';

/** Maximum consecutive failed connections to an origin that was never reached. */
const triesToConnect = 3;

/**
 * Maximum consecutive requests of several kinds to one address without an answer: each takes the whole timeout, and the
 * run must end.
 */
const silencesInARow = 8;
/** The same for an address that has never answered anything. */
const silencesAtFirst = 2;
/** Kinds of deliveries that must be without an answer before their address counts as silent. */
const silentKinds = 2;
/** Deliveries of one kind that have shown that this kind gets no answer, if none ever did. */
const silencesOfAKind = 3;
/** Milliseconds after which a kind that was answered before is tried again. */
const tryAgainMs = 10_000;
/**
 * Shortest timeout in milliseconds for a delivery that should be rejected, once such deliveries have shown that they get
 * no answer, and the multiple of the slowest answer that it has at least.
 */
const shortRefusalMs = 2_000;
/** Shortest timeout in milliseconds for an event of a type that was not answered within the usual one. */
const repeatedSilenceMs = 5_000;
const refusalFactor = 4;

/** Kinds of requests, whose missing answers are counted separately. */
export type RequestKind = 'deliveries' | 'calls' | 'sentences of callers';

/** Which deliveries are alike: what some of them have shown is assumed of the others. */
export interface DeliverySort {
  /** The type of the event. */
  kind: string;
  toBeRefused: boolean;
  /** A timed delivery is not awaited for as long as others. */
  timed: boolean;
  /** Without other traffic: the silences of others are not its own. */
  isAlone: boolean;
}

/** Observations of the deliveries of one kind. */
interface KindState {
  /** Without an answer since the last one with an answer. */
  silences: number;
  wasAnswered: boolean;
  latest: Observation | undefined;
  /** When {@link latest} ended, by `performance.now()`. */
  latestAt: number;
}

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
  #begun = 0;
  readonly #availability: Availability;
  readonly #routes: Routes;
  readonly #answered = new Set<string>();
  /** By address and kind of request: what was not answered since the last answer. */
  readonly #silences = new Map<string, { count: number; kinds: Set<string> }>();
  /** By address and kind of delivery. */
  readonly #kinds = new Map<string, KindState>();
  readonly #connections = new Map<string, Connections>();
  /** Requests of any kind without an answer. */
  #unanswered = 0;

  /**
   * @param routes how each address is reached
   * @param restarting for an endpoint that the run starts again
   */
  constructor(routes = Routes.none(), restarting?: Restarting) {
    this.#routes = routes;
    this.#availability = new Availability(routes, restarting);
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
    const { count, kinds } = this.#silences.get(key) ?? { count: 0, kinds: new Set() };
    const isSilent = count >= most && (what !== 'deliveries' || kinds.size >= silentKinds);
    if (isSilent) throw noAnswers(url, count, timeoutMs, what);
  }

  /** Whether all addresses answer what they receive; the exceptions show nothing yet. */
  get isAnswering(): boolean {
    return this.#unanswered < silencesOfAKind;
  }

  /** The latest delivery of this kind, if so many got no answer that another one shows nothing new. */
  knownSilence(url: string, sort: DeliverySort): Observation | undefined {
    const state = this.#kinds.get(kindKey(url, sort));
    if (!state?.latest || sort.toBeRefused) return undefined;
    const most = state.wasAnswered ? silencesInARow : silencesOfAKind;
    // It may have been busy for a while.
    if (state.wasAnswered && performance.now() - state.latestAt > tryAgainMs) return undefined;
    return state.silences >= most ? { ...state.latest, knownSilences: state.silences } : undefined;
  }

  /** Whether events of this type were sent and never answered. */
  isUnanswered(url: string, kind: string): boolean {
    const states = [
      { timed: true, isAlone: true },
      { timed: true, isAlone: false },
      { timed: false, isAlone: false },
    ].flatMap((sort) => this.#kinds.get(kindKey(url, { kind, toBeRefused: false, ...sort })) ?? []);
    return states.some(({ silences }) => silences > 0) && !states.some(({ wasAnswered }) => wasAnswered);
  }

  /**
   * Milliseconds to wait for an answer. Less if no limit is judged and a kind was never answered, at an address that answers
   * other kinds; also for deliveries that should be rejected, once several of the kind had no answer.
   */
  answerTimeoutMs(
    url: string,
    sort: DeliverySort,
    { timeoutMs, limitMs, slowestMs }: { timeoutMs: number; limitMs?: number | undefined; slowestMs: number },
  ): number {
    const { silences, wasAnswered } = this.#kinds.get(kindKey(url, sort)) ?? { silences: 0, wasAnswered: false };
    const atMost = (ms: number) => Math.min(timeoutMs, Math.max(ms, refusalFactor * slowestMs));
    if (sort.toBeRefused) return silences < silencesOfAKind ? timeoutMs : atMost(shortRefusalMs);
    if (sort.timed || limitMs !== undefined) return timeoutMs;
    if (silences === 0 || wasAnswered || !this.#answered.has(keyOf(url, 'deliveries'))) return timeoutMs;
    return atMost(repeatedSilenceMs);
  }

  /** Records how a delivery ended. */
  booked(url: string, sort: DeliverySort, observation: Observation): void {
    const { outcome } = observation.answer;
    const key = kindKey(url, sort);
    const state = this.#kinds.get(key) ?? { silences: 0, wasAnswered: false, latest: undefined, latestAt: 0 };
    this.#kinds.set(key, state);
    if (outcome === 'no-answer') {
      // A timed one may be answered later, and nothing need be said to a forged one.
      if (!sort.toBeRefused && !sort.timed) this.#unanswered++;
      state.silences++;
      state.latest = observation;
      state.latestAt = performance.now();
    } else {
      state.silences = 0;
      state.wasAnswered = true;
    }
    if (sort.toBeRefused || sort.timed) return;
    // A kind that never had an answer says nothing about an address that answers others.
    const isOfItsKind = !state.wasAnswered && this.#answered.has(keyOf(url, 'deliveries'));
    if (!isOfItsKind) this.answered(url, outcome !== 'no-answer', 'deliveries', sort.kind);
  }

  /** The pauses for deliveries of this kind. */
  throttlingOf(toBeRefused: boolean): Throttling {
    return toBeRefused ? this.#throttling.refused : this.#throttling.accepted;
  }

  /** Number of deliveries and calls so far. */
  get begun(): number {
    return this.#begun;
  }

  /** Registers a delivery or call in flight to this address. */
  sending(url: string, label: string): Sending {
    this.#begun++;
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

  /** How often an endpoint stopped ({@link Availability.stops}). */
  get stops(): number {
    return this.#availability.stops;
  }

  /** Whether nothing listens at this address. If so, faults name the label as what the endpoint stopped after. */
  async isDownAfter(url: string, label: string): Promise<boolean> {
    const isDown = await this.#availability.isDown(url);
    const connections = this.#connections.get(new URL(url).origin);
    if (isDown && connections) connections.lastLabel = label;
    return isDown;
  }

  /** Waits until the endpoint listens again after a stop; returns whether it does. */
  async hasReturned(url: string): Promise<boolean> {
    return await this.#availability.returns(url);
  }

  /** Records whether a call or a sentence that needs an answer got one, or a delivery of no type. */
  answered(url: string, wasAnswered: boolean, what: RequestKind, kind = ''): void {
    const key = keyOf(url, what);
    if (wasAnswered) {
      this.#answered.add(key);
      this.#silences.delete(key);
      return;
    }
    if (what !== 'deliveries') this.#unanswered++;
    const silences = this.#silences.get(key) ?? { count: 0, kinds: new Set() };
    silences.count++;
    silences.kinds.add(kind);
    this.#silences.set(key, silences);
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

function kindKey(url: string, { kind, toBeRefused, timed, isAlone }: DeliverySort): string {
  return JSON.stringify([url, kind, toBeRefused, timed, timed && isAlone]);
}

function noAnswers(url: string, count: number, answerTimeoutMs: number, what: RequestKind): HarnessFault {
  return new HarnessFault('target-silent:all', { url, count, what, answerTimeoutMs });
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
