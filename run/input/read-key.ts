import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { KeyProblem, privateKeyOf, publicKeyOf } from '../../reports/certificate/keys.ts';
import { envVariable } from '../../specs/env-reference.ts';
import { UsageError } from '../usage-error.ts';

/**
 * The private key that signs certificates, from a PEM file or, as `env:NAME`, from an environment variable. What it holds
 * is never told.
 *
 * @throws UsageError (exit code 2) when there is none, or none of Ed25519
 */
export function readPrivateKey(given: string): Promise<KeyObject> {
  return readKey('--key', given, privateKeyOf);
}

/** The public key that verifies certificates; as {@link readPrivateKey}. */
export function readPublicKey(given: string): Promise<KeyObject> {
  return readKey('--public-key', given, publicKeyOf);
}

async function readKey(flag: string, given: string, read: (text: string) => KeyObject): Promise<KeyObject> {
  const text = await textOf(flag, given);
  try {
    return read(text);
  } catch (error) {
    if (error instanceof KeyProblem) {
      throw new UsageError(`${flag} ${given}: ${error.message}. svc-conform keygen makes a pair.`);
    }
    throw error;
  }
}

async function textOf(flag: string, given: string): Promise<string> {
  if (/-----BEGIN/.test(given)) {
    throw new UsageError(
      `${flag}: expected a file or env:NAME, received a key. What stands in a command line can be read by others.`,
    );
  }
  const name = envVariable(given);
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
