import { writeFile } from 'node:fs/promises';
import { generateContracts } from '../contracts/generate-contracts.ts';
import { providerNames } from '../generators/contracts/contract.ts';

/** Renews specs/generated/contracts/ from generators/contracts/. A test fails when it was forgotten. */
const files = await generateContracts(providerNames);
for (const [name, text] of Object.entries(files)) {
  await writeFile(new URL(`../specs/generated/contracts/${name}`, import.meta.url), text);
}
