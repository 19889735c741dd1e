import { describe, expect, it } from 'vitest';
import { CheckRecord, recording } from '../../harness/check-record.ts';
import type { CheckKit } from '../../harness/check.ts';
import { HarnessFault, NotExercised } from '../../harness/faults.ts';
import { FindingError } from '../../harness/finding.ts';
import { Session } from '../../harness/session.ts';
import { StateProbe } from '../../harness/state-probe.ts';
import { judgeSecondEffect } from '../../suites/second-effect.ts';
import { answerText, rawServer } from './raw-server.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

interface Endpoint {
  /** Acts upon one delivery; `seen` tells how often its id came, from 1. */
  act: (id: string, seen: number) => void;
  state: () => unknown;
  status?: number;
}

/** Judges an endpoint by one delivery that comes twice. */
async function judge(
  { act, state, status = 200 }: Endpoint,
  { atOnce = false, observed = true } = {},
): Promise<{ error: unknown; record: CheckRecord }> {
  const seen = new Map<string, number>();
  await using endpoint = await rawServer((socket, { head }) => {
    if (head.startsWith('GET ')) {
      socket.write(answerText('200 OK', {}, JSON.stringify(state())));
      return;
    }
    const id = /^x-svc-delivery-id: (.+)$/im.exec(head)?.[1] ?? '';
    seen.set(id, (seen.get(id) ?? 0) + 1);
    act(id, seen.get(id) ?? 0);
    socket.write(answerText(`${status} Some`));
  });
  await using session = await Session.open(
    settingsOf(configOf({ hooks: endpoint.origin, state: `${endpoint.origin}/state` })),
  );
  const kit = {
    observe: observed ? new StateProbe(session, `${endpoint.origin}/state`) : undefined,
    notExercised: (why: string) => {
      throw new NotExercised(why);
    },
  } as CheckKit;
  const record = new CheckRecord();
  const delivery = session.hooks.sign(session.sample.apiWebhookEvent());
  const error: unknown = await recording(record, () =>
    judgeSecondEffect(kit, (which) => session.hooks.post(delivery, { label: which }), { atOnce }),
  ).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, record };
}

/** An endpoint with a list of effects; `acts` decides whether a delivery has one, and when. */
function journal(acts: (seen: number, add: () => void) => void, more: () => object = () => ({})): Endpoint {
  const entries: { id: string; title: string }[] = [];
  return {
    act: (id, seen) => acts(seen, () => entries.push({ id, title: 'Consultation' })),
    state: () => ({ ...more(), entries, count: entries.length }),
  };
}

const later = (add: () => void) => void setTimeout(add, 30);
const once = (seen: number, add: () => void) => void (seen === 1 && add());

describe.each([{ atOnce: false }, { atOnce: true }])('the same delivery twice, at once: $atOnce', (how) => {
  it.each([
    ['at once', once],
    ['a little later', (seen: number, add: () => void) => void (seen === 1 && later(add))],
  ])('with one effect %s is right', async (_, acts) => {
    const { error, record } = await judge(journal(acts), how);
    expect(error).toBeUndefined();
    expect(record.judged).toBe(1);
  });

  it.each([
    ['at once', (_: number, add: () => void) => add()],
    ['a little later', (_: number, add: () => void) => later(add)],
  ])('with a second effect %s is a finding', async (_, acts) => {
    const { error, record } = await judge(journal(acts), how);
    expect(error).toBeInstanceOf(FindingError);
    expect((error as FindingError).message).toContain('/entries');
    expect(record.evidence.at(-1)?.label).toBe('second');
  });

  it('that has no effect to be seen gives nothing to judge', async () => {
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

  it('with a state that moves by itself is a fault of the set-up, not of the endpoint', async () => {
    let reads = 0;
    const { error, record } = await judge(
      journal(once, () => ({ reads: ++reads })),
      how,
    );
    expect(error).toMatchObject({ code: 'observe-failed' });
    expect(error).toBeInstanceOf(HarnessFault);
    expect(record.judged).toBe(0);
  });
});

describe('the same delivery again later', () => {
  it('is a finding, too, when a number grows or a record is written anew', async () => {
    let count = 0;
    const { error } = await judge({ act: () => count++, state: () => ({ orders: { count } }) });
    expect((error as FindingError).message).toContain('/orders/count');
  });

  it('may change what the first one did not touch: a log of redeliveries, say', async () => {
    const entries: string[] = [];
    const redelivered: string[] = [];
    const { error } = await judge({
      act: (id, seen) => (seen === 1 ? entries : redelivered).push(id),
      state: () => ({ entries, redelivered }),
    });
    expect(error).toBeUndefined();
  });

  it('is a finding when it takes the next place of a list of fixed length', async () => {
    const slots: (string | null)[] = [null, null, null];
    const { error } = await judge({ act: (id) => void (slots[slots.indexOf(null)] = id), state: () => ({ slots }) });
    expect((error as FindingError).message).toContain('/slots/1');
  });

  it('is a finding when it comes as another item of the same list', async () => {
    const entries: object[] = [{ id: 'old' }];
    const { error } = await judge({ act: (id, seen) => entries.push({ id: `${id}-${seen}` }), state: () => entries });
    expect((error as FindingError).message).toMatch(/a change at \/(?:2|length)/);
  });
});

describe('the same delivery twice at once', () => {
  it('is right when two different items are one effect', async () => {
    const entries: string[] = [];
    const endpoint: Endpoint = {
      act: (id, seen) => void (seen === 1 && entries.push(`order ${id}`, `mail about ${id}`)),
      state: () => ({ entries }),
    };
    expect((await judge(endpoint, { atOnce: true })).error).toBeUndefined();
  });
});
