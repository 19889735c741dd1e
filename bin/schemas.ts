import { join } from 'node:path';
import type { Command } from 'commander';

/** What the AsyncAPI document is written as. */
const asyncApiFile = 'asyncapi.json';

/**
 * `svc-conform schemas`: writes the JSON Schemas of the interface, of the config and of the report, and the AsyncAPI
 * document of the own-AI protocol.
 */
export function addSchemas(program: Command): void {
  program
    .command('schemas')
    .description(
      'write the JSON Schemas (2020-12) of everything that goes over the wire, of the config and the report, and an AsyncAPI document of the own-AI protocol',
    )
    .option('--out <folder>', 'where to write them', 'schemas')
    .action(async ({ out }: { out: string }) => {
      const { copyFile, mkdir, readdir, writeFile } = await import('node:fs/promises');
      const { asyncApiDocument } = await import('../specs/async-api.ts');
      const { UsageError } = await import('./usage-error.ts');
      const from = new URL('../specs/schemas/', import.meta.url);
      const names = (await readdir(from)).filter((name) => name.endsWith('.schema.json')).sort();
      try {
        await mkdir(out, { recursive: true });
        for (const name of names) await copyFile(new URL(name, from), join(out, name));
        await writeFile(join(out, asyncApiFile), `${JSON.stringify(asyncApiDocument(), undefined, 2)}\n`);
      } catch (error) {
        throw new UsageError(`The schemas cannot be written to ${out}: ${(error as Error).message}.`);
      }
      const written = [...names, asyncApiFile].map((name) => join(out, name));
      process.stdout.write(`${written.join('\n')}\n${names.length} schemas and an AsyncAPI document written.\n`);
    });
}
