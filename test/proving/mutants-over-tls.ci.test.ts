import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { mutants } from '../mutants/every-mutant.ts';
import { proofEndpoints } from './proof-endpoints.ts';
import type { ProofResult } from './prove.ts';
import { proveTwice } from './prove-twice.ts';
import { isSentTo, runProof } from './run-proof.ts';

/** Milliseconds for all mutants on a busy machine. */
const allMutantsMs = 1_200_000;

/** One fault for each requirement shows that its checks work over TLS; `npm run proof -- --tls` runs everything over TLS. */
const overTls = mutants
  .filter(({ name }) => isSentTo(proofEndpoints.get(name)))
  .filter(({ breaks }, at, all) => all.findIndex((other) => other.breaks === breaks) === at);

const failing = (result: ProofResult | undefined) =>
  new Set(result?.complaints.map(({ requirement, verdict }) => `${verdict} ${requirement}`));

describe('the proof over TLS', () => {
  let results: ReadonlyMap<string, ProofResult>;

  beforeAll(async () => {
    results = await proveTwice(
      overTls.map(({ name }) => name),
      'tls',
    );
  }, allMutantsMs);

  it.each(overTls.map(({ name, breaks }) => [name, breaks] as const))('catches %s by %s', (name) => {
    expect(results.get(name)?.caught).toBe(true);
  });

  it.each(overTls.map(({ name, breaks }) => [name, breaks] as const))(
    'has the same verdicts for %s as over plain connections',
    { timeout: 240_000 },
    async (name, breaks) => {
      // The proof over plain connections shows this failure, too; any other verdict is compared.
      if (isDeepStrictEqual(failing(results.get(name)), new Set([`fail ${breaks}`]))) return;
      const [plain] = await runProof([name], 'broken', 'plain');
      const [tls] = await runProof([name], 'broken', 'tls');
      expect(failing(tls)).toEqual(failing(plain));
    },
  );
});
