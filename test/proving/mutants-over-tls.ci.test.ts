import { beforeAll, describe, expect, it } from 'vitest';
import { mutants } from '../mutants/every-mutant.ts';
import { proofEndpoints } from './proof-endpoints.ts';
import type { ProofResult } from './prove.ts';
import { proveTwice } from './prove-twice.ts';
import { isSentTo } from './run-proof.ts';

/** Milliseconds for all mutants, on a machine that is busy with other things. */
const allMutantsMs = 1_200_000;

/** One fault for each requirement shows that its checks work over TLS; `npm run proof -- --tls` runs everything over TLS. */
const overTls = mutants
  .filter(({ name }) => isSentTo(proofEndpoints.get(name)))
  .filter(({ breaks }, at, all) => all.findIndex((other) => other.breaks === breaks) === at);

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
});
