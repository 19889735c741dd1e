import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { currentRecord } from '../../harness/checks/check-record.ts';
import { reportProgress } from '../../harness/checks/progress.ts';
import { once } from '../once.ts';
import {
  redeliverAfterCallback,
  redeliverAtOnce,
  redeliverAtOnceAnsweredLater,
  redeliverAtTheEnd,
  redeliveredTypes,
  redeliverLater,
  redeliverLegacyNumber,
  sendSimilarEvents,
} from './redeliveries.ts';
import { typicalAnswers } from './typical-answers.ts';

/** Milliseconds between two progress notes. */
const progressEveryMs = 10_000;
/** Shortest wait for a callback, in milliseconds. */
const leastWaitMs = 50;
/** Milliseconds before the first progress note. */
const firstProgressMs = 2_000;

/** Later events that were called back before an earlier one, from which its callback may be lost. */
const enoughOvertaking = 3;
/** Milliseconds without any callback after which no queue is at work any more. */
const queueQuietMs = 10_000;

/** Callbacks of the whole run. */
export interface Callbacks {
  /** Deliveries answered 202, with their boxes. */
  later: readonly CrmObservation[];
  /** The deliveries whose callback is due in time. */
  owed: readonly CrmObservation[];
  /** The due deliveries without a callback, neither at the given nor at an altered address. */
  missing: readonly CrmObservation[];
  /** Requests that bear a `callbackUrl`'s mark but do not go to it. */
  misdirected: readonly Arrival[];
}

/**
 * Waits until every 202 of the run has had its callback, or the time for it is over, and then for the quiet time in
 * which no second one may come. Every check about callbacks judges the outcome of this one wait.
 */
export function awaitCallbacks(kit: CheckKit): Promise<Callbacks> {
  const { session, crm, inbox, settings } = kit;
  return once(session, 'crm callbacks', async () => {
    await typicalAnswers(kit);
    await Promise.all([
      ...redeliveredTypes.flatMap((type) => [redeliverLater(kit, type), redeliverAtOnce(kit, type)]),
      redeliverLegacyNumber(kit),
      redeliverAfterCallback(kit),
      sendSimilarEvents(kit),
      redeliverAtOnceAnsweredLater(kit),
    ]);
    const later = crm.answeredLater;
    const quietMs = Math.min(queueQuietMs, settings.callbackWaitMs / 2);
    // A queue that still calls back may have events left that came early.
    const due = () => [
      ...later.filter(({ callbackDue }) => callbackDue === true),
      ...(quietSince(later) >= quietMs ? overtaken(kit, later) : []),
    ];
    const strays = () => {
      const urls = inbox.strays.map(({ request }) => request.url).filter((url) => url.includes(callbackMark));
      return later.filter((delivery) => urls.some((url) => hasTokenOf(url, delivery)));
    };
    const open = () => {
      const astray = new Set(strays());
      return due().filter((delivery) => delivery.callback.arrivals.length === 0 && !astray.has(delivery));
    };
    // A callback that no check asked for is judged as well: a slow one is received completely first.
    const arriving = () => later.filter(({ callback, callbackDue }) => callbackDue !== true && callback.isArriving);
    const from = performance.now();
    let reportedAt = from - progressEveryMs + firstProgressMs;
    for (;;) {
      const now = performance.now();
      const waiting = [
        ...[...open(), ...arriving()].filter(({ answeredAt }) => now < answeredAt + settings.callbackWaitMs),
        ...(quietSince(later) < quietMs ? overtaken(kit, later) : []),
      ];
      if (waiting.length === 0) break;
      const until = Math.max(...waiting.map(({ answeredAt }) => answeredAt)) + settings.callbackWaitMs;
      if (now - reportedAt >= progressEveryMs) {
        reportedAt = now;
        reportProgress(
          `Waiting for ${waiting.length} of ${due().length + arriving().length} callbacks after 202, for ${minutes(until - now)} more at the most`,
        );
      }
      const quietLeft = quietMs - quietSince(later);
      const leftMs = Math.min(until - now, reportedAt + progressEveryMs - now, quietLeft > 0 ? quietLeft : Infinity);
      const withinMs = Math.max(leastWaitMs, leftMs);
      await waiting[0]?.callback.nextChange({ withinMs });
    }
    const last = Math.max(0, ...later.flatMap(({ callback }) => callback.arrivals.map(({ at }) => at)));
    const quietLeft = Math.max(last, from) + settings.quietMs - performance.now();
    if (later.length > 0 && quietLeft > 0) await new Promise((wake) => setTimeout(wake, quietLeft));
    const [owed, missing] = [due(), open()];
    // They come again while other checks of the last phase still wait.
    await Promise.all([redeliverAtTheEnd(kit, 'a callback'), redeliverAtTheEnd(kit, 'a request to API v1')]);
    const misdirected = inbox.strays.filter(({ request }) =>
      later.some((delivery) => hasTokenOf(request.url, delivery)),
    );
    return { later, owed, missing, misdirected };
  });
}

/**
 * Events of dense traffic that several later ones of their type have overtaken: their callbacks were called back first.
 * None after a stop of the endpoint, which may have lost them with its memory.
 */
function overtaken({ session }: CheckKit, later: readonly CrmObservation[]): CrmObservation[] {
  if (session.stops > 0) return [];
  return later.filter(({ callbackDue, callback, event, answeredAt }) => {
    if (callbackDue !== 'if-overtaken' || callback.arrivals.length > 0) return false;
    const before = later.filter(
      (other) =>
        other.event.eventType === event.eventType &&
        other.answeredAt > answeredAt &&
        other.callback.arrivals.length > 0,
    );
    return before.length >= enoughOvertaking;
  });
}

/** Milliseconds since the latest callback. */
function quietSince(later: readonly CrmObservation[]): number {
  return performance.now() - Math.max(0, ...later.flatMap(({ callback }) => callback.arrivals.map(({ at }) => at)));
}

/**
 * The same, once every first callback, and every answer that needs none, was watched for `retryWatchMs`. The checks
 * that ask for it run last, so that the time has usually passed already, except since the repetition at the end of the run.
 */
export function watchCallbacks(kit: CheckKit): Promise<Callbacks> {
  const { session, crm, settings } = kit;
  return once(session, 'crm callbacks watched', async () => {
    const callbacks = await awaitCallbacks(kit);
    const [, again] = (await redeliverAtTheEnd(kit, 'a callback')) ?? [];
    const watched = [
      ...(again ? [again.answeredAt] : []),
      ...crm.answeredLater.flatMap(({ callback }) => callback.arrivals[0]?.at ?? []),
      ...crm.answeredNow.filter(({ callbackDue }) => callbackDue === true).map(({ answeredAt }) => answeredAt),
    ];
    const leftMs = Math.max(0, ...watched) + settings.retryWatchMs - performance.now();
    if (watched.length > 0 && leftMs > 0) await new Promise((wake) => setTimeout(wake, leftMs));
    return callbacks;
  });
}

/** Adds to a pass how long the shortest of these times has been watched; `from` is in milliseconds of our clock. */
export function noteWatched(from: readonly number[], since: string): void {
  const record = currentRecord();
  if (!record || from.length === 0) return;
  const seconds = (performance.now() - Math.max(...from)) / 1000;
  record.note = `Watched until the end of the run, for at least ${seconds.toFixed(1)} s after ${since}.`;
}

/** Part of every callbackUrl: a stray request without it is not one of our callbacks. */
const callbackMark = '/callbacks/';

function hasTokenOf(url: string, { callback }: CrmObservation): boolean {
  const mark = callback.url.slice(callback.url.indexOf(callbackMark) + callbackMark.length).split('?')[0];
  return mark !== undefined && url.includes(mark);
}

function minutes(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}
