import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { EndpointExits } from '../../harness/start/endpoint-exits.ts';
import { ExitRecord, type Exit } from '../../harness/start/exit-record.ts';
import { onlyInstance } from '../../harness/start/instance-role.ts';
import { Restarts, type Life } from '../../harness/start/restarts.ts';

/** A life of a process that `end` ends. It listens at once, or never. */
function life(isListening: boolean): Life & { end: (exit: Exit) => void } {
  const ended = Promise.withResolvers<Exit>();
  const listens = async (signal: AbortSignal) => {
    if (!isListening) await delay(60_000, undefined, { signal });
  };
  return { ended: ended.promise, listens, end: ended.resolve };
}

/** Lives that are started in turn. */
function restartsOf(isListening: (nth: number) => boolean, role = onlyInstance()) {
  const lives: ReturnType<typeof life>[] = [];
  const stop = new AbortController();
  const start = () => {
    const next = life(isListening(lives.length));
    lives.push(next);
    return next;
  };
  const restarts = new Restarts(start, stop.signal, role);
  const first = start();
  const over = restarts.follow(first);
  return { lives, restarts, stop, over };
}

const started = async (lives: readonly unknown[], count: number) =>
  await vi.waitFor(() => expect(lives).toHaveLength(count), { timeout: 5_000 });

describe('an endpoint that ends', () => {
  it('is started again each time, and its latest end is known', async () => {
    const { lives, restarts, stop, over } = restartsOf(() => true);
    expect(restarts.latest).toBeUndefined();
    lives[0]?.end({ code: 1 });
    await started(lives, 2);
    lives[1]?.end({ signal: 'SIGSEGV' });
    await started(lives, 3);
    expect(restarts.latest).toEqual({ exits: 2, signal: 'SIGSEGV' });
    expect(restarts.isDown).toBe(false);
    stop.abort();
    lives[2]?.end({ code: 0 });
    await over;
    expect(restarts.latest?.exits).toBe(2);
  });

  it('is given up when it ends five times in a row before it listens', async () => {
    const { lives, restarts, over } = restartsOf((nth) => nth === 0 || nth === 2);
    for (let nth = 0; nth < 8; nth++) {
      await started(lives, nth + 1);
      // A start counts once it is known to listen.
      await delay(20);
      lives[nth]?.end({ code: 7 });
    }
    await over;
    expect(restarts.isDown).toBe(true);
    expect(lives).toHaveLength(8);
    expect(restarts.latest).toEqual({ exits: 8, exitCode: 7 });
  });

  it('is not counted where it was killed on purpose', async () => {
    const { lives, restarts, stop } = restartsOf(() => true);
    restarts.expectKill(true);
    lives[0]?.end({ signal: 'SIGKILL' });
    await started(lives, 2);
    expect(restarts.latest).toBeUndefined();
    stop.abort();
  });

  it('is reported to those that send to it', async () => {
    using exits = new EndpointExits();
    const { lives, stop } = restartsOf((nth) => nth !== 1);
    lives[0]?.end({ code: 1 });
    expect(await exits.hasEndedSince(0, { withinMs: 10_000 })).toBe(true);
    expect([exits.count, exits.isDown]).toEqual([1, true]);
    expect(await exits.hasEndedSince(1, { withinMs: 20 })).toBe(false);
    await started(lives, 2);
    // Nothing was sent to a life that never listened.
    lives[1]?.end({ code: 1 });
    await vi.waitFor(() => expect([exits.count, exits.isDown]).toEqual([1, false]), { timeout: 10_000 });
    stop.abort();
  });

  it('is down only while none of its instances listens, and each exit counts', async () => {
    using reported = new EndpointExits();
    const exits = new ExitRecord();
    const listening: string[] = [];
    const [a, b] = [0, 1].map((index) =>
      restartsOf((nth) => nth === 0, {
        index,
        of: 2,
        exits,
        onListening: (isListening) => listening.push(`${index} ${isListening}`),
      }),
    );
    a?.lives[0]?.end({ code: 1 });
    expect(await reported.hasEndedSince(0, { withinMs: 10_000 })).toBe(true);
    expect(reported.isDown).toBe(false);
    b?.lives[0]?.end({ signal: 'SIGKILL' });
    expect(await reported.hasEndedSince(1, { withinMs: 10_000 })).toBe(true);
    expect(reported.isDown).toBe(true);
    expect(b?.restarts.latest).toEqual({ exits: 2, signal: 'SIGKILL' });
    expect(listening).toEqual(['0 true', '1 true', '0 false', '1 false']);
    a?.stop.abort();
    b?.stop.abort();
  });
});
