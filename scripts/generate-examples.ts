/** `node scripts/generate-examples.ts` writes specs/generated/examples.json from specs/schemas; a test fails when the file is stale. */
import { writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { everyExample } from '../generators/readable-examples.ts';

const examplesFile = new URL('../specs/generated/examples.json', import.meta.url);

/** The text of specs/generated/examples.json. */
export async function generateExamples(): Promise<string> {
  return await format(JSON.stringify(everyExample()), { parser: 'json', printWidth: 120 });
}

if (import.meta.main) await writeFile(examplesFile, await generateExamples());
