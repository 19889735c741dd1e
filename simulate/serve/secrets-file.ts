import { appendFile, readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { describeFileError } from '../../specs/faults/describe-file-error.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { ServiceSecrets } from '../service-secrets.ts';

/** The variables of the secrets, as in the examples. */
export const secretVariables: Readonly<Record<keyof ServiceSecrets, string>> = {
  apiKey: 'SVC_API_KEY',
  agentSecret: 'AGENT_SECRET',
  webhookToken: 'CRM_TOKEN',
  webhookSecret: 'HOOK_SECRET',
};

/**
 * The generated secrets of a service in a file of lines `NAME=value`, which an endpoint can read too, as with
 * `node --env-file`. Those that the file lacks are added, so they are the same at the next start.
 */
export class SecretsFile {
  readonly #file: string;
  readonly #known: NodeJS.Dict<string>;
  readonly #isOnNewLine: boolean;
  readonly #added: string[] = [];
  readonly #used = new Set<keyof ServiceSecrets>();

  private constructor(file: string, text: string) {
    this.#file = file;
    this.#known = parseEnv(text);
    this.#isOnNewLine = text === '' || text.endsWith('\n');
  }

  /** Reads the file; a missing one is empty. Throws {@link HarnessFault}. */
  static async read(file: string): Promise<SecretsFile> {
    try {
      return new SecretsFile(file, await readFile(file, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new SecretsFile(file, '');
      const reason = describeFileError(error);
      throw new HarnessFault('file-unreadable:flag', { flag: '--secrets', file, reason }, { cause: error });
    }
  }

  /** The secret of the file, or a new one that {@link save} adds. */
  value(name: keyof ServiceSecrets, make: () => string): string {
    this.#used.add(name);
    const variable = secretVariables[name];
    const known = this.#known[variable];
    if (known !== undefined && known !== '') return known;
    const value = make();
    this.#added.push(`${variable}=${value}\n`);
    return value;
  }

  /** Where each used secret is, for display in its place. */
  places(): Partial<ServiceSecrets> {
    return Object.fromEntries([...this.#used].map((name) => [name, `${secretVariables[name]} in ${this.#file}`]));
  }

  /** Adds the new secrets to the file, which only its owner can read if it is new. Throws {@link HarnessFault}. */
  async save(): Promise<void> {
    if (this.#added.length === 0) return;
    try {
      await appendFile(this.#file, (this.#isOnNewLine ? '' : '\n') + this.#added.join(''), { mode: 0o600 });
    } catch (error) {
      const reason = describeFileError(error);
      throw new HarnessFault('file-not-written:secrets', { file: this.#file, reason }, { cause: error });
    }
  }
}
