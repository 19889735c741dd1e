import { join } from 'node:path';
import type { Command } from 'commander';
import { listOption } from './list-option.ts';
import { brandDescription } from './target-options.ts';

interface GenerateOptions {
  out: string;
  provider: string[];
  brand?: string;
}

/** `svc-conform pact generate`: writes the interface as Pact files, after executing each interaction. */
export function addPactGenerate(pact: Command): void {
  pact
    .command('generate')
    .description(
      "write the interface as Pact V4 files: what the service expects of your endpoints, and what API v1 provides to a client; each interaction is first executed against Pact's mock server",
    )
    .option('--out <directory>', 'directory to write them to', 'pacts')
    .addOption(listOption('--provider <name>', 'only the contract of this provider; repeatable, or comma-separated'))
    .option('--brand <name>', brandDescription)
    .action(async ({ out, provider: wanted, brand: given }: GenerateOptions) => {
      const { writeFile } = await import('node:fs/promises');
      const { makeDirectory } = await import('../reports/write/make-directory.ts');
      const { providerNames } = await import('../generators/contracts/contract.ts');
      const { suggestion } = await import('../specs/nearest.ts');
      const { tryOutDirectory } = await import('../run/plan/try-out-directory.ts');
      const { HarnessFault } = await import('../harness/checks/faults.ts');
      const { requirePackages } = await import('../harness/checks/require-packages.ts');
      requirePackages('@pact-foundation/pact');
      const unknown = wanted.find((name) => !(providerNames as readonly string[]).includes(name));
      if (unknown !== undefined) {
        throw new HarnessFault('name-unknown:provider', {
          provider: unknown,
          known: providerNames,
          near: suggestion(unknown, providerNames),
        });
      }
      const { configuredBrand } = await import('../run/config/configured-brand.ts');
      const brand = await configuredBrand(given);
      const writing = async (write: () => Promise<void>) => {
        try {
          await write();
        } catch (error) {
          throw new HarnessFault('file-not-written:contracts', { directory: out, reason: reasonOf(error) });
        }
      };
      // An unusable directory is reported before the work.
      await writing(() => tryOutDirectory(out));
      const { generateContracts } = await import('../contracts/generate-contracts.ts');
      const files = Object.entries(
        await generateContracts(providerNames.filter((name) => wanted.length === 0 || wanted.includes(name))),
      );
      await writing(async () => {
        makeDirectory(out);
        for (const [name, text] of files) await writeFile(join(out, name), brand.text(text));
      });
      const interactions = files.reduce((sum, [, text]) => sum + interactionsIn(text), 0);
      const counted = `${files.length} ${files.length === 1 ? 'contract' : 'contracts'} with ${interactions} interactions`;
      process.stdout.write(`${files.map(([name]) => join(out, name)).join('\n')}\n${counted} written.\n`);
    });
}

/** The message of the system error, without our wrapper. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

function interactionsIn(text: string): number {
  return (JSON.parse(text) as { interactions: unknown[] }).interactions.length;
}
