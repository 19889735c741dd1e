import { setTimeout as delay } from 'node:timers/promises';
import type { ApiEffect } from '../harness/wire/api-effects.ts';
import { currentRecord, type CheckRecord } from '../harness/checks/check-record.ts';
import type { CheckKit } from '../harness/checks/check.ts';
import type { Session } from '../harness/checks/session.ts';
import type { CallObservation, Observation } from '../harness/wire/observation.ts';
import { isConnected } from '../harness/wire/upgrade-answer.ts';
import { isJsonContainer } from '../specs/json-object.ts';
import { pointerSegment } from '../specs/json-pointer.ts';
import { isSuccess } from '../harness/wire/answer-status.ts';

/** Milliseconds between two reads of the state, while an effect is expected at once and later. */
const lookEveryMs = { soon: 20, later: 120 } as const;
/** Milliseconds without growth after which the state counts as settled. */
const usualQuietMs = 120;
/** The same where an effect is expected, once this endpoint has shown that its effects come before its answers. */
const shortQuietMs = 20;
/** Maximum milliseconds without growth where a verdict of failure depends on it. */
const mostDecisiveMs = 3_000;
/** Effects that show it. */
const promptEffects = 2;
/** Milliseconds after a reading in which it is not made again, if nothing was sent since. */
const currentMs = 50;
/** Milliseconds after which a state that still grows by itself is not judged. */
const settleWithinMs = 3_000;

/** One delivery, or one call. */
export type Delivered = Observation | CallObservation;

/** One reading: the observed state, and the number of effects in the simulated service. */
export interface EffectsReading {
  state: Sizes;
  /** The whole state as text: two equal ones show that nothing has changed. */
  text: string;
  done: number;
  /** Milliseconds that the reading took. */
  tookMs: number;
}

/** When the effects of an endpoint were seen. */
interface EffectTimes {
  /** Effects seen so far. */
  count: number;
  /** Milliseconds from an answer to the end of its effect, at most; 0 while every effect was there at once. */
  latestMs: number;
}

/** By surface: one may put its work into a queue, while another acts before it answers. */
const timesOf = new WeakMap<Session, Map<string, EffectTimes>>();
/** The quiet time of an endpoint with late effects, as a multiple of their delay: its queue may be longer once. */
const roomForDelays = 2;

/** A settled state, and since when nothing has grown. */
interface Settled {
  reading: EffectsReading;
  quietFrom: number;
  /** When the reading was complete. */
  readAt: number;
  /** Deliveries and calls of the run by then. */
  begun: number;
  /** The check that waited for it. */
  record: CheckRecord | undefined;
}

const latestSettled = new WeakMap<Session, Settled>();

interface SettleOptions {
  /** An effect that shows late would change a verdict: it gets the usual time even if others came at once. */
  isPatient?: boolean;
  /** Observes from now on, whatever is known about the time before. */
  isFresh?: boolean;
  /** A verdict of failure depends on it: also a part of an effect that comes seconds after the first part is awaited. */
  isDecisive?: boolean;
}

/**
 * Waits until the observed state and the requests to API v1 no longer grow, for an endpoint with late effects as long as
 * these may take. If nothing was sent since the latest settled state, the time before counts too. Ends the check if they
 * never stop.
 */
export async function settledState(kit: CheckKit, label: string, options: SettleOptions = {}): Promise<EffectsReading> {
  return (await settle(kit, label, options)).settled;
}

/** `grewForMs`: milliseconds until the last growth; 0 if nothing grew after the first reading. */
async function settle(
  kit: CheckKit,
  label: string,
  { isPatient = false, isFresh = false, isDecisive = false }: SettleOptions,
): Promise<{ settled: EffectsReading; grewForMs: number }> {
  const { session, settings } = kit;
  const record = currentRecord();
  const earlier = latestSettled.get(session);
  const isUnsent = earlier?.begun === session.begun;
  // Only what was sent since the state had settled can still have an effect. A check that is alone has sent it all.
  const isOwnTraffic = earlier !== undefined && (isUnsent || earlier.record === record);
  const { count, latestMs } = isOwnTraffic ? effectTimes(kit) : latestEffectTimes(session);
  const arePrompt = count >= promptEffects && latestMs === 0;
  const isShort = arePrompt && !isPatient && !isDecisive;
  const leastMs = isDecisive ? Math.min(settings.retryWatchMs, mostDecisiveMs) : usualQuietMs;
  const quietMs = isShort ? shortQuietMs : Math.max(leastMs, roomForDelays * latestMs);
  // A stale reading is harmless where one after the quiet time is compared with it.
  const isCurrent =
    isUnsent &&
    earlier.reading.done === kit.inbox.apiEffects.count &&
    (isFresh || performance.now() - (earlier.readAt - earlier.reading.tookMs) <= currentMs);
  const isQuietSoFar = isUnsent && !isFresh && performance.now() - earlier.quietFrom >= quietMs;
  // Where reading takes longer than the quiet time, the reading that ends it begins during the first one.
  const overlaps = !isCurrent && !isQuietSoFar && (earlier?.reading.tookMs ?? 0) > quietMs;
  const [first, second] = isCurrent
    ? [earlier.reading]
    : await both(look(kit, label), overlaps ? delay(quietMs).then(() => look(kit, label)) : undefined);
  let last = second ?? first;
  let now = performance.now();
  let readAt = isCurrent ? earlier.readAt : now;
  let from = now;
  let quietFrom = !isFresh && isUnsent && !hasGrown(earlier.reading, last) ? earlier.quietFrom : now;
  // Two that overlap may be made in the other order.
  if (second && !hasGrown(first, second) && !hasGrown(second, first)) quietFrom = Math.min(quietFrom, now - quietMs);
  const beforeMs = second ? quietMs : 0;
  let grewForMs = second && hasGrown(first, second) ? beforeMs : 0;
  while (now - quietFrom < quietMs) {
    if (now - from > settleWithinMs + quietMs)
      kit.notExercised('The state at observe.url grows by itself, so effects cannot be identified.');
    await pause(now - from);
    const next = await look(kit, label);
    readAt = now = performance.now();
    // A read that takes long shows nothing about growth.
    from += next.tookMs;
    if (hasGrown(last, next)) {
      grewForMs = beforeMs + now - from;
      quietFrom = now;
    }
    last = next;
  }
  latestSettled.set(session, { reading: last, quietFrom, readAt, begun: session.begun, record });
  return { settled: last, grewForMs };
}

/** Both results, once neither is under way any more. */
async function both<T>(first: Promise<T>, second: Promise<T> | undefined): Promise<[T, T | undefined]> {
  await Promise.allSettled([first, second]);
  return [await first, await second];
}

function hasGrown(before: EffectsReading, after: EffectsReading): boolean {
  return growth(before.state, after.state).size > 0 || before.done !== after.done;
}

/**
 * The settled state after a delivery that may have an effect. Waits for a late one (unless `isLate` is `false`), where
 * effects of this endpoint can be seen at all, and records its delay: from then on every effect is given as much time.
 */
export async function stateAfterEffect(
  kit: CheckKit,
  before: EffectsReading,
  label: string,
  { isLate = true, ...settling }: ObserveOptions = {},
): Promise<EffectsReading> {
  const from = performance.now();
  const isVisible = isLate && (kit.observe !== undefined || kit.inbox.apiEffects.count > 0);
  const { settled, grewForMs } = await settle(kit, label, settling);
  if (hasEffect(effectsBetween(kit, before, settled))) {
    bookEffect(kit, grewForMs);
    return settled;
  }
  let after = settled;
  while (isVisible && performance.now() - from < kit.settings.retryWatchMs) {
    await pause(performance.now() - from);
    after = await look(kit, label);
    if (!hasEffect(effectsBetween(kit, before, after))) continue;
    bookEffect(kit, performance.now() - from);
    return await settledState(kit, label);
  }
  return after;
}

function bookEffect(kit: CheckKit, ms: number): void {
  const times = effectTimes(kit);
  times.count++;
  times.latestMs = Math.max(times.latestMs, ms);
}

/** When effects of the surface that the running check is about were seen. */
function effectTimes({ session }: CheckKit): EffectTimes {
  const bySurface = timesOf.get(session) ?? new Map<string, EffectTimes>();
  timesOf.set(session, bySurface);
  const surface = currentRecord()?.part?.surface ?? '';
  const times = bySurface.get(surface) ?? { count: 0, latestMs: 0 };
  bySurface.set(surface, times);
  return times;
}

/** When effects of any surface were seen: the fewest of one surface, and the latest of all. */
function latestEffectTimes(session: Session): EffectTimes {
  const all = [...(timesOf.get(session)?.values() ?? [])];
  return {
    count: all.length === 0 ? 0 : Math.min(...all.map(({ count }) => count)),
    latestMs: Math.max(0, ...all.map(({ latestMs }) => latestMs)),
  };
}

function pause(elapsedMs: number): Promise<unknown> {
  return delay(elapsedMs < usualQuietMs ? lookEveryMs.soon : lookEveryMs.later);
}

async function look({ observe, inbox }: CheckKit, label: string): Promise<EffectsReading> {
  const from = performance.now();
  const value = observe ? await observe.read(label) : {};
  const tookMs = performance.now() - from;
  return { state: sizes(value), text: JSON.stringify(value), done: inbox.apiEffects.count, tookMs };
}

/** Effects between two readings: the growth of the state by place, and the requests to API v1 that made something new. */
export interface DeliveryEffects {
  grown: ReadonlyMap<string, number>;
  requests: readonly ApiEffect[];
}

export function effectsBetween({ inbox }: CheckKit, before: EffectsReading, after: EffectsReading): DeliveryEffects {
  const requests = inbox.apiEffects.after(before.done).slice(0, after.done - before.done);
  return { grown: growth(before.state, after.state), requests };
}

export function hasEffect({ grown, requests }: DeliveryEffects): boolean {
  return grown.size > 0 || requests.length > 0;
}

/** Adds to a pass where the effect of a delivery could be seen, and how late effects may be. */
export function noteWatched(kit: CheckKit, { grown, requests }: DeliveryEffects): void {
  const record = currentRecord();
  if (!record) return;
  const places = [...(requests.length > 0 ? ['API v1'] : []), ...(grown.size > 0 ? ['observe.url'] : [])];
  const { latestMs } = effectTimes(kit);
  const late =
    latestMs <= usualQuietMs ? '' : ` They are up to ${(latestMs / 1000).toFixed(1)} s late and were awaited.`;
  record.note = `Effects of deliveries were watched at ${places.join(' and ')}.${late}`;
}

/** What was sent, and what it led to. */
export interface ObservedDelivery<Answer = Delivered> {
  answer: Answer;
  effects: DeliveryEffects;
}

/** How effects are observed. */
export interface ObserveOptions extends SettleOptions {
  /** An effect that comes later than any so far is awaited; default: true. */
  isLate?: boolean;
}

/** Sends something, and observes its effects until the state has settled. */
export async function observeEffects<Answer>(
  kit: CheckKit,
  send: () => Promise<Answer>,
  options: ObserveOptions = {},
): Promise<ObservedDelivery<Answer>> {
  const before = await settledState(kit, 'the state before');
  const answer = await send();
  const after = await stateAfterEffect(kit, before, 'the state after one delivery', options);
  const effects = effectsBetween(kit, before, after);
  if (hasEffect(effects)) noteWatched(kit, effects);
  return { answer, effects };
}

/** Whether an effect shows after something was sent. */
export async function showsEffect(
  kit: CheckKit,
  send: () => Promise<unknown>,
  options: ObserveOptions = {},
): Promise<boolean> {
  return hasEffect((await observeEffects(kit, send, options)).effects);
}

/** Reason why effects cannot be judged. */
export function noEffectReason({ observe }: CheckKit): string {
  return observe
    ? 'Neither the state at observe.url nor API v1 shows an effect of the delivery.'
    : 'The delivery led to no request to API v1, and no `observe` address is configured that would show an effect.';
}

/** Whether a delivery was accepted, or the upgrade of a call. */
export function isAccepted({ answer }: Pick<Observation, 'answer'>): boolean {
  return answer.outcome === 'answered' && (isSuccess(answer.status) || isConnected(answer));
}

/** Fields or items of every object and array of a JSON value, by JSON Pointer. */
type Sizes = ReadonlyMap<string, number>;

function sizes(value: unknown, pointer = '', into = new Map<string, number>()): Sizes {
  if (!isJsonContainer(value)) return into;
  const fields = Object.entries(value);
  into.set(pointer, fields.length);
  for (const [name, field] of fields) {
    sizes(field, pointer + pointerSegment(name), into);
  }
  return into;
}

/** Growth of the objects and arrays that both states have. */
export function growth(before: Sizes, after: Sizes): Map<string, number> {
  const grown = new Map<string, number>();
  for (const [place, size] of after) {
    const more = size - (before.get(place) ?? size);
    if (more > 0) grown.set(place, more);
  }
  return grown;
}
