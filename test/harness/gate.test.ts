import { describe, expect, it } from 'vitest';
import { TrafficGate, sharedLanes } from '../../harness/wire/traffic-gate.ts';

/** Waits enough turns for every promise that can settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((wake) => setImmediate(wake));
}

/** Requests a place and records in `log` when it is granted. */
function note(log: string[], name: string, place: Promise<Disposable>): Promise<Disposable> {
  return place.then((lane) => {
    log.push(name);
    return lane;
  });
}

const fill = (gate: TrafficGate, count: number) => Promise.all(Array.from({ length: count }, () => gate.shared()));

describe('a gate', () => {
  it('admits as many exchanges as it has lanes, and the next one when a lane is returned', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const [first] = await fill(gate, sharedLanes);
    void note(log, 'late', gate.shared());
    await settle();
    expect(log).toEqual([]);
    first?.[Symbol.dispose]();
    await settle();
    expect(log).toEqual(['late']);
  });

  it('gives exclusive access when all others have ended', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const lanes = await fill(gate, 3);
    void note(log, 'alone', gate.alone());
    lanes[0]?.[Symbol.dispose]();
    lanes[1]?.[Symbol.dispose]();
    await settle();
    expect(log).toEqual([]);
    lanes[2]?.[Symbol.dispose]();
    await settle();
    expect(log).toEqual(['alone']);
  });

  it('admits no more exchanges with one address than it may have, and those with others meanwhile', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const at = (address: string, most = 2) => ({ place: 'one', address, most: () => most });
    const [first] = await Promise.all([gate.shared(0.5, at('slow')), gate.shared(0.5, at('slow'))]);
    void note(log, 'third', gate.shared(0.5, at('slow')));
    void note(log, 'other', gate.shared(0.5, at('other')));
    await settle();
    expect(log).toEqual(['other']);
    first[Symbol.dispose]();
    await settle();
    expect(log).toEqual(['other', 'third']);
  });

  it('admits first what needs all lanes, then what needs an address to itself, then what goes first', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const everything = await gate.alone();
    const wanted = [
      ['usual', gate.shared()],
      ['first', gate.shared(1, { isFirst: true })],
      ['address', gate.aloneAt(1, { address: 'calls' })],
      ['refused', gate.shared(sharedLanes, { isFirst: true })],
      ['alone', gate.alone()],
    ] as const;
    for (const [name, lanes] of wanted) void note(log, name, lanes).then((held) => held[Symbol.dispose]());
    everything[Symbol.dispose]();
    await settle();
    expect(log).toEqual(['refused', 'alone', 'address', 'first', 'usual']);
  });

  it('stops waiting for exclusive access when that is given up, and admits those behind', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const [lane] = await fill(gate, 1);
    const abort = new AbortController();
    const alone = gate.alone({ signal: abort.signal });
    void note(log, 'behind', gate.shared());
    await settle();
    expect(log).toEqual([]);
    abort.abort();
    await expect(alone).rejects.toThrow('aborted');
    await settle();
    expect(log).toEqual(['behind']);
    lane?.[Symbol.dispose]();
  });

  it('gives exclusive access while others only wait, if that is tolerated', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const [waiting] = await fill(gate, 1);
    waiting?.rest();
    void note(log, 'tolerates', gate.alone({ toleratesWaiting: true })).then((lanes) => lanes[Symbol.dispose]());
    void note(log, 'alone', gate.alone());
    await settle();
    expect(log).toEqual(['tolerates']);
    waiting?.[Symbol.dispose]();
    await settle();
    expect(log).toEqual(['tolerates', 'alone']);
  });

  it('admits others while an exchange that only waits is in the way of exclusive access', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const [waiting] = await fill(gate, 1);
    waiting?.rest();
    void note(log, 'alone', gate.alone());
    const shared = note(log, 'shared', gate.shared());
    await settle();
    expect(log).toEqual(['shared']);
    waiting?.[Symbol.dispose]();
    void note(log, 'behind', gate.shared());
    await settle();
    expect(log).toEqual(['shared']);
    (await shared)[Symbol.dispose]();
    await settle();
    expect(log).toEqual(['shared', 'alone']);
  });

  it('admits no other lane while one has exclusive access', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const alone = await gate.alone();
    void note(log, 'shared', gate.shared());
    await settle();
    expect(log).toEqual([]);
    alone[Symbol.dispose]();
    await settle();
    expect(log).toEqual(['shared']);
  });

  it('admits exclusive exchanges, and those after which a check waits for long, before others in their order', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const alone = await gate.alone();
    const take = (name: string, isFirst: boolean) =>
      void note(log, name, gate.shared(sharedLanes, { isFirst })).then((lanes) => lanes[Symbol.dispose]());
    take('usual', false);
    void note(log, 'alone', gate.alone()).then((lanes) => lanes[Symbol.dispose]());
    take('first', true);
    take('second', true);
    alone[Symbol.dispose]();
    await settle();
    expect(log).toEqual(['alone', 'first', 'second', 'usual']);
  });

  it('lets no exchange overtake one that waits for exclusive access, and exclusive ones overtake all others', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const first = await gate.shared();
    const alone = note(log, 'alone', gate.alone());
    const shared = note(log, 'shared', gate.shared());
    const aloneAgain = note(log, 'alone again', gate.alone());
    await settle();
    expect(log).toEqual([]);
    first[Symbol.dispose]();
    (await alone)[Symbol.dispose]();
    (await aloneAgain)[Symbol.dispose]();
    await shared;
    expect(log).toEqual(['alone', 'alone again', 'shared']);
  });

  it('counts a lane that is returned twice once', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const [first] = await fill(gate, sharedLanes);
    first?.[Symbol.dispose]();
    first?.[Symbol.dispose]();
    void note(log, 'one', gate.shared());
    void note(log, 'two', gate.shared());
    await settle();
    expect(log).toEqual(['one']);
  });

  it('admits others while an exchange only waits, but none that needs exclusive access', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const silent = await gate.shared(sharedLanes);
    const shared = note(log, 'shared', gate.shared(sharedLanes));
    await settle();
    expect(log).toEqual([]);
    silent.rest();
    silent.rest();
    (await shared)[Symbol.dispose]();
    void note(log, 'alone', gate.alone());
    await settle();
    expect(log).toEqual(['shared']);
    silent[Symbol.dispose]();
    silent[Symbol.dispose]();
    await settle();
    expect(log).toEqual(['shared', 'alone']);
  });

  it('gives each host and port its lanes, and what needs all of them the lanes of the others too', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const calls = await gate.shared(sharedLanes - 1, { place: 'calls' });
    void note(log, 'second call', gate.shared(2, { place: 'calls' }));
    const message = note(log, 'message', gate.shared(1, { place: 'messages' }));
    void note(log, 'whole', gate.shared(sharedLanes, { place: 'messages' }));
    void note(log, 'later message', gate.shared(1, { place: 'messages' }));
    await settle();
    expect(log).toEqual(['message']);
    (await message)[Symbol.dispose]();
    await settle();
    expect(log).toEqual(['message']);
    calls[Symbol.dispose]();
    await settle();
    expect(log).toEqual(['message', 'second call']);
  });

  it('admits nothing anywhere while one has exclusive access', async () => {
    const gate = new TrafficGate();
    const log: string[] = [];
    const alone = await gate.alone();
    for (const place of ['calls', 'messages']) void note(log, place, gate.shared(1, { place }));
    await settle();
    expect(log).toEqual([]);
    alone[Symbol.dispose]();
    await settle();
    expect(log).toEqual(['calls', 'messages']);
  });

  describe('for one address', () => {
    const at = (address: string) => ({ address });

    it('gives exclusive access when all exchanges with it have ended, while others have traffic', async () => {
      const gate = new TrafficGate();
      const log: string[] = [];
      const call = await gate.shared(1, at('calls'));
      const alone = note(log, 'alone', gate.aloneAt(1, at('calls')));
      void note(log, 'call behind', gate.shared(1, at('calls')));
      void note(log, 'message', gate.shared(1, at('messages')));
      await settle();
      expect(log).toEqual(['message']);
      call[Symbol.dispose]();
      await settle();
      expect(log).toEqual(['message', 'alone']);
      void note(log, 'another message', gate.shared(1, at('messages')));
      await settle();
      expect(log).toEqual(['message', 'alone', 'another message']);
      (await alone)[Symbol.dispose]();
      await settle();
      expect(log.slice(3)).toEqual(['call behind']);
    });

    it('gives it to one at a time, and to several addresses at once', async () => {
      const gate = new TrafficGate();
      const log: string[] = [];
      const first = note(log, 'first', gate.aloneAt(1, at('calls')));
      void note(log, 'second', gate.aloneAt(1, at('calls')));
      void note(log, 'of messages', gate.aloneAt(1, at('messages')));
      await settle();
      expect(log).toEqual(['first', 'of messages']);
      (await first)[Symbol.dispose]();
      await settle();
      expect(log).toEqual(['first', 'of messages', 'second']);
    });

    it('waits for exchanges with it that only wait, and keeps no other one from being admitted meanwhile', async () => {
      const gate = new TrafficGate();
      const log: string[] = [];
      const silent = await gate.shared(1, at('calls'));
      silent.rest();
      void note(log, 'alone', gate.aloneAt(1, at('calls')));
      const call = note(log, 'call', gate.shared(1, at('calls')));
      await settle();
      expect(log).toEqual(['call']);
      (await call)[Symbol.dispose]();
      silent[Symbol.dispose]();
      await settle();
      expect(log).toEqual(['call', 'alone']);
    });

    it('waits for lanes, of which it takes two at least, and returns them', async () => {
      const gate = new TrafficGate();
      const log: string[] = [];
      const message = await gate.shared(sharedLanes - 1, at('messages'));
      const alone = note(log, 'alone', gate.aloneAt(1, at('calls')));
      const call = note(log, 'call behind', gate.shared(1, at('calls')));
      await settle();
      expect(log).toEqual([]);
      message[Symbol.dispose]();
      (await alone)[Symbol.dispose]();
      void note(log, 'whole', gate.shared(sharedLanes, at('messages')));
      (await call)[Symbol.dispose]();
      await settle();
      expect(log).toEqual(['alone', 'call behind', 'whole']);
    });

    it('is the same as exclusive access everywhere where one exchange needs all lanes', async () => {
      const gate = new TrafficGate();
      const log: string[] = [];
      const message = await gate.shared(1, at('messages'));
      const alone = note(log, 'alone', gate.aloneAt(sharedLanes, at('calls')));
      void note(log, 'another message', gate.shared(1, at('messages')));
      await settle();
      expect(log).toEqual([]);
      message[Symbol.dispose]();
      await settle();
      expect(log).toEqual(['alone']);
      (await alone)[Symbol.dispose]();
      await settle();
      expect(log).toEqual(['alone', 'another message']);
    });

    it('waits while one has exclusive access everywhere, which waits for it too', async () => {
      const gate = new TrafficGate();
      const log: string[] = [];
      const everywhere = await gate.alone();
      const alone = note(log, 'alone', gate.aloneAt(1, at('calls')));
      await settle();
      expect(log).toEqual([]);
      everywhere[Symbol.dispose]();
      void note(log, 'everywhere', gate.alone());
      await settle();
      expect(log).toEqual(['alone']);
      (await alone)[Symbol.dispose]();
      await settle();
      expect(log).toEqual(['alone', 'everywhere']);
    });

    it('passes one that waits for all lanes a few times only', async () => {
      const gate = new TrafficGate();
      const log: string[] = [];
      let reserved = await gate.aloneAt(1, at('0'));
      void note(log, 'everywhere', gate.alone());
      for (let nth = 1; nth <= 6 && !log.includes('everywhere'); nth++) {
        const later = gate.aloneAt(1, at(String(nth)));
        void note(log, `later ${nth}`, later);
        await settle();
        reserved[Symbol.dispose]();
        await settle();
        if (!log.includes('everywhere')) reserved = await later;
      }
      expect(log).toEqual(['later 1', 'later 2', 'later 3', 'later 4', 'everywhere']);
    });
  });
});
