import type { Command } from 'commander';
import { addPactCompare } from './pact-compare.ts';
import { addPactGenerate } from './pact-generate.ts';
import { addPactVerify } from './pact-verify.ts';

/** `svc-conform pact`: generates, verifies and compares Pact contracts. */
export function addPact(program: Command): void {
  const pact = program.command('pact').description('generate, verify or compare Pact contracts of the interface');
  addPactGenerate(pact);
  addPactVerify(pact);
  addPactCompare(pact);
}
