/**
 * `node test/proving/contracts-proof.ts [--only NAME,…] [--surface NAME] [--variants] [--write]`: verifies the
 * contracts against every endpoint of the proof that has one and prints the results. `--only` selects by parts of
 * names; `--surface` omits endpoints of other surfaces, `--variants` the mutants; `--write` stores the caught faults of
 * these endpoints and updates the tables of docs/contracts.md.
 */
import { parseArgs } from 'node:util';
import { contractEndpoints, writeContractKills } from './contract-kills.ts';
import { proofEndpoints } from './proof-endpoints.ts';
import type { ContractProof } from './prove-contracts.ts';
import { runContractsProof } from './run-contracts-proof.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    surface: { type: 'string' },
    variants: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const wanted = values.only?.split(',');
const names = contractEndpoints()
  .filter(({ breaks }) => !values.variants || breaks === undefined)
  .filter(({ surfaces }) => values.surface === undefined || surfaces.some((surface) => surface === values.surface))
  .map(({ name }) => name)
  .filter((name) => wanted === undefined || wanted.some((part) => name.includes(part)));
const from = performance.now();
const results = await runContractsProof(names, (result) => console.log(line(result)));
const accused = results.filter((result) => !isMutant(result) && result.failed.length + result.blocked.length > 0);
const planted = results.filter(isMutant);
console.log(
  `${planted.length} faults planted, contracts caught ${planted.filter(({ failed }) => failed.length > 0).length}; ` +
    `${accused.length} of ${results.length - planted.length} right endpoints wrongly accused; ` +
    `${Math.round((performance.now() - from) / 1000)} s`,
);
if (values.write) await writeContractKills(results);
process.exitCode = accused.length > 0 ? 1 : 0;

function isMutant({ name }: ContractProof): boolean {
  return proofEndpoints.get(name)?.breaks !== undefined;
}

function line(result: ContractProof): string {
  const { name, failed, blocked, messages, checks, passes, ms } = result;
  const sign = isMutant(result) ? (failed.length > 0 ? '✗' : ' ') : failed.length + blocked.length > 0 ? 'NO' : 'ok';
  const lines = isMutant(result) ? messages.slice(0, 1) : [...messages, ...blocked];
  return [
    `${sign} ${name} (${failed.length} failed; ${passes}/${checks} pass, ${ms} ms)`,
    ...lines.map((one) => `   ${one}`),
  ].join('\n');
}
