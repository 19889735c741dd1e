import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { mutants } from '../mutants/every-mutant.ts';
import { proofEndpoints } from './proof-endpoints.ts';
import { seedOf, type ProofResult } from './prove.ts';
import { proveTwice } from './prove-twice.ts';
import { isSentTo, runProof } from './run-proof.ts';

/** Milliseconds for all mutants on a busy machine. */
const allMutantsMs = 1_200_000;

/** One requirement in this many is proved over TLS; `npm run proof -- --tls` proves all of them. */
const oneOf = 3;

/** One fault for each of these requirements. */
const overTls = mutants
  .filter(({ name }) => isSentTo(proofEndpoints.get(name)))
  .filter(({ breaks }, at, all) => all.findIndex((other) => other.breaks === breaks) === at)
  .filter(({ breaks }) => seedOf(breaks) % oneOf === 0);

/** Few at once: a busy machine changes verdicts. */
const few = { processes: 1, lanes: 3 };

const failing = (result: ProofResult | undefined) =>
  new Set(result?.complaints.map(({ requirement, verdict }) => `${verdict} ${requirement}`));

describe('the proof over TLS', () => {
  let results: ReadonlyMap<string, ProofResult>;
  /** Mutants with further verdicts over TLS: all run again over both transports, with few others at the same time. */
  const again = { plain: new Map<string, ProofResult>(), tls: new Map<string, ProofResult>() };

  beforeAll(async () => {
    results = await proveTwice(
      overTls.map(({ name }) => name),
      'tls',
    );
    const differing = overTls.filter(
      ({ name, breaks }) => !isDeepStrictEqual(failing(results.get(name)), new Set([`fail ${breaks}`])),
    );
    const names = differing.map(({ name }) => name);
    for (const transport of ['plain', 'tls'] as const) {
      for (const result of await runProof(names, 'broken', transport, () => undefined, few))
        again[transport].set(result.name, result);
    }
  }, allMutantsMs);

  it.each(overTls.map(({ name, breaks }) => [name, breaks] as const))('catches %s by %s', (name) => {
    expect(results.get(name)?.caught).toBe(true);
  });

  // The proof over plain connections shows this failure, too; any other verdict is compared, in the end alone.
  it.each(overTls.map(({ name, breaks }) => [name, breaks] as const))(
    'has the same verdicts for %s as over plain connections',
    { timeout: 240_000 },
    async (name, breaks) => {
      const plain = again.plain.get(name);
      const expected = plain ? failing(plain) : new Set([`fail ${breaks}`]);
      if (isDeepStrictEqual(failing(again.tls.get(name) ?? results.get(name)), expected)) return;
      const [alone] = await runProof([name], 'broken', 'plain');
      const [aloneOverTls] = await runProof([name], 'broken', 'tls');
      expect(failing(aloneOverTls)).toEqual(failing(alone));
    },
  );
});
