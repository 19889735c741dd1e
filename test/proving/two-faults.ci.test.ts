import { beforeAll, describe, expect, it } from 'vitest';
import { surfaces } from '../../specs/surfaces.ts';
import { mutants } from '../mutants/every-mutant.ts';
import type { ProofResult } from './prove.ts';
import { runProof } from './run-proof.ts';
import { pairCount, reasonAgainst, twoFaultEndpoints } from './two-faults.ts';

/** Milliseconds for all endpoints with two faults on a busy machine. */
const allPairsMs = 600_000;
/** Minimum number of endpoints for each surface. */
const fewestOfSurface = 6;

const endpoints = twoFaultEndpoints();

describe('the endpoints with two faults', () => {
  it(`are ${pairCount}, of every surface`, () => {
    expect(endpoints).toHaveLength(pairCount);
    for (const surface of surfaces) {
      const among = endpoints.filter((endpoint) => endpoint.surfaces.includes(surface));
      expect(among.length, surface).toBeGreaterThanOrEqual(fewestOfSurface);
    }
  });

  it('break as many different requirements as they can', () => {
    const broken = endpoints.flatMap(({ breaks, breaksToo }) => [breaks, breaksToo]);
    expect(new Set(broken).size).toBeGreaterThan(1.5 * pairCount);
  });

  it('have faults that can both be detected', () => {
    const [stopping, other] = [mutants.find(({ stopsTheRest }) => stopsTheRest !== undefined), mutants[0]];
    if (!stopping || !other) throw new Error('No such mutants.');
    expect(reasonAgainst(stopping, other)).toBe('with one, nothing else can be judged');
    expect(reasonAgainst(other, other)).toMatch(/^both break one requirement/);
  });
});

describe('of two faults at once', () => {
  const results = new Map<string, ProofResult>();
  const found = (name: string) =>
    new Set(
      results
        .get(name)
        ?.complaints.filter(({ verdict }) => verdict === 'fail')
        .map(({ requirement }) => requirement),
    );
  const isIncomplete = ({ name, breaks, breaksToo }: (typeof endpoints)[number]) =>
    [breaks, breaksToo].some((id) => id !== undefined && !found(name).has(id));
  const run = async (names: readonly string[]) => {
    for (const result of await runProof(names, 'broken', 'plain')) results.set(result.name, result);
  };

  beforeAll(async () => {
    await run(endpoints.map(({ name }) => name));
    // A busy machine may delay an endpoint until a check is blocked, so these endpoints run again with fewer others.
    await run(endpoints.filter(isIncomplete).map(({ name }) => name));
  }, allPairsMs);

  it.each(endpoints.map(({ name, breaks, breaksToo }) => [name, breaks, breaksToo]))(
    '%s: both are found',
    (name, breaks, breaksToo) => {
      expect([...found(name ?? '')]).toEqual(expect.arrayContaining([breaks, breaksToo]));
    },
  );
});
