import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import { timestamp } from '../../service/clock.ts';
import { AppointmentInbox, begin, inUtc, minute, phone } from './appointment-inbox.ts';

type EventType = ApiWebhookEvent['type'];

/** A second, independent implementation of the state table of the interface, for one appointment. */
interface Expected {
  start: number;
  minutes: number;
  state: 'proposed' | 'declined once' | 'agreed' | 'over' | 'cancelled';
  moves: number;
  /** Scheduled events. */
  dues: { at: number; what: 'reminder' | 'end' }[];
  events: [EventType, string][];
  notices: string[];
  pushes: number;
}

interface Model {
  now: number;
  hasOwnNumber: boolean;
  isReachable: boolean;
  all: Expected[];
}

const emit = (model: Model, one: Expected, type: EventType) => one.events.push([type, timestamp(model.now)]);
const notify = (model: Model, one: Expected, kind: string) => void (model.isReachable && one.notices.push(kind));

function agree(model: Model, one: Expected): void {
  const end = one.start + one.minutes * minute;
  one.state = 'agreed';
  one.dues = [
    { at: one.start - 24 * 60 * minute, what: 'reminder' as const },
    { at: one.start - 30 * minute, what: 'reminder' as const },
  ].filter(({ at }) => at >= model.now);
  one.dues.push({ at: Math.max(end, model.now), what: 'end' });
}

/** Advances the time of the model to `to`. */
function pass(model: Model, to: number): void {
  for (;;) {
    const due = model.all
      .flatMap((one) => one.dues.map(({ at, what }) => ({ one, at, what })))
      .filter(({ at }) => at <= to)
      .sort((a, b) => a.at - b.at)[0];
    if (!due) break;
    const { one, at, what } = due;
    model.now = at;
    one.dues = one.dues.filter((other) => other.at !== at || other.what !== what);
    if (what === 'end') {
      one.state = 'over';
      emit(model, one, 'appointment.finished');
    } else if (model.hasOwnNumber && model.isReachable) {
      notify(model, one, 'reminder');
      emit(model, one, 'appointment.reminder_sent');
    }
  }
  model.now = to;
}

interface Real {
  service: AppointmentInbox;
  ids: number[];
}

/** Applies one event to the model and to the service, and compares both. */
class Happening implements fc.AsyncCommand<Model, Real> {
  readonly #text: string;
  readonly #needsOne: boolean;
  readonly #inModel: (model: Model) => void;
  readonly #inService: (real: Real) => unknown;

  constructor(text: string, needsOne: boolean, inModel: (model: Model) => void, inService: (real: Real) => unknown) {
    this.#text = text;
    this.#needsOne = needsOne;
    this.#inModel = inModel;
    this.#inService = inService;
  }

  check({ all }: Readonly<Model>): boolean {
    return !this.#needsOne || all.length > 0;
  }

  async run(model: Model, real: Real): Promise<void> {
    this.#inModel(model);
    await this.#inService(real);
    pass(model, model.now);
    await real.service.clock.move(0);
    expect(asSeen(real)).toEqual(asExpected(model));
  }

  toString(): string {
    return this.#text;
  }
}

function asExpected({ now, all }: Model): unknown {
  return {
    now,
    all: all.map(({ start, minutes, state, moves, events, notices, pushes }) => ({
      start: timestamp(start),
      minutes,
      status: { 'declined once': 'proposed', agreed: 'confirmed', over: 'confirmed' }[state as string] ?? state,
      confirmed: state === 'agreed' || state === 'over',
      over: state === 'over',
      moves,
      events,
      notices,
      pushes,
    })),
  };
}

function asSeen({ service, ids }: Real): unknown {
  const appointments = service.reported('appointment').filter(({ data }) => data.eventType !== undefined);
  return {
    now: service.clock.now(),
    all: ids.map((id) => {
      const { start, durationMinutes, status, finishedAt, rescheduledCount, ...rest } = service.shown(id);
      const confirmed =
        status === 'confirmed' && rest.customerConfirmedAt !== null && rest.businessConfirmedAt !== null;
      expect(rest.cancelledAt === null).toBe(status !== 'cancelled');
      return {
        start,
        minutes: durationMinutes,
        status,
        confirmed,
        over: status !== 'cancelled' && finishedAt !== null,
        moves: rescheduledCount,
        events: appointments
          .filter(({ data }) => data.appointmentId === id)
          .map(({ at, data }) => [data.eventType, at]),
        notices: service
          .reported('to-customer')
          .filter(({ data }) => data.appointmentId === id)
          .map(({ data }) => data.kind),
        pushes: service
          .reported('to-team')
          .filter(({ data }) => data.kind === 'push' && String(data.text).includes(`number ${ids.indexOf(id)}.`))
          .length,
      };
    }),
  };
}

/** Minutes from now: around the reminders, before and after the start. */
const minutesAhead = fc.oneof(
  fc.constantFrom(-31, -30, 0, 1, 29, 30, 31, 60, 1439, 1440, 1441, 2880),
  fc.integer({ min: -200, max: 4_500 }),
);
const minutesLong = fc.constantFrom(1, 30, 31, 180, 1440);
const pick = fc.nat(7);
const one = (model: Model, nth: number) => model.all[nth % model.all.length] as Expected;
const idOf = ({ ids }: Real, nth: number) => ids[nth % ids.length] as number;

const create = fc
  .record({ ahead: minutesAhead, long: minutesLong, confirmed: fc.constantFrom(true, false, undefined) })
  .map(({ ahead, long, confirmed }) => {
    const said = confirmed !== undefined && { confirmed };
    return new Happening(
      `create in ${ahead} min for ${long} min, confirmed ${confirmed}`,
      false,
      (model) => {
        const added: Expected = {
          start: model.now + ahead * minute,
          minutes: long,
          state: 'proposed',
          moves: 0,
          dues: [],
          events: [],
          notices: [],
          pushes: 0,
        };
        model.all.push(added);
        if (confirmed) agree(model, added);
        notify(model, added, confirmed ? 'confirmation' : 'invitation');
        emit(model, added, 'appointment.created');
      },
      ({ service, ids }) => {
        const start = inUtc(service.clock.now() + ahead * minute);
        ids.push(service.create({ start, durationMinutes: long, title: `number ${ids.length}.`, ...said }));
      },
    );
  });

const accept = pick.map(
  (nth) =>
    new Happening(
      `accept ${nth}`,
      true,
      (model) => {
        const it = one(model, nth);
        if (it.state !== 'proposed' && it.state !== 'declined once') return;
        agree(model, it);
        it.pushes++;
        emit(model, it, 'appointment.confirmed');
      },
      (real) => real.service.inbox.appointments.accept(idOf(real, nth)),
    ),
);

const decline = pick.map(
  (nth) =>
    new Happening(
      `decline ${nth}`,
      true,
      (model) => {
        const it = one(model, nth);
        if (it.state === 'proposed') {
          it.state = 'declined once';
          notify(model, it, 'second-question');
        } else if (it.state === 'declined once') {
          it.state = 'cancelled';
          emit(model, it, 'appointment.cancelled');
        }
      },
      (real) => real.service.inbox.appointments.decline(idOf(real, nth)),
    ),
);

const move = fc
  .record({
    nth: pick,
    ahead: fc.option(minutesAhead, { nil: undefined }),
    long: fc.option(minutesLong, { nil: undefined }),
    confirmed: fc.constantFrom(true, false, undefined),
  })
  .map(
    ({ nth, ahead, long, confirmed }) =>
      new Happening(
        `move ${nth} to in ${ahead} min for ${long} min, confirmed ${confirmed}`,
        true,
        (model) => {
          const it = one(model, nth);
          const [start, minutes] = [ahead === undefined ? it.start : model.now + ahead * minute, long ?? it.minutes];
          if (start === it.start && minutes === it.minutes) return;
          Object.assign(it, { start, minutes, state: 'proposed', dues: [], moves: it.moves + 1 });
          if (confirmed) agree(model, it);
          notify(model, it, confirmed ? 'moved' : 're-book');
          emit(model, it, 'appointment.rescheduled');
        },
        (real) => {
          const { appointments, clock } = real.service.inbox;
          appointments.change(idOf(real, nth), {
            ...(ahead !== undefined && { start: inUtc(clock.now() + ahead * minute) }),
            ...(long !== undefined && { durationMinutes: long }),
            ...(confirmed !== undefined && { confirmed }),
          });
        },
      ),
  );

const cancel = fc.record({ nth: pick, message: fc.constantFrom(undefined, '', 'Sorry.') }).map(
  ({ nth, message }) =>
    new Happening(
      `cancel ${nth} with ${message}`,
      true,
      (model) => {
        const it = one(model, nth);
        Object.assign(it, { state: 'cancelled', dues: [] });
        notify(model, it, 'cancellation');
        emit(model, it, 'appointment.cancelled');
      },
      (real) => void real.service.inbox.appointments.cancel(idOf(real, nth), message === undefined ? {} : { message }),
    ),
);

const time = fc.oneof(fc.constantFrom(0, 1, 30, 60, 1410, 1440), fc.nat(5_000)).map(
  (minutes) =>
    new Happening(
      `${minutes} min pass`,
      false,
      (model) => pass(model, model.now + minutes * minute),
      (real) => real.service.clock.move(minutes * minute),
    ),
);

const ownNumber = fc.boolean().map(
  (has) =>
    new Happening(
      `${has ? 'an' : 'no'} own number`,
      false,
      (model) => void (model.hasOwnNumber = has),
      ({ service }) => void (service.inbox.workspace.hasOwnWhatsAppNumber = has),
    ),
);

const reachable = fc.boolean().map(
  (is) =>
    new Happening(
      `the customer is ${is ? '' : 'not '}to be reached`,
      false,
      (model) => void (model.isReachable = is),
      ({ service }) => void (service.inbox.contacts.forPhone(phone).undeliverable = !is),
    ),
);

describe('appointments', () => {
  it('follow the state table for any sequence of events, and each side is notified once', async () => {
    const seen = new Set<string>();
    const happenings = fc.commands([create, accept, decline, move, cancel, time, time, ownNumber, reachable], {
      size: 'max',
      maxCommands: 40,
    });
    await fc.assert(
      fc.asyncProperty(happenings, async (commands) => {
        const service = new AppointmentInbox();
        const model: Model = { now: begin, hasOwnNumber: true, isReachable: true, all: [] };
        await fc.asyncModelRun(() => ({ model, real: { service, ids: [] } }), commands);
        const expected = model.all.flatMap(({ events }) => events);
        const hooks = await service.hooks();
        expect(hooks.map(({ type, createdAt }) => `${createdAt} ${type}`).sort()).toEqual(
          expected.map(([type, at]) => `${at} ${type}`).sort(),
        );
        expect(hooks.map(({ createdAt }) => createdAt)).toEqual(hooks.map(({ createdAt }) => createdAt).toSorted());
        expect(await service.crmEvents()).toHaveLength(hooks.length);
        for (const [type] of expected) seen.add(type);
        for (const { state } of model.all) seen.add(state);
        service.clock.stop();
      }),
      { numRuns: 300 },
    );
    // Otherwise the commands do not reach the states that they test.
    expect([...seen].sort()).toEqual(
      [
        'agreed',
        'appointment.cancelled',
        'appointment.confirmed',
        'appointment.created',
        'appointment.finished',
        'appointment.reminder_sent',
        'appointment.rescheduled',
        'cancelled',
        'declined once',
        'over',
        'proposed',
      ].sort(),
    );
  });
});
