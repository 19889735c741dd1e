import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CheckRecord, withRecord } from '../../harness/checks/check-record.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import { NotExercised } from '../../harness/checks/faults.ts';
import { judgeRefusedEffects } from '../../suites/judge-refused-effects.ts';
import { observeEffects, showsEffect } from '../../suites/observed-effects.ts';
import { answered, exchange } from './made-observations.ts';

/** An endpoint with a list of entries at `observe.url`, which may also write notes at API v1. */
function startEndpoint({ most = 1 } = {}) {
  const entries: string[] = [];
  const requests: { signature: string }[] = [];
  const session = { begun: 0, paceOf: () => ({ most }) };
  const kit = {
    session,
    settings: { config: {}, retryWatchMs: 200 },
    observe: { read: () => Promise.resolve({ entries: [...entries] }) },
    inbox: {
      apiEffects: {
        after: (at: number) => requests.slice(at),
        get count() {
          return requests.length;
        },
      },
    },
    notExercised: (why: string) => {
      throw new NotExercised(why);
    },
  } as unknown as CheckKit;
  const send = (status: number, act: () => unknown = () => undefined) => {
    session.begun++;
    act();
    return Promise.resolve(exchange(answered(status)));
  };
  const store = () => entries.push('an order');
  const write = () => requests.push({ signature: 'POST /v1/notes' });
  return { kit, send, store, write };
}

type Endpoint = ReturnType<typeof startEndpoint>;

/** Judges two refused deliveries: one without an effect, and this one. */
async function judge(
  { kit, send, store }: Endpoint,
  forged: () => ReturnType<Endpoint['send']>,
  accept: () => ReturnType<Endpoint['send']> = () => send(200, store),
) {
  const record = new CheckRecord();
  const error: unknown = await withRecord(record, async () => {
    await judgeRefusedEffects(kit, await observeEffects(kit, accept, { isPatient: true }), [
      { what: 'a delivery without a signature', send: () => send(401) },
      { what: 'a forged delivery', send: forged },
    ]);
  }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { message: error instanceof Error ? error.message : undefined, error, record };
}

describe.concurrent('refused deliveries', () => {
  it('pass without an effect, where an accepted one has one', async () => {
    const endpoint = startEndpoint();
    const { message, record } = await judge(endpoint, () => endpoint.send(401));
    expect(message).toBeUndefined();
    expect(record.judged).toBe(2);
    expect(record.note).toBe('Effects of deliveries were watched at observe.url.');
  });

  it.each([
    [1, 8],
    [16, 16],
  ])('are sent together, of an endpoint that handles %i at once %i', async (most, together) => {
    const { kit, send, store } = startEndpoint({ most });
    let [open, mostOpen] = [0, 0];
    const refuse = async () => {
      mostOpen = Math.max(mostOpen, ++open);
      await nextTurn();
      open--;
      return await send(401);
    };
    const observed = await observeEffects(kit, () => send(200, store), { isPatient: true });
    const forged = Array.from({ length: 20 }, () => ({ what: 'a forged delivery', send: refuse }));
    await withRecord(new CheckRecord(), () => judgeRefusedEffects(kit, observed, forged));
    expect(mostOpen).toBe(together);
  });

  it('fail with an effect in the state, or with a request to API v1', async () => {
    const [storing, writing] = [startEndpoint(), startEndpoint()];
    const [stored, written] = await Promise.all([
      judge(storing, () => storing.send(401, storing.store)),
      judge(writing, () => writing.send(403, writing.write)),
    ]);
    const expected = 'expected no effect of a forged delivery, which was refused, received';
    expect(stored.message).toBe(`${expected} 1 more at /entries of the state`);
    expect(written.message).toBe(`${expected} a request to API v1: POST /v1/notes`);
  });

  it('pass if an effect shows only once, as other work of the endpoint may', async () => {
    const endpoint = startEndpoint();
    let sent = 0;
    const { message } = await judge(endpoint, () => endpoint.send(401, sent++ === 0 ? endpoint.store : undefined));
    expect(message).toBeUndefined();
  });

  it('are not judged if an accepted one has no effect or was refused too, or none was refused', async () => {
    const [idle, closed, open] = [startEndpoint(), startEndpoint(), startEndpoint()];
    const outcomes = await Promise.all([
      judge(
        idle,
        () => idle.send(401, idle.store),
        () => idle.send(200),
      ),
      judge(
        closed,
        () => closed.send(401, closed.store),
        () => closed.send(401, closed.store),
      ),
      judge({ ...open, send: (_, act) => open.send(200, act) }, () => open.send(200, open.store)),
    ]);
    expect(outcomes.map(({ error }) => error instanceof NotExercised)).toEqual([true, true, true]);
    expect(outcomes.map(({ message }) => message)).toEqual([
      'Neither the state at observe.url nor API v1 shows an effect of the delivery.',
      'The delivery with the valid credentials was not accepted.',
      'None of the deliveries was refused; other checks judge that.',
    ]);
  });
});

it.each([
  ['an effect', true, 'Effects of deliveries were watched at observe.url.'],
  ['none', false, undefined],
])('a delivery with %s is noted accordingly', async (_, acts, note) => {
  const { kit, send, store } = startEndpoint();
  const record = new CheckRecord();
  expect(await withRecord(record, () => showsEffect(kit, () => send(200, acts ? store : undefined)))).toBe(acts);
  expect(record.note).toBe(note);
});
