import type { Observation } from '../../harness/wire/observation.ts';
import type { Case, Connection } from '../connection.ts';
import { findStray, type StrayRequest } from './find-stray.ts';
import { InboxWatch } from './inbox-watch.ts';

/** Milliseconds after what came in which more of it may come: clients that retry mostly pause for a second at first. */
const quietMs = 1_300;
/** Milliseconds after as much has come as is owed, while one address has nothing: its own may be slower. */
const unevenMs = 3_000;
/** Milliseconds between two looks at the door, which tells nobody of requests to other addresses. */
const lookEveryMs = 50;

/** One event, what it was answered, and what came after it. */
export interface FollowedEvent {
  made: Case;
  observation: Observation;
}

/** What followed events that were sent together. */
export interface FollowUp {
  events: readonly FollowedEvent[];
  /** Arrivals at the address of the earlier event since these were sent. */
  atEarlier: number;
  /** Requests to addresses of ours that were not given. */
  strays: readonly StrayRequest[];
  /** What came and was no request. */
  garbled: InboxWatch['garbled'];
  /** Milliseconds from the answers until the first arrival at an address that was given. */
  firstMs: number | undefined;
  /** Milliseconds that were waited. */
  waitedMs: number;
}

export interface FollowOptions {
  label: string;
  /** Milliseconds for something to follow. */
  withinMs: number;
  /** An event that was sent before, and may still be under way. */
  earlier?: Case | undefined;
  /** Whether something is to be waited for after this answer. */
  isOwed: (this: void, observation: Observation) => boolean;
}

/**
 * Sends events at the same time and waits until something has come for each to which something is owed, and for the
 * quiet time after it. Sees what comes to any address of ours.
 */
export async function follow(
  connection: Connection,
  cases: readonly Case[],
  { label, withinMs, earlier, isOwed }: FollowOptions,
): Promise<FollowUp> {
  const { inbox } = connection.session;
  using door = new InboxWatch(inbox);
  const before = earlier?.box?.arrivals.length ?? 0;
  const atEarlier = () => (earlier?.box?.arrivals.length ?? 0) - before;
  const observations = await Promise.all(
    cases.map((made, at) => connection.ask(made.delivery, { label: cases.length > 1 ? `${label}, ${at + 1}` : label })),
  );
  const events = cases.flatMap((made, at) => {
    const observation = observations.at(at);
    return observation ? [{ made, observation }] : [];
  });
  // Those of all events: what follows one that an earlier probe sent may come late, and is at its own address.
  const addresses = inbox.given.map((url) => new URL(url));
  const strays = () =>
    door.requests
      .filter(({ method, target }) => method !== 'GET' && !isOtherApi(target))
      .flatMap((request) => findStray(request, addresses) ?? []);
  const owed = events.filter(({ observation }) => isOwed(observation));
  const open = () => owed.filter(({ made }) => made.box?.arrivals.length === 0);
  const [from, until] = [performance.now(), performance.now() + Math.min(withinMs, connection.remainingMs)];
  let firstMs: number | undefined;
  let allCameAt = Infinity;
  // What came may all be at one address; then nothing is waited for much longer.
  const isOver = () => performance.now() > Math.min(until, allCameAt + unevenMs);
  while (open().length > strays().length && door.garbled.length === 0 && !isOver()) {
    const came = owed.reduce((sum, { made }) => sum + (made.box?.arrivals.length ?? 0), atEarlier());
    if (came >= owed.length && allCameAt === Infinity) allCameAt = performance.now();
    const [next] = open();
    const left = Math.min(lookEveryMs, until - performance.now());
    await next?.made.box?.atLeast(1, { withinMs: Math.max(1, left) });
    if (firstMs === undefined && open().length < owed.length) firstMs = performance.now() - from;
  }
  const nothingCame = open().length === owed.length && door.requests.length === 0 && door.garbled.length === 0;
  if (owed.length === 0 || !nothingCame) {
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

/** What came and was at no address that was given, to be read at the end of a sentence; nothing where nothing did. */
export function describeStrays({ strays: astray, garbled }: FollowUp): string {
  const count = (some: readonly unknown[], one: string) => `${some.length} ${one}${some.length === 1 ? '' : 's'}`;
  const elsewhere = astray.length === 0 ? '' : `; ${count(astray, 'request')} to another address`;
  return (
    elsewhere + (garbled.length === 0 ? '' : `; ${count(garbled, 'connection')} without a request that HTTP allows`)
  );
}

/** Requests of the endpoint to the REST API that have nothing to do with replies. */
function isOtherApi(target: string): boolean {
  return /^\/v1(?:\/|$)/.test(target) && !target.includes('agent-replies');
}
