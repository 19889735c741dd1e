import { describe, expect, it } from 'vitest';
import { CheckRecord, withRecord } from '../../harness/checks/check-record.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import { NotExercised } from '../../harness/checks/faults.ts';
import { FindingError } from '../../harness/checks/finding.ts';
import { Session } from '../../harness/checks/session.ts';
import { StateProbe } from '../../harness/checks/state-probe.ts';
import { judgeSecondEffect } from '../../suites/judge-second-effect.ts';
import { judgeSimilarEffects } from '../../suites/judge-similar-effects.ts';
import { observeEffects, showsEffect, type DeliveryEffects } from '../../suites/observed-effects.ts';
import { answerText, rawServer } from './raw-server.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

interface Endpoint {
  /** Handles one delivery; `seen` counts the arrivals of its id, from 1. `note` writes a note through the API. */
  act: (id: string, seen: number, note: NoteWriter) => void;
  state: () => unknown;
  /** Milliseconds that reading the state takes; default: 0. The state is that of the beginning. */
  readMs?: number;
  status?: number;
}

/** Writes a note through API v1, with or without an Idempotency-Key. */
type NoteWriter = (text: string, idempotencyKey?: string) => Promise<unknown>;

/**
 * Judges an endpoint with one delivery that is sent twice, or with two different ones; `earlier` deliveries precede
 * them. `known`: the effects of another one are given, or observed before.
 */
async function judge(
  { act, state, readMs = 0, status = 200 }: Endpoint,
  {
    atOnce = false,
    observed = true,
    earlier = 0,
    different = false,
    known,
  }: {
    atOnce?: boolean;
    observed?: boolean;
    earlier?: number;
    different?: boolean;
    known?: DeliveryEffects | 'observed';
  } = {},
): Promise<{ error: unknown; record: CheckRecord; reads: number }> {
  const seen = new Map<string, number>();
  let reads = 0;
  let note: NoteWriter = () => Promise.resolve();
  await using endpoint = await rawServer((socket, { head }) => {
    if (head.startsWith('GET ')) {
      reads++;
      const answer = answerText('200 OK', {}, JSON.stringify(state()));
      setTimeout(() => socket.write(answer), readMs);
      return;
    }
    const id = /^x-svc-delivery-id: (.+)$/im.exec(head)?.[1] ?? '';
    seen.set(id, (seen.get(id) ?? 0) + 1);
    act(id, seen.get(id) ?? 0, note);
    socket.write(answerText(`${status} Some`));
  });
  await using session = await Session.open(
    settingsOf(configOf({ hooks: endpoint.origin, state: `${endpoint.origin}/state` }), { retryWatchMs: 2_000 }),
  );
  const { baseUrl, inbox } = session.inbox.service;
  const [apiKey = ''] = inbox.workspace.keys.keys();
  note = (text, idempotencyKey) =>
    fetch(`${baseUrl}/v1/notes`, {
      method: 'POST',
      headers: {
        'x-api-key': apiKey,
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify({ phone: '+4930901820', text }),
    });
  const kit = {
    session,
    settings: session.settings,
    inbox: session.inbox,
    observe: observed ? new StateProbe(session, `${endpoint.origin}/state`) : undefined,
    notExercised: (why: string) => {
      throw new NotExercised(why);
    },
  } as CheckKit;
  const record = new CheckRecord();
  const other = () => session.hooks.post(session.hooks.sign(session.sample.apiWebhookEvent()), { label: 'other' });
  const error: unknown = await withRecord(record, async () => {
    for (let count = 1; count <= earlier; count++) await showsEffect(kit, other);
    if (different) {
      const pair = () => ({ first: other, second: other });
      return await judgeSimilarEffects(kit, { what: 'deliveries', other, pair });
    }
    const effects = known === 'observed' ? (await observeEffects(kit, other, { isPatient: true })).effects : known;
    await judgeSecondEffect(kit, () => {
      const delivery = session.hooks.sign(session.sample.apiWebhookEvent());
      return {
        same: (which) => session.hooks.post(delivery, { label: which }),
        ...(atOnce && { other: { send: other, ...(effects && { known: effects }) } }),
      };
    });
  }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, record, reads };
}

/** An endpoint with a list of effects; `acts` decides whether and when a delivery has one. */
function journal(acts: (seen: number, add: () => void) => void, more: () => object = () => ({})): Endpoint {
  const entries: { id: string; title: string }[] = [];
  return {
    act: (id, seen) => acts(seen, () => entries.push({ id, title: 'Consultation' })),
    state: () => ({ ...more(), entries, count: entries.length }),
  };
}

const later = (add: () => void) => void setTimeout(add, 30);
/** An effect later than the time in which the state settles. */
const queued = (add: () => void) => void setTimeout(add, 600);
const once = (seen: number, add: () => void) => void (seen === 1 && add());

describe.concurrent.each([{ atOnce: false }, { atOnce: true }, { atOnce: true, known: 'observed' as const }])(
  'the same delivery twice, at once: $atOnce, the effects of another one: $known',
  (how) => {
    it.each([
      ['at once', once],
      ['a little later', (seen: number, add: () => void) => void (seen === 1 && later(add))],
      ['from a queue', (seen: number, add: () => void) => void (seen === 1 && queued(add))],
    ])('with one effect %s is right, and the place where it was watched is stated', async (when, acts) => {
      const { error, record } = await judge(journal(acts), how);
      expect(error).toBeUndefined();
      expect(record.note).toMatch(/^Effects of deliveries were watched at observe\.url\./);
      if (when === 'from a queue') expect(record.note).toMatch(/They are up to \d\.\d s late and were awaited\.$/);
      expect(record.judged).toBe(1);
    });

    it.each([
      ['at once', (_: number, add: () => void) => add()],
      ['a little later', (_: number, add: () => void) => later(add)],
      ['from a queue', (_: number, add: () => void) => queued(add)],
    ])('with a second effect %s is a finding', async (_, acts) => {
      const { error, record } = await judge(journal(acts), how);
      expect(error).toBeInstanceOf(FindingError);
      expect((error as FindingError).message).toContain('/entries');
      expect(record.evidence.at(-1)?.label).toBe('second');
    });

    it('without a visible effect gives nothing to judge', async () => {
      const { error, record } = await judge(
        journal(() => undefined),
        how,
      );
      expect(error).toBeInstanceOf(NotExercised);
      expect(record.judged).toBe(0);
    });

    it('that is not accepted gives nothing to judge', async () => {
      const { error } = await judge({ ...journal(once), status: 500 }, how);
      expect(error).toBeInstanceOf(NotExercised);
      expect(String(error)).toContain('status 500');
    });

    it('without an address of the state gives nothing to judge', async () => {
      const { error } = await judge(journal(once), { ...how, observed: false });
      expect(error).toBeInstanceOf(NotExercised);
      expect(String(error)).toContain('observe');
    });

    it('is judged even if values change by themselves or count requests', async () => {
      let reads = 0;
      const { error, record } = await judge(
        journal(once, () => ({ reads: ++reads, lastDeliveryAt: new Date().toISOString() })),
        how,
      );
      expect(error).toBeUndefined();
      expect(record.judged).toBe(1);
    });

    it('with a state that grows by itself gives nothing to judge', async () => {
      const reads: number[] = [];
      const { error, record } = await judge(
        journal(once, () => ({ reads: [...reads, reads.push(1)] })),
        how,
      );
      expect(error).toBeInstanceOf(NotExercised);
      expect(record.judged).toBe(0);
    });
  },
);

describe.concurrent('a state that takes long to read', () => {
  const slow = { readMs: 400 };
  const twice = { earlier: 2 };

  it('is read twice at the same time after each delivery, and once before the next one', async () => {
    const { error, record, reads } = await judge({ ...journal(once), ...slow }, twice);
    expect(error).toBeUndefined();
    expect(record.judged).toBe(1);
    // Twice at the beginning and after each of the four, and once before the second and the third.
    expect(reads).toBe(12);
  });

  it.each([
    ['at once', (_: number, add: () => void) => add()],
    ['a little later', (_: number, add: () => void) => later(add)],
    ['from a queue', (_: number, add: () => void) => queued(add)],
  ])('shows a second effect %s', async (_, acts) => {
    const { error } = await judge({ ...journal(acts), ...slow }, twice);
    expect(error).toBeInstanceOf(FindingError);
    expect((error as FindingError).message).toContain('/entries');
  });

  it('shows an effect that comes between the two readings', async () => {
    const { error, record } = await judge(
      { ...journal((seen, add) => void (seen === 1 && setTimeout(add, 60))), ...slow },
      twice,
    );
    expect(error).toBeUndefined();
    expect(record.judged).toBe(1);
  });
});

it('known effects that do not show are measured again', async () => {
  const known: DeliveryEffects = { grown: new Map([['/elsewhere', 1]]), requests: [] };
  const twice = journal((_, add) => add());
  const { error } = await judge(
    { ...twice, state: () => ({ ...(twice.state() as object), elsewhere: [] }) },
    { atOnce: true, known },
  );
  expect(error).toBeInstanceOf(FindingError);
  expect((error as FindingError).message).toContain('/entries');
});

describe.concurrent('two different deliveries', () => {
  it.each([
    ['missing', 1, FindingError],
    ['found', 2, undefined],
  ])('an effect of the second is %s, though that of the first has a late part', async (_, effects, thrown) => {
    let count = 0;
    const parts = (_seen: number, add: () => void) => {
      count++;
      if (count <= 2) return add();
      const isFirst = count % 2 === 1;
      if (isFirst || effects === 2) add();
      if (isFirst) setTimeout(add, 60);
    };
    const { error } = await judge(journal(parts), { earlier: 2, different: true });
    if (thrown) expect(error).toBeInstanceOf(thrown);
    else expect(error).toBeUndefined();
  });

  it('are not reported if the effect of the second is missing only once', async () => {
    let count = 0;
    const { error, record } = await judge(
      journal((_seen, add) => void (++count !== 4 && add())),
      { earlier: 2, different: true },
    );
    expect(error).toBeUndefined();
    expect(record.judged).toBe(1);
  });
});

describe.concurrent('the same delivery again later', () => {
  it('may act in two steps, although earlier deliveries acted at once', async () => {
    let count = 0;
    const inTwoParts = (seen: number, add: () => void) => {
      if (seen !== 1) return;
      add();
      if (++count > 2) setTimeout(add, 60);
    };
    const { error, record } = await judge(journal(inTwoParts), { earlier: 2 });
    expect(error).toBeUndefined();
    expect(record.judged).toBe(1);
  });

  it('is correct if parts of each effect come later, in a list that also grew before', async () => {
    const requests: string[] = [];
    const entries: string[] = [];
    const { error, record } = await judge(
      {
        act: (id, seen) => {
          if (seen > 1) return;
          entries.push(id);
          requests.push(`now ${id}`);
          for (const ms of [60, 330]) setTimeout(() => requests.push(`later ${id}`), ms);
        },
        state: () => ({ entries, requests }),
      },
      { earlier: 2 },
    );
    expect(error).toBeUndefined();
    expect(record.judged).toBe(1);
  });

  it('is a finding if its effect comes a little later, although the effects before came at once', async () => {
    const { error } = await judge(
      journal((seen, add) => (seen === 1 ? add() : void setTimeout(add, 60))),
      { earlier: 2 },
    );
    expect((error as FindingError | undefined)?.message).toContain('1 more at /entries');
  });

  it('may change other data than the first one: a log of redeliveries, for example', async () => {
    const entries: string[] = [];
    const redelivered: string[] = [];
    const { error } = await judge({
      act: (id, seen) => (seen === 1 ? entries : redelivered).push(id),
      state: () => ({ entries, redelivered }),
    });
    expect(error).toBeUndefined();
  });

  it('may write the same record of an object again', async () => {
    const orders: Record<string, number> = {};
    const { error } = await judge({ act: (id, seen) => void (orders[id] = seen), state: () => ({ orders }) });
    expect(error).toBeUndefined();
  });

  it('is a finding when an object gets another field', async () => {
    const orders: Record<string, number> = {};
    const { error } = await judge({ act: (id, seen) => void (orders[`${id}/${seen}`] = 1), state: () => ({ orders }) });
    expect((error as FindingError).message).toContain('1 more at /orders');
  });

  it('is a finding when the whole state is a list', async () => {
    const entries: object[] = [{ id: 'old' }];
    const { error } = await judge({ act: (id, seen) => entries.push({ id: `${id}-${seen}` }), state: () => entries });
    expect((error as FindingError).message).toContain('at the top of the state');
  });
});

describe.concurrent('the same delivery twice at once', () => {
  it('is correct when two different items are one effect', async () => {
    const entries: string[] = [];
    const endpoint: Endpoint = {
      act: (id, seen) => void (seen === 1 && entries.push(`order ${id}`, `mail about ${id}`)),
      state: () => ({ entries }),
    };
    expect((await judge(endpoint, { atOnce: true })).error).toBeUndefined();
  });
});

describe.concurrent.each([{ atOnce: false }, { atOnce: true }])(
  'what a delivery leads to at API v1, at once: $atOnce',
  (how) => {
    const acting = (act: Endpoint['act']): Endpoint => ({ act, state: () => ({}) });

    it('is correct when earlier work appears twice meanwhile, and not again', async () => {
      let requests = 0;
      const { error, record } = await judge(
        acting((id, seen, note) => {
          if (seen === 1) void note(`about ${id}`);
          if (++requests <= 3) void note('Earlier work');
        }),
        how,
      );
      expect(error).toBeUndefined();
      expect(record.judged).toBe(1);
    });

    it('is correct when it is processed once', async () => {
      const { error, record } = await judge(
        acting((id, seen, note) => void (seen === 1 && note(`about ${id}`))),
        how,
      );
      expect(error).toBeUndefined();
      expect(record.judged).toBe(1);
    });

    it('is a finding when it is done again, and the request is the evidence', async () => {
      const { error, record } = await judge(
        acting((id, _, note) => void note(`about ${id}`)),
        { ...how, observed: false },
      );
      expect(error).toBeInstanceOf(FindingError);
      expect((error as FindingError).message).toContain('the same request twice: POST /v1/notes');
      expect(record.evidence.at(-1)).toMatchObject({ kind: 'api', label: 'addNote' });
    });

    it('is right when it is sent again with the key of the first time', async () => {
      const { error } = await judge(
        acting((id, _, note) => void note(`about ${id}`, id)),
        how,
      );
      expect(error).toBeUndefined();
    });

    it('may be the same request more than once, if it is so for every delivery', async () => {
      const { error } = await judge(
        acting((id, seen, note) => {
          if (seen > 1) return;
          void note('a delivery came').then(() => note('a delivery came'));
        }),
        how,
      );
      expect(error).toBeUndefined();
    });
  },
);
