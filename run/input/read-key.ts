import { describeFileError } from '../../specs/faults/describe-file-error.ts';
import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { KeyProblem, privateKeyOf, publicKeyOf } from '../../reports/certificate/keys.ts';
import { envVariable } from '../../specs/env-reference.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/**
 * Reads the private key that signs certificates from a PEM file or, as `env:NAME`, from an environment variable. Its
 * content is never shown.
 *
 * @throws HarnessFault (exit code 2) when there is no key, or it is not an Ed25519 key
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
      throw new HarnessFault('key-unusable', { flag, given, reason: error.message });
    }
    throw error;
  }
}

async function textOf(flag: string, given: string): Promise<string> {
  if (/-----BEGIN/.test(given)) {
    throw new HarnessFault('secret-exposed:key', { flag });
  }
  const name = envVariable(given);
  if (name === undefined) {
    return readFile(given, 'utf8').catch((error: unknown) => {
      throw new HarnessFault('file-unreadable:expected', {
        file: `${flag} ${given}`,
        expected: 'a PEM file',
        reason: describeFileError(error),
      });
    });
  }
  const text = process.env[name];
  if (text === undefined || text === '') {
    throw new HarnessFault('secret-missing:key', { flag, reference: given });
  }
  return text;
}
