import { describeFileError } from '../../specs/faults/describe-file-error.ts';
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { ContractFault } from '../../contracts/contract-fault.ts';
import { readStateTranslations, type StateTranslations } from '../../contracts/state-translations.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** The argument for standard input. */
const standardInput = '-';

/**
 * Reads Pact files, each once, in their order.
 *
 * @throws HarnessFault (exit code 2) for a file that cannot be read
 */
export async function readContracts(files: readonly string[]): Promise<{ file: string; text: string }[]> {
  return await Promise.all(
    [...new Set(files)].map(async (file) => {
      if (file === standardInput) return { file: 'standard input', text: await textOf(process.stdin) };
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        throw new HarnessFault('file-unreadable:expected', {
          file,
          expected: 'a Pact file',
          reason: describeFileError(error),
        });
      });
      return { file, text };
    }),
  );
}

/**
 * Reads the translations of provider states from a JSON or YAML file.
 *
 * @throws HarnessFault (exit code 2)
 */
export async function readStates(file: string): Promise<StateTranslations> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new HarnessFault('file-unreadable:expected', {
      file,
      expected: 'a file with states',
      reason: describeFileError(error),
    });
  });
  try {
    return readStateTranslations(text);
  } catch (error) {
    throw error instanceof ContractFault
      ? new HarnessFault('contract-unreadable', { file, reason: error.message })
      : error;
  }
}
