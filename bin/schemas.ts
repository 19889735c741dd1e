import { join } from 'node:path';
import type { Command } from 'commander';

/** `svc-conform schemas`: writes the JSON Schemas of the interface, of the config and of the report. */
export function addSchemas(program: Command): void {
  program
    .command('schemas')
    .description('write the JSON Schemas (2020-12) of everything that goes over the wire, of the config and the report')
    .option('--out <folder>', 'where to write them', 'schemas')
    .action(async ({ out }: { out: string }) => {
      const { copyFile, mkdir, readdir } = await import('node:fs/promises');
      const { UsageError } = await import('./usage-error.ts');
      const from = new URL('../specs/schemas/', import.meta.url);
      const names = (await readdir(from)).filter((name) => name.endsWith('.schema.json')).sort();
      try {
        await mkdir(out, { recursive: true });
        for (const name of names) await copyFile(new URL(name, from), join(out, name));
      } catch (error) {
        throw new UsageError(`The schemas cannot be written to ${out}: ${(error as Error).message}.`);
      }
      process.stdout.write(`${names.map((name) => join(out, name)).join('\n')}\n${names.length} schemas written.\n`);
    });
}
