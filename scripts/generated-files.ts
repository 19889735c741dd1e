import { generateContracts } from '../contracts/generate-contracts.ts';
import { providerNames } from '../generators/contracts/contract.ts';
import { doNothingPage, readDoNothing } from '../test/proving/do-nothing.ts';
import { killMatrixPage, readKillMatrix } from '../test/proving/kill-matrix.ts';
import { benchmarksPage } from './benchmarks-page.ts';
import { causesPage, frameworkPages, snippetsPage } from './causes-page.ts';
import { commandsPage } from './commands-page.ts';
import { faultsPage } from './faults-page.ts';
import { exampleCiFiles } from './example-ci-files.ts';
import { generateExamples } from './generate-examples.ts';
import { generateTypes } from './generate-types.ts';
import { servicePage, showingTests } from './service-page.ts';

/** Functions that return the text of each generated file, by its path from the root. */
type GeneratedFiles = Readonly<Record<string, () => string | Promise<string>>>;

/** The files that are generated from others without any traffic. */
export const generatedFiles: GeneratedFiles = {
  'specs/generated/types.ts': generateTypes,
  'specs/generated/examples.json': generateExamples,
  ...exampleCiFiles,
  'docs/benchmarks.md': benchmarksPage,
  'docs/reference/causes.md': causesPage,
  'docs/reference/commands.md': commandsPage,
  'docs/reference/endpoints-that-do-nothing.md': async () => await doNothingPage(await readDoNothing()),
  'docs/reference/faults.md': faultsPage,
  'docs/reference/kill-matrix.md': async () => await killMatrixPage((await readKillMatrix()).matrix),
  'docs/reference/service.md': async () => await servicePage(await showingTests()),
  'docs/reference/snippets.md': snippetsPage,
  ...Object.fromEntries(Object.entries(frameworkPages).map(([path, page]) => [`docs/reference/${path}`, page])),
};

/** The contracts: each interaction is sent to Pact's mock server, so they take longer than the other files. */
export async function generatedContracts(): Promise<Readonly<Record<string, string>>> {
  const contracts = Object.entries(await generateContracts(providerNames));
  return Object.fromEntries(contracts.map(([name, text]) => [`specs/generated/contracts/${name}`, text]));
}
