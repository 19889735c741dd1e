import { describe, expect, it } from 'vitest';
import { contractChecks } from '../../contracts/contract-checks.ts';
import { contractSurfaces, serviceContracts } from '../../contracts/contract-files.ts';
import { mutants } from '../mutants/every-mutant.ts';
import { readContractKills, withTables } from './contract-kills.ts';
import { runContractsProof } from './run-contracts-proof.ts';

const renew = 'stale: node test/proving/contracts-proof.ts --write';

describe('the list of faults that contracts catch is fresh', () => {
  it('names existing mutants and interactions', async () => {
    const { kills } = await readContractKills();
    const checks = contractChecks(await serviceContracts(contractSurfaces)).map(({ identity }) => identity.id);
    expect(Object.keys(kills).length).toBeGreaterThan(50);
    expect(mutants.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(kills)));
    expect(checks, renew).toEqual(expect.arrayContaining([...new Set(Object.values(kills).flat())]));
  });

  it('equals the page', async () => {
    const { kills, page } = await readContractKills();
    expect(page, renew).toBe(await withTables(page, kills));
  });
});

// The whole proof takes minutes; it is run when contracts, mutants or the verification change.
describe('a sample of the proof', () => {
  it('catches the listed faults, and finds none in correct endpoints', async () => {
    const { kills } = await readContractKills();
    const faulty = ['chat-text-in-parts', 'chat-answer-as-plain-text'];
    const right = ['chat-text-alone', 'knows-nobody', 'hook-answers-with-a-body'];
    const results = await runContractsProof([...faulty, ...right]);
    for (const { name, failed, blocked, messages, passes } of results) {
      expect(failed, `${renew}\n${messages.join('\n')}`).toEqual(kills[name] ?? []);
      expect(blocked).toEqual([]);
      expect(passes).toBeGreaterThan(10);
    }
    expect(results.map(({ failed }) => failed.length > 0)).toEqual([true, true, false, false, false]);
  });
});
