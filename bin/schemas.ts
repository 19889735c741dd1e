import { join } from 'node:path';
import type { Command } from 'commander';

/** What the AsyncAPI document is written as. */
const asyncApiFile = 'asyncapi.json';
/** What the OpenAPI document is written as. */
const openApiFile = 'openapi.json';

/**
 * `svc-conform schemas`: writes the JSON Schemas of the interface, of the config and of the report, the OpenAPI document
 * of API v1 and the AsyncAPI document of the own-AI protocol.
 */
export function addSchemas(program: Command): void {
  program
    .command('schemas')
    .description(
      'write the JSON Schemas (2020-12) of everything that goes over the wire, of the config and the report, an OpenAPI document of API v1 and an AsyncAPI document of the own-AI protocol',
    )
    .option('--out <folder>', 'where to write them', 'schemas')
    .action(async ({ out }: { out: string }) => {
      const { copyFile, mkdir, readdir, writeFile } = await import('node:fs/promises');
      const { asyncApiDocument } = await import('../specs/async-api.ts');
      const { openApiDocument } = await import('../specs/open-api.ts');
      const { UsageError } = await import('./usage-error.ts');
      const from = new URL('../specs/schemas/', import.meta.url);
      const names = (await readdir(from)).filter((name) => name.endsWith('.schema.json')).sort();
      const documents = { [openApiFile]: openApiDocument(), [asyncApiFile]: asyncApiDocument() };
      try {
        await mkdir(out, { recursive: true });
        for (const name of names) await copyFile(new URL(name, from), join(out, name));
        for (const [name, document] of Object.entries(documents)) {
          await writeFile(join(out, name), `${JSON.stringify(document, undefined, 2)}\n`);
        }
      } catch (error) {
        throw new UsageError(`The schemas cannot be written to ${out}: ${(error as Error).message}.`);
      }
      const written = [...names, ...Object.keys(documents)].map((name) => join(out, name));
      process.stdout.write(
        `${written.join('\n')}\n${names.length} schemas, an OpenAPI and an AsyncAPI document written.\n`,
      );
    });
}
