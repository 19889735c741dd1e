import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { requirements } from '../specs/requirements/catalogue.ts';
import type { Requirement } from '../specs/requirements/requirement.ts';
import { mutants } from './mutants/every-mutant.ts';
import { exercisedElsewhere } from './proving/exercised-elsewhere.ts';
import { correctEndpoints, readPassedChecks } from './proving/passed-checks.ts';
import { proofEndpoints } from './proving/proof-endpoints.ts';
import { seedOf, type ProofResult } from './proving/prove.ts';
import { proveTwice } from './proving/prove-twice.ts';
import { isSentTo, runProof, type Transport } from './proving/run-proof.ts';
import { variants } from './variants/every-variant.ts';
import { transportVariants } from './variants/transport.ts';

/** Milliseconds for the whole proof on a busy machine. */
const wholeProofMs = 2_400_000;
const transports = ['plain', 'tls'] as const;

const both = new Set([...correctEndpoints, ...transportVariants.map(({ name }) => name)]);
/** Of how many variants whose transport does not matter one runs over TLS: handshakes take much processor time. */
const overTlsOneOf = 8;
/** Few variants are unusual because of their transport. Each of the others runs over one transport. */
const transportsOf = (name: string): readonly Transport[] => {
  if (!isSentTo(proofEndpoints.get(name))) return ['plain'];
  if (both.has(name)) return transports;
  return seedOf(name) % overTlsOneOf === 0 ? ['tls'] : ['plain'];
};
const variantsOver = (transport: Transport) =>
  variants.map(({ name }) => name).filter((name) => transportsOf(name).includes(transport));
const overTls = variantsOver('tls');
const overPlain = variantsOver('plain');
const overBoth = overTls.filter((name) => overPlain.includes(name));

// Only `npm run proof`, which runs all checks against each mutant, shows whether a fault also fails other requirements.
describe('the proof', () => {
  let results: Record<Transport, Map<string, ProofResult>>;
  const failing = (transport: Transport, name: string) =>
    new Set(results[transport].get(name)?.complaints.map(({ requirement, verdict }) => `${verdict} ${requirement}`));
  const runAgain = async (transport: Transport, name: string) => {
    for (const result of await runProof([name], 'broken', transport)) results[transport].set(name, result);
  };

  beforeAll(async () => {
    const [plain, tls] = await Promise.all([
      proveTwice([...mutants.map(({ name }) => name), ...overPlain], 'plain'),
      proveTwice(overTls, 'tls'),
    ]);
    results = { plain, tls };
  }, wholeProofMs);

  describe.each([
    ['plain', overPlain],
    ['tls', overTls],
  ] as const)('over %s connections', (transport, names) => {
    it.each(names)('finds no fault in %s', (name) => {
      expect(results[transport].get(name)?.accusations).toEqual([]);
      expect(results[transport].get(name)?.passed.length).toBeGreaterThan(0);
    });
  });

  it.each(mutants.map(({ name, breaks }) => [name, breaks] as const))('catches %s by %s', (name) => {
    // Earlier checks determine which check detects the fault first.
    expect(results.plain.get(name)?.caught).toBe(true);
  });

  it('passes every requirement for at least one variant', () => {
    const passed = new Set(
      variants
        .flatMap(({ name }) => transports.flatMap((transport) => results[transport].get(name)?.passed ?? []))
        .map((id) => id.split('#')[0]),
    );
    const observable = Object.entries(requirements as Record<string, Requirement>)
      .filter(([id, { unobservable }]) => unobservable === undefined && !(id in exercisedElsewhere))
      .map(([id]) => id);
    expect(observable.filter((id) => !passed.has(id))).toEqual([]);
  });

  // Otherwise a check that no longer judges anything would stay undetected: others may catch its mutants.
  it.each(correctEndpoints)('passes every check for %s that passed before', { timeout: 240_000 }, async (name) => {
    const { [name]: expected = [] } = await readPassedChecks();
    expect(expected.length).toBeGreaterThan(0);
    const missing = (of: readonly string[]) => of.filter((id) => results.plain.get(name)?.passed.includes(id) !== true);
    const missingAtFirst = missing(expected);
    if (missingAtFirst.length > 0) await runAgain('plain', name);
    expect(missing(missingAtFirst)).toEqual([]);
  });

  // A check that was blocked by a stall of this machine in one of the two runs says nothing about TLS: both are run again.
  it.each(overBoth)(
    'has the same verdicts for %s over TLS as over plain connections',
    { timeout: 240_000 },
    async (name) => {
      if (isDeepStrictEqual(failing('tls', name), failing('plain', name))) return;
      for (const transport of transports) await runAgain(transport, name);
      expect(failing('tls', name)).toEqual(failing('plain', name));
    },
  );
});
