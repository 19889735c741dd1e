import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { KeyProblem, privateKeyOf, publicKeyOf } from '../../reports/certificate/keys.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Reads the private key that signs certificates from a PEM file or, as `env:NAME`, from an environment variable. Its
 * content is never shown.
 *
 * @throws UsageError (exit code 2) when there is no key, or it is not an Ed25519 key
 */
export function readPrivateKey(given: string): Promise<KeyObject> {
  return readKey('--key', given, privateKeyOf);
}

/** Reads the public key that verifies certificates; see {@link readPrivateKey}. */
export function readPublicKey(given: string): Promise<KeyObject> {
  return readKey('--public-key', given, publicKeyOf);
}

async function readKey(flag: string, given: string, read: (text: string) => KeyObject): Promise<KeyObject> {
  const text = await textOf(flag, given);
  try {
    return read(text);
  } catch (error) {
    if (error instanceof KeyProblem) {
      throw new UsageError(`${flag} ${given}: ${error.message}. svc-conform keygen creates a pair.`);
    }
    throw error;
  }
}

async function textOf(flag: string, given: string): Promise<string> {
  if (/-----BEGIN/.test(given)) {
    throw new UsageError(
      `${flag}: expected a file or env:NAME, received a key. Others can see a secret on the command line.`,
    );
  }
  const name = /^env:(.*)$/.exec(given)?.[1];
  if (name === undefined) {
    return readFile(given, 'utf8').catch((error: unknown) => {
      throw new UsageError(`${flag} ${given}: expected a PEM file, received ${(error as Error).message}.`);
    });
  }
  const text = process.env[name];
  if (text === undefined || text === '') {
    throw new UsageError(`${flag} ${given}: expected a key in the environment variable ${name}, received nothing.`);
  }
  return text;
}
