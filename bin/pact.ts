import type { Command } from 'commander';
import { addPactCompare } from './pact-compare.ts';
import { addPactGenerate } from './pact-generate.ts';
import { addPactVerify } from './pact-verify.ts';

/** `svc-conform pact`: the interface as Pact contracts, both ways. */
export function addPact(program: Command): void {
  const pact = program.command('pact').description('the interface as Pact contracts: write, verify, compare');
  addPactGenerate(pact);
  addPactVerify(pact);
  addPactCompare(pact);
}
