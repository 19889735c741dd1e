import { describe, expect, it, vi } from 'vitest';
import type { Answer, Observation } from '../../harness/wire/observation.ts';
import { Reach, type DeliverySort } from '../../harness/wire/reach.ts';

const url = 'http://127.0.0.1:1/hooks';

function observation(answer: Answer): Observation {
  return {
    kind: 'http',
    label: 'a delivery',
    startedAt: new Date(0),
    at: 0,
    request: { method: 'POST', url, headers: [], body: new Uint8Array() },
    answer,
    times: { connectMs: null, firstByteMs: null, totalMs: null, lagMs: 0 },
  };
}

const silence = observation({ outcome: 'no-answer', afterMs: 30_000 });
const refusal = observation({ outcome: 'closed', detail: 'reset' });

function sort(kind: string, over: Partial<DeliverySort> = {}): DeliverySort {
  return { kind, toBeRefused: false, timed: false, isAlone: false, ...over };
}

function book(reach: Reach, of: DeliverySort, one: Observation, count = 1): void {
  for (let nth = 0; nth < count; nth++) reach.booked(url, of, one);
}

describe('an endpoint that answers everything', () => {
  it('may leave two requests of any kind unanswered', () => {
    const reach = new Reach();
    expect(reach.isAnswering).toBe(true);
    book(reach, sort('appointment.created'), silence);
    reach.answered(url, false, 'sentences of callers');
    expect(reach.isAnswering).toBe(true);
    reach.answered(url, true, 'sentences of callers');
    book(reach, sort('appointment.moved', { toBeRefused: true }), silence, 3);
    book(reach, sort('appointment.moved', { timed: true }), silence, 3);
    expect(reach.isAnswering).toBe(true);
    book(reach, sort('appointment.moved'), silence);
    expect(reach.isAnswering).toBe(false);
  });
});

/** Deliveries of one kind, first answered, then silent until the type counts as silent. */
function silentAfterAnswer(): { reach: Reach; created: DeliverySort } {
  const reach = new Reach();
  const created = sort('appointment.created');
  book(reach, created, refusal);
  book(reach, created, silence, 7);
  expect(reach.knownSilence(url, created)).toBeUndefined();
  book(reach, created, silence);
  return { reach, created };
}

describe('deliveries of one kind without an answer', () => {
  it('are not awaited again after three of them, and are the known result', () => {
    const reach = new Reach();
    const created = sort('appointment.created');
    book(reach, created, silence, 2);
    expect(reach.knownSilence(url, created)).toBeUndefined();
    book(reach, created, silence);
    expect(reach.knownSilence(url, created)).toMatchObject({ answer: silence.answer, knownSilences: 3 });
  });

  it('are tried again some time later if their kind was answered before', () => {
    const { reach, created } = silentAfterAnswer();
    expect(reach.knownSilence(url, created)).toMatchObject({ knownSilences: 8 });
    using clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_001);
    expect(reach.knownSilence(url, created)).toBeUndefined();
    expect(clock).toHaveBeenCalled();
  });

  it('say nothing about other kinds, and do not make the address silent', () => {
    const reach = new Reach();
    const created = sort('appointment.created');
    book(reach, created, silence, 20);
    expect(reach.knownSilence(url, sort('appointment.confirmed'))).toBeUndefined();
    expect(reach.knownSilence(url, sort('appointment.created', { timed: true }))).toBeUndefined();
    expect(() => reach.before(url, 30_000)).not.toThrow();
  });

  it('make the address silent if all of several kinds had none', () => {
    const reach = new Reach();
    book(reach, sort('appointment.created'), silence);
    expect(() => reach.before(url, 30_000)).not.toThrow();
    book(reach, sort('appointment.confirmed'), silence);
    expect(() => reach.before(url, 30_000)).toThrow('left 2 deliveries in a row without a complete answer');
  });

  it('make an address that has answered silent only after many in a row', () => {
    const reach = new Reach();
    for (const kind of ['a', 'b', 'c']) book(reach, sort(kind), refusal);
    // Types that were never answered do not count.
    for (const kind of ['d', 'e', 'f']) book(reach, sort(kind), silence, 5);
    for (const kind of ['a', 'b', 'c', 'a', 'b', 'c', 'a']) book(reach, sort(kind), silence);
    expect(() => reach.before(url, 30_000)).not.toThrow();
    book(reach, sort('b'), silence);
    expect(() => reach.before(url, 30_000)).toThrow('left 8 deliveries in a row');
  });

  it('are awaited again where the same kind was answered before', () => {
    const { reach, created } = silentAfterAnswer();
    expect(reach.knownSilence(url, created)).toBeDefined();
    book(reach, created, refusal);
    expect(reach.knownSilence(url, created)).toBeUndefined();
  });

  it('are awaited for a shorter time after the first one, where other kinds are answered', () => {
    const reach = new Reach();
    const created = sort('appointment.created');
    expect(reach.answerTimeoutMs(url, created, { timeoutMs: 30_000, slowestMs: 10 })).toBe(30_000);
    book(reach, created, silence);
    expect(reach.answerTimeoutMs(url, created, { timeoutMs: 30_000, slowestMs: 10 })).toBe(30_000);
    book(reach, sort('appointment.confirmed'), refusal);
    expect(reach.answerTimeoutMs(url, created, { timeoutMs: 30_000, slowestMs: 10 })).toBe(5_000);
    expect(reach.answerTimeoutMs(url, created, { timeoutMs: 30_000, slowestMs: 2_000 })).toBe(8_000);
    expect(reach.answerTimeoutMs(url, sort('appointment.confirmed'), { timeoutMs: 30_000, slowestMs: 10 })).toBe(
      30_000,
    );
    book(reach, created, refusal);
    book(reach, created, silence);
    expect(reach.answerTimeoutMs(url, created, { timeoutMs: 30_000, slowestMs: 10 })).toBe(30_000);
  });

  it('are unanswered from the first one, so that other checks can choose another kind', () => {
    const reach = new Reach();
    expect(reach.isUnanswered(url, 'lookup')).toBe(false);
    book(reach, sort('lookup', { timed: true }), silence);
    expect(reach.isUnanswered(url, 'lookup')).toBe(true);
    book(reach, sort('lookup', { timed: true }), refusal);
    expect(reach.isUnanswered(url, 'lookup')).toBe(false);
  });
});

describe('deliveries that should be rejected', () => {
  const forged = sort('appointment.created', { toBeRefused: true });

  it('are awaited for a shorter time once three had no answer, but always sent', () => {
    const reach = new Reach();
    book(reach, forged, silence, 2);
    expect(reach.answerTimeoutMs(url, forged, { timeoutMs: 30_000, slowestMs: 100 })).toBe(30_000);
    book(reach, forged, silence);
    expect(reach.answerTimeoutMs(url, forged, { timeoutMs: 30_000, slowestMs: 100 })).toBe(2_000);
    expect(reach.answerTimeoutMs(url, forged, { timeoutMs: 30_000, slowestMs: 1_500 })).toBe(6_000);
    expect(reach.answerTimeoutMs(url, forged, { timeoutMs: 30_000, slowestMs: 20_000 })).toBe(30_000);
    expect(reach.knownSilence(url, forged)).toBeUndefined();
  });

  it('say nothing about deliveries that should be accepted', () => {
    const reach = new Reach();
    book(reach, forged, silence, 20);
    expect(() => reach.before(url, 30_000)).not.toThrow();
    expect(reach.knownSilence(url, sort('appointment.created'))).toBeUndefined();
  });
});
