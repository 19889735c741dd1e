import { describeFileError } from '../specs/faults/describe-file-error.ts';
import { join } from 'node:path';
import type { Command } from 'commander';
import { addSchemasDiff } from './schemas-diff.ts';
import { brandDescription } from './target-options.ts';

/** File of the AsyncAPI document. */
const asyncApiFile = 'asyncapi.json';
/** File of the OpenAPI document. */
const openApiFile = 'openapi.json';
/** The directory of the contracts. */
const contractsDirectory = 'contracts';

/**
 * `svc-conform schemas`: writes the JSON Schemas of the interface, of the config and of the report, the OpenAPI document
 * of API v1, the AsyncAPI document of the own-AI protocol and the Pact contracts.
 */
export function addSchemas(program: Command): void {
  const command = program
    .command('schemas')
    .description(
      'write the JSON Schemas (2020-12) of all messages, the config and the report, the OpenAPI document of API v1, the AsyncAPI document of the own-AI protocol, and the Pact contracts',
    )
    .option('--out <directory>', 'directory to write them to', 'schemas')
    .option('--brand <name>', brandDescription)
    .action(async ({ out, brand: given }: { out: string; brand?: string }) => {
      const { rename, rm, writeFile } = await import('node:fs/promises');
      const { makeDirectory } = await import('../reports/write/make-directory.ts');
      const { HarnessFault } = await import('../harness/checks/faults.ts');
      const { schemaFiles, documents, contracts } = await published();
      const { configuredBrand } = await import('../run/config/configured-brand.ts');
      const brand = await configuredBrand(given);
      const files = { ...schemaFiles, ...documents, ...contracts };
      // Replaces no file by a part of one, as on a full disk.
      const temporary = join(out, 'incomplete');
      try {
        makeDirectory(join(out, contractsDirectory));
        for (const [name, text] of Object.entries(files)) {
          await writeFile(temporary, brand.text(text));
          await rename(temporary, join(out, name));
        }
      } catch (error) {
        await rm(temporary, { force: true });
        throw new HarnessFault('file-not-written:schemas', { directory: out, reason: describeFileError(error) });
      }
      const counted = [
        `${Object.keys(schemaFiles).length} schemas`,
        'an OpenAPI and an AsyncAPI document',
        `${Object.keys(contracts).length} contracts`,
      ];
      const written = Object.keys(files).map((name) => join(out, name));
      process.stdout.write(
        `${written.join('\n')}\n${counted.slice(0, -1).join(', ')} and ${counted.at(-1)} written.\n`,
      );
    });
  addSchemasDiff(command);
}

/** All published files, by file name. */
async function published(): Promise<Record<'schemaFiles' | 'documents' | 'contracts', Record<string, string>>> {
  const { readdir, readFile } = await import('node:fs/promises');
  const { asyncApiDocument } = await import('../specs/async-api-document.ts');
  const { openApiDocument } = await import('../specs/open-api-document.ts');
  const { schemaExamples } = await import('../specs/schema-examples.ts');
  const { schemas } = await import('../specs/schemas.ts');
  const text = (document: unknown): string => `${JSON.stringify(document, undefined, 2)}\n`;
  const named = (Object.keys(schemas) as (keyof typeof schemas)[]).map((name) => {
    const { $schema, $id, title, description, $comment, ...rest } = schemas[name];
    const examples = schemaExamples(name).map(({ value }) => value);
    const head = { $schema, $id, title, description, $comment, ...(examples.length > 0 && { examples }) };
    return [$id.split('/').at(-1) ?? '', text({ ...head, ...rest, ...(examples.length > 0 && { examples }) })] as const;
  });
  const directory = new URL('../specs/generated/contracts/', import.meta.url);
  const contracts: Record<string, string> = {};
  for (const name of (await readdir(directory)).filter((each) => each.endsWith('.json')).sort()) {
    contracts[`${contractsDirectory}/${name}`] = await readFile(new URL(name, directory), 'utf8');
  }
  return {
    schemaFiles: Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1))),
    documents: { [openApiFile]: text(openApiDocument()), [asyncApiFile]: text(asyncApiDocument()) },
    contracts,
  };
}
