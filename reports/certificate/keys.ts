import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A key that cannot be used to sign or to verify a certificate; the message says what was expected. */
export class KeyProblem extends Error {
  override readonly name = 'KeyProblem';
}

/** An Ed25519 key pair as PEM text. */
export interface KeyPairText {
  /** PKCS#8. Its holder can sign in your name. */
  readonly privateKey: string;
  /** SPKI. */
  readonly publicKey: string;
  readonly keyId: string;
}

/** Makes an Ed25519 key pair. */
export function newKeyPair(): KeyPairText {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keyId: keyIdOf(publicKey),
  };
}

/** SHA-256 of a public key's SPKI bytes in hex: the `keyid` of an envelope. */
export function keyIdOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** The private key in PEM text. `\n` is accepted for a newline, for environment variables. Throws `KeyProblem`. */
export function privateKeyOf(text: string): KeyObject {
  const pem = withLines(text);
  if (/-----BEGIN [A-Z ]*ENCRYPTED/.test(pem)) {
    throw new KeyProblem('expected a private key without a passphrase, received an encrypted one');
  }
  if (pem.includes('-----BEGIN PUBLIC KEY-----')) {
    throw new KeyProblem('expected a private key (PKCS#8, PEM), received a public one');
  }
  return ed25519(() => createPrivateKey(pem), 'a private key (PKCS#8, PEM)');
}

/** The public key in PEM text. Throws `KeyProblem`. */
export function publicKeyOf(text: string): KeyObject {
  const pem = withLines(text);
  // createPublicKey would accept it, and the user would not notice that a secret was passed on.
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw new KeyProblem(
      'expected a public key (SPKI, PEM), received a private one, which only the signer should have',
    );
  }
  return ed25519(() => createPublicKey(pem), 'a public key (SPKI, PEM)');
}

function ed25519(read: () => KeyObject, expected: string): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch (cause) {
    throw new KeyProblem(`expected ${expected}, received other text`, { cause });
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new KeyProblem(`expected an Ed25519 key, received one of type ${key.asymmetricKeyType ?? 'secret'}`);
  }
  return key;
}

function withLines(text: string): string {
  return text.trim().replaceAll('\\n', '\n');
}
