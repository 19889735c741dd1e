import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from 'commander';
import { HarnessFault } from '../harness/checks/faults.ts';

const privateFile = 'svc-conform.key.pem';
const publicFile = 'svc-conform.pub.pem';

/** `svc-conform keygen`: creates an Ed25519 key pair that signs and verifies certificates. */
export function addKeygen(program: Command): void {
  program
    .command('keygen')
    .description(`create a key pair for certificates: ${privateFile} (secret) signs, ${publicFile} verifies`)
    .option('--out <directory>', 'directory for the two files', '.')
    .option('--json', 'print the paths and the key id as JSON')
    .action(async ({ out, json }: { out: string; json?: boolean }) => {
      const { newKeyPair } = await import('../reports/certificate/keys.ts');
      const { write } = await import('../run/output/terminal.ts');
      const { privateKey, publicKey, keyId } = newKeyPair();
      const places = { privateKey: join(out, privateFile), publicKey: join(out, publicFile) };
      await writeBoth(out, [
        { path: places.privateKey, text: privateKey, mode: 0o600 },
        { path: places.publicKey, text: publicKey, mode: 0o644 },
      ]);
      const lines = [
        `${places.privateKey}  signs certificates; only you can read it. Keep it out of the repository: store it as a CI secret, and pass it as env:NAME.`,
        `${places.publicKey}  verifies certificates; give it to everyone who should trust them.`,
        `key ${keyId}`,
      ];
      await write(
        process.stdout,
        json === true ? `${JSON.stringify({ ...places, keyId }, undefined, 2)}\n` : `${lines.join('\n')}\n`,
      );
    });
}

interface KeyFile {
  path: string;
  text: string;
  mode: number;
}

/** Writes both files or none, each atomically. Existing files are not replaced, because certificates may depend on them. */
async function writeBoth(directory: string, files: readonly KeyFile[]): Promise<void> {
  const { rename, rm, writeFile } = await import('node:fs/promises');
  const { makeDirectory } = await import('../reports/write/make-directory.ts');
  const pending = files.map((file) => ({ ...file, temporary: `${file.path}.${randomUUID()}.tmp` }));
  const written: string[] = [];
  try {
    makeDirectory(directory);
    for (const { temporary, text, mode } of pending)
      await writeFile(temporary, text, { flag: 'wx', mode, flush: true });
    for (const { temporary, path } of pending) {
      // A rename would replace an existing file, and not every file system supports links.
      await writeFile(path, '', { flag: 'wx' });
      written.push(path);
      await rename(temporary, path);
    }
  } catch (error) {
    for (const path of written) await rm(path, { force: true });
    const { code, message, path = directory } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new HarnessFault('file-exists:key', { path });
    throw new HarnessFault('file-not-written:keys', { directory, reason: message });
  } finally {
    for (const { temporary } of pending) await rm(temporary, { force: true });
  }
}
