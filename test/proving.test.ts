import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { requirements } from '../specs/requirements/catalogue.ts';
import type { Requirement } from '../specs/requirements/requirement.ts';
import { mutants } from './mutants/every-mutant.ts';
import { exercisedElsewhere } from './proving/exercised-elsewhere.ts';
import { correctEndpoints, readPassedChecks } from './proving/passed-checks.ts';
import { proofEndpoints, type ProofEndpoint } from './proving/proof-endpoints.ts';
import { seedOf, type ProofResult } from './proving/prove.ts';
import { runProof, type Transport } from './proving/run-proof.ts';
import { variants } from './variants/every-variant.ts';
import { transportVariants } from './variants/transport.ts';

/** Milliseconds for the whole proof, over both transports, on a machine that is busy with other things. */
const wholeProofMs = 2_400_000;
const transports = ['plain', 'tls'] as const;

/** Links are read from a file, and a client connects to us: the endpoint's transport is not a part of either. */
const isSentTo = ({ surfaces }: { surfaces: readonly string[] }) =>
  surfaces.some((surface) => surface !== 'api-client' && surface !== 'deep-links');

const isVariant = ({ breaks }: ProofEndpoint) => breaks === undefined;
const both = new Set([...correctEndpoints, ...transportVariants.map(({ name }) => name)]);
/** Few variants are unusual because of their transport: of the others, each runs over one, half of them over TLS. */
const runsOver = (transport: Transport, name: string) =>
  both.has(name) || (seedOf(name) % 2 === 0 ? 'plain' : 'tls') === transport;

const endpoints = [...proofEndpoints.values()];
/** One fault for each requirement shows that its checks work over TLS; `npm run proof -- --tls` runs everything over TLS. */
const overTls = endpoints
  .filter(isSentTo)
  .filter((one, at, all) =>
    isVariant(one) ? runsOver('tls', one.name) : all.findIndex(({ breaks }) => breaks === one.breaks) === at,
  )
  .map(({ name }) => name);
const overPlain = endpoints
  .filter((one) => !isVariant(one) || !isSentTo(one) || runsOver('plain', one.name))
  .map(({ name }) => name);
const namesOf = { plain: overPlain, tls: overTls } as const;
const overBoth = overTls.filter((name) => overPlain.includes(name));

// Whether a fault also fails what it does not break is left to `npm run proof`, which runs all checks against each mutant.
describe('the proof', () => {
  const results = { plain: new Map<string, ProofResult>(), tls: new Map<string, ProofResult>() };
  const failing = (transport: Transport, name: string) =>
    new Set(results[transport].get(name)?.complaints.map(({ requirement, verdict }) => `${verdict} ${requirement}`));
  const run = async (transport: Transport, names: readonly string[]) => {
    for (const result of await runProof(names, 'broken', transport)) results[transport].set(result.name, result);
  };
  const isUndecided = (transport: Transport) => (name: string) => {
    const { caught = false, accusations = [] } = results[transport].get(name) ?? {};
    if (proofEndpoints.get(name)?.breaks !== undefined) return !caught;
    return accusations.length > 0;
  };

  beforeAll(async () => {
    await Promise.all(transports.map((transport) => run(transport, namesOf[transport])));
    // A machine that is busy with hundreds of endpoints makes one of them late, blocks a check, or excuses a fault that
    // lasts no longer: these are run again with fewer others.
    for (const transport of transports) await run(transport, namesOf[transport].filter(isUndecided(transport)));
  }, wholeProofMs);

  describe.each(transports)('over %s connections', (transport) => {
    const names = new Set(namesOf[transport]);
    const isRun = ({ name }: { name: string }) => names.has(name);

    it.each(variants.filter(isRun).map(({ name }) => name))('holds nothing against %s', (name) => {
      expect(results[transport].get(name)?.accusations).toEqual([]);
      expect(results[transport].get(name)?.passed.length).toBeGreaterThan(0);
    });

    it.each(mutants.filter(isRun).map(({ name, breaks }) => [name, breaks] as const))('catches %s by %s', (name) => {
      // Which of the checks meets the fault first depends on what ran before it.
      expect(results[transport].get(name)?.caught).toBe(true);
    });
  });

  it('sees every requirement pass for a variant', () => {
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

  // Otherwise a check that has come to judge nothing would go unnoticed: others may catch its mutants.
  it.each(correctEndpoints)('sees every check pass for %s that passed before', { timeout: 240_000 }, async (name) => {
    const { [name]: expected = [] } = await readPassedChecks();
    expect(expected.length).toBeGreaterThan(0);
    const missing = (of: readonly string[]) => of.filter((id) => results.plain.get(name)?.passed.includes(id) !== true);
    const missingAtFirst = missing(expected);
    if (missingAtFirst.length > 0) await run('plain', [name]);
    expect(missing(missingAtFirst)).toEqual([]);
  });

  // A check that was blocked by a stall of this machine in one of the two runs says nothing about TLS: both are run again.
  it.each(overBoth)(
    'has the same verdicts for %s over TLS as over plain connections',
    { timeout: 240_000 },
    async (name) => {
      if (isDeepStrictEqual(failing('tls', name), failing('plain', name))) return;
      for (const transport of transports) await run(transport, [name]);
      expect(failing('tls', name)).toEqual(failing('plain', name));
    },
  );
});
