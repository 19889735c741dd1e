import { describe, expect, it } from 'vitest';
import { searchEdge, type EdgeSearch } from '../../load/search-edge.ts';
import type { LoadStep } from '../../specs/generated/types.ts';

/** Searches the edge of an endpoint that meets its deadline up to this load. */
async function search(capacity: number, over: Partial<EdgeSearch> = {}) {
  const loads: number[] = [];
  const edge = await searchEdge({
    first: 1,
    most: 100,
    round: (load) => Number(load.toPrecision(2)),
    measure: (load) => {
      loads.push(load);
      return Promise.resolve<LoadStep['outcome']>(load <= capacity ? 'met' : 'missed');
    },
    recover: () => Promise.resolve<LoadStep['outcome']>('met'),
    isOver: () => false,
    ...over,
  });
  return { ...edge, loads };
}

describe('the search of the edge', () => {
  it('doubles the load, then narrows the interval to a fifth', async () => {
    const { loads, meets, misses, ended } = await search(37);
    expect(loads.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect(ended).toBe('edge');
    expect(meets).toBeLessThanOrEqual(37);
    expect(misses).toBeGreaterThan(37);
    expect(Number(misses) / Number(meets)).toBeLessThanOrEqual(1.2);
  });

  it('ends with neighbouring whole calls', async () => {
    expect(await search(3, { round: Math.round })).toMatchObject({ meets: 3, misses: 4, ended: 'edge' });
  });

  it('ends at the maximum, and at the first load if that is missed', async () => {
    expect(await search(1_000)).toMatchObject({ meets: 100, misses: null, ended: 'maximum-load' });
    expect(await search(0)).toMatchObject({ meets: null, misses: 1, ended: 'first-load', loads: [1] });
  });

  it('repeats a step of a slow machine once, and ends if it is slow again', async () => {
    const outcomes: LoadStep['outcome'][] = ['own-lag', 'met', 'own-lag', 'own-lag'];
    const edge = await search(0, { measure: () => Promise.resolve(outcomes.shift() ?? 'met') });
    expect(edge).toMatchObject({ meets: 1, misses: null, ended: 'own-lag' });
    expect(outcomes).toEqual([]);
  });

  it('ends when the endpoint does not recover, at a limit of the config, and at the maximum time', async () => {
    const after = async (outcome: LoadStep['outcome']) =>
      (await search(5, { recover: () => Promise.resolve(outcome) })).ended;
    expect(await after('missed')).toBe('not-recovered');
    // Nothing is known about the endpoint.
    expect(await after('limit')).toBe('limit');
    expect(await after('own-lag')).toBe('own-lag');
    expect(await search(5, { measure: () => Promise.resolve('limit') })).toMatchObject({ ended: 'limit' });
    let steps = 0;
    expect(await search(50, { isOver: () => steps++ >= 3 })).toMatchObject({ meets: 4, ended: 'maximum-time' });
  });
});
