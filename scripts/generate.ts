/**
 * `npm run generate`: writes every generated file. `npm run generate -- types.ts` writes those whose path contains one of
 * the arguments. A test fails when a file is stale.
 */
import { mkdir, writeFile } from 'node:fs/promises';

const root = new URL('../', import.meta.url);
const parts = process.argv.slice(2);
const isWanted = (path: string) => parts.length === 0 || parts.some((part) => path.includes(part));

async function write(path: string, text: string): Promise<void> {
  await mkdir(new URL('.', new URL(path, root)), { recursive: true });
  await writeFile(new URL(path, root), text);
  console.log(path);
}

// The code that generates the other files imports the types, so it is loaded only after they are written.
const types = 'specs/generated/types.ts';
if (isWanted(types)) {
  const { generateTypes } = await import('./generate-types.ts');
  await write(types, await generateTypes());
}
const { generatedFiles, generatedContracts } = await import('./generated-files.ts');
for (const [path, make] of Object.entries(generatedFiles)) {
  if (path !== types && isWanted(path)) await write(path, await make());
}
if (isWanted('specs/generated/contracts/')) {
  for (const [path, text] of Object.entries(await generatedContracts())) await write(path, text);
}
