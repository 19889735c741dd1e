import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { ContractFault } from '../../contracts/contract-fault.ts';
import { readStateTranslations, type StateTranslations } from '../../contracts/state-translations.ts';
import { UsageError } from '../usage-error.ts';

/** The argument for standard input. */
const standardInput = '-';

/**
 * Reads Pact files, each once, in their order.
 *
 * @throws UsageError (exit code 2) for a file that cannot be read
 */
export async function readContracts(files: readonly string[]): Promise<{ file: string; text: string }[]> {
  return await Promise.all(
    [...new Set(files)].map(async (file) => {
      if (file === standardInput) return { file: 'standard input', text: await textOf(process.stdin) };
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        throw new UsageError(`${file}: expected a Pact file, received ${(error as Error).message}.`);
      });
      return { file, text };
    }),
  );
}

/**
 * Reads the translations of provider states from a JSON or YAML file.
 *
 * @throws UsageError (exit code 2)
 */
export async function readStates(file: string): Promise<StateTranslations> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file}: expected a file with states, received ${(error as Error).message}.`);
  });
  try {
    return readStateTranslations(text);
  } catch (error) {
    throw error instanceof ContractFault ? new UsageError(`${file}: ${error.message}.`) : error;
  }
}
