import type { Observation } from '../../harness/wire/observation.ts';
import type { Connection } from '../connection.ts';
import type { PreparedEvent } from '../prepared-event.ts';
import { findStray, type StrayRequest } from './find-stray.ts';
import { InboxWatch } from './inbox-watch.ts';

/** Milliseconds in which more requests may follow: retrying clients usually pause for a second first. */
const quietMs = 1_300;
/** Milliseconds to wait after as many requests as are due, while one URL has none: its own may be slower. */
const unevenMs = 3_000;
/** Milliseconds between two checks for requests to other URLs. */
const pollMs = 50;

/** One event and its answer. */
export interface FollowedEvent {
  made: PreparedEvent;
  observation: Observation;
}

/** Requests that followed simultaneous events. */
export interface FollowUp {
  events: readonly FollowedEvent[];
  /**
   * Arrivals since these were sent at the URL of the earlier event, or at that of any event that had got its own; of a CRM
   * only.
   */
  atEarlier: number;
  /** Requests to paths of the inbox that were not given out. */
  strays: readonly StrayRequest[];
  /** Data that is not HTTP. */
  garbled: InboxWatch['garbled'];
  /** Milliseconds from the answers to the first arrival at a given URL. */
  firstMs: number | undefined;
  /** Milliseconds waited. */
  waitedMs: number;
}

export interface FollowOptions {
  label: string;
  /** Milliseconds for the first request to follow. */
  withinMs: number;
  /** An earlier event whose callback may still arrive. */
  earlier?: PreparedEvent | undefined;
  /** Whether to wait for a request after this answer. */
  isOwed: (this: void, observation: Observation) => boolean;
}

/**
 * Sends events simultaneously, waits for the requests that are due, and then for a quiet period. Records requests to any
 * path of the inbox.
 */
export async function followEvent(
  connection: Connection,
  cases: readonly PreparedEvent[],
  { label, withinMs, earlier, isOwed }: FollowOptions,
): Promise<FollowUp> {
  const { inbox } = connection.session;
  using door = new InboxWatch(inbox);
  const atEarlier = arrivalsAtEarlier(connection, cases, earlier);
  const observations = await Promise.all(
    cases.map((made, at) => connection.ask(made.delivery, { label: cases.length > 1 ? `${label}, ${at + 1}` : label })),
  );
  const events = cases.flatMap((made, at) => {
    const observation = observations.at(at);
    return observation ? [{ made, observation }] : [];
  });
  // The URLs of all events: a late request for an earlier probe is not a stray.
  const addresses = inbox.given.map((url) => new URL(url));
  const strays = () =>
    door.requests
      .filter(({ method, target }) => method !== 'GET' && !isOtherApi(target))
      .flatMap((request) => findStray(request, addresses) ?? []);
  const owed = events.filter(({ observation }) => isOwed(observation));
  const open = () => owed.filter(({ made }) => made.box?.arrivals.length === 0);
  const [from, until] = [performance.now(), performance.now() + Math.min(withinMs, connection.remainingMs)];
  let firstMs: number | undefined;
  let allArrivedAt = Infinity;
  // All requests may have gone to one URL; then there is no point in waiting much longer.
  const isOver = () => performance.now() > Math.min(until, allArrivedAt + unevenMs);
  while (open().length > strays().length && door.garbled.length === 0 && !isOver()) {
    const arrived = owed.reduce((sum, { made }) => sum + (made.box?.arrivals.length ?? 0), atEarlier());
    if (arrived >= owed.length && allArrivedAt === Infinity) allArrivedAt = performance.now();
    const [next] = open();
    const left = Math.min(pollMs, until - performance.now());
    await next?.made.box?.atLeast(1, { withinMs: Math.max(1, left) });
    if (firstMs === undefined && open().length < owed.length) firstMs = performance.now() - from;
  }
  const isSilent = open().length === owed.length && door.requests.length === 0 && door.garbled.length === 0;
  if (owed.length === 0 || !isSilent) {
    await new Promise((wake) => setTimeout(wake, Math.min(quietMs, connection.remainingMs)));
  }
  if (owed.length > 0 && open().length < owed.length) firstMs ??= 0;
  for (const { made } of events) for (const arrival of made.box?.arrivals ?? []) connection.keep(arrival);
  for (const stray of inbox.strays.slice(-2)) connection.keep(stray);
  return {
    events,
    atEarlier: atEarlier(),
    strays: strays(),
    garbled: door.garbled,
    firstMs,
    waitedMs: performance.now() - from,
  };
}

/**
 * Counts the most arrivals from now on at the URL of one earlier event. Of events other than `earlier`, only those count
 * that have got a request before: one that comes now may be late for any other.
 */
function arrivalsAtEarlier(
  { surface, callbackBoxes }: Connection,
  cases: readonly PreparedEvent[],
  earlier: PreparedEvent | undefined,
): () => number {
  // A message may get several replies, at any time.
  if (surface === 'own-ai-chat') return () => 0;
  const current = new Set(cases.map(({ box }) => box));
  const boxes = callbackBoxes.flatMap(({ box }) => (box.arrivals.length > 0 && !current.has(box) ? [box] : []));
  const all = new Set([...boxes, ...(earlier?.box ? [earlier.box] : [])]);
  const before = new Map([...all].map((box) => [box, box.arrivals.length]));
  return () => Math.max(0, ...[...all].map((box) => box.arrivals.length - (before.get(box) ?? 0)));
}

/** Describes strays at the end of a sentence; empty without any. */
export function describeStrays({ strays: astray, garbled }: FollowUp): string {
  const count = (some: readonly unknown[], one: string) => `${some.length} ${one}${some.length === 1 ? '' : 's'}`;
  const elsewhere = astray.length === 0 ? '' : `; ${count(astray, 'request')} to another path`;
  return elsewhere + (garbled.length === 0 ? '' : `; ${count(garbled, 'connection')} without a valid HTTP request`);
}

/** Requests to the REST API that are not replies. */
function isOtherApi(target: string): boolean {
  return /^\/v1(?:\/|$)/.test(target) && !target.includes('agent-replies');
}
