import type { Command } from 'commander';
import { decideExitCode } from './exit-codes.ts';
import { incompleteExitCode } from '../run/exit-code.ts';
import { brandDescription } from './target-options.ts';

interface CompareOptions {
  states?: string;
  brand?: string;
  json?: boolean;
}

/** `svc-conform pact compare`: judges contracts of a consumer of API v1 against the interface. */
export function addPactCompare(pact: Command): void {
  pact
    .command('compare')
    .description(
      'judge your own consumer contracts for API v1: compare them with the OpenAPI document and replay them against the simulated service; exit code 0 if the interface provides everything that they expect, 1 if it does not, 3 if something could not be judged',
    )
    .argument('<file...>', 'Pact files, version 1 to 4; - reads one from standard input')
    .option('--states <file>', 'a JSON or YAML file that maps the provider states of your contracts to ours')
    .option('--brand <name>', brandDescription)
    .option('--json', 'print the verdicts as JSON')
    .action(async (files: string[], options: CompareOptions) => {
      const { requirePackages } = await import('../harness/checks/require-packages.ts');
      requirePackages('@pact-foundation/pact', '@pactflow/openapi-pact-comparator');
      const { readContracts, readStates } = await import('../run/input/read-contracts.ts');
      const { judgeContract } = await import('../contracts/judge-contract.ts');
      const { ContractFault } = await import('../contracts/contract-fault.ts');
      const { comparisonJson, comparisonOf, renderComparison } = await import('./comparison-view.ts');
      const { outputWidth, wantsColour, write } = await import('../run/output/terminal.ts');
      const { HarnessFault } = await import('../harness/checks/faults.ts');
      const { configuredBrand } = await import('../run/config/configured-brand.ts');
      const { redactor, redactValue } = await import('../service/redact.ts');
      const { keyPrefix } = await configuredBrand(options.brand);
      // A contract may contain the API key that its test used.
      const redact = redactor([], keyPrefix);
      const translations = options.states === undefined ? new Map() : await readStates(options.states);
      const contracts = [];
      for (const { file, text } of await readContracts(files)) {
        try {
          contracts.push({ file, ...redactValue(await judgeContract(text, translations), redact) });
        } catch (error) {
          throw error instanceof ContractFault
            ? new HarnessFault('contract-unreadable', { file, reason: redact(error.message) })
            : error;
        }
      }
      const comparison = comparisonOf(contracts);
      const json = options.json === true;
      const shown = { colour: wantsColour(process.stdout), width: outputWidth(process.stdout) };
      await write(process.stdout, json ? comparisonJson(comparison) : renderComparison(comparison, shown), {
        notation: json ? 'json' : 'plain',
      });
      decideExitCode(
        { 'not-provided': 1, 'not-judged': incompleteExitCode, assumed: 0, provided: 0 }[comparison.verdict],
      );
    });
}
