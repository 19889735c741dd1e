import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { tryOutDirectory } from './try-out-directory.ts';

/** Milliseconds for the other run to answer with its process id; its message does without one after that. */
const answerMs = 1_000;
/** Attempts, because the other run may end between two of them. */
const mostAttempts = 3;
/** Marks an abstract address (unix(7)). */
const abstract = '\0';

/**
 * Tries out the directory of a report and claims it for this process until the result is disposed. The claim is a local
 * socket, so it also ends when this process is killed, and nothing is written to the directory.
 *
 * @throws ReportNotWritten if the directory cannot be written to
 * @throws HarnessFault (`directory-in-use`) while another process has claimed it
 */
export async function claimDirectory(directory: string, addressOf = claimAddress): Promise<AsyncDisposable> {
  await tryOutDirectory(directory);
  const address = addressOf(await physicalPath(resolve(directory)));
  const server = createServer((socket) => {
    // A client that stays connected must not delay the end of the run.
    socket.on('error', () => undefined).end(String(process.pid), () => socket.destroy());
  });
  for (let attempt = 1; ; attempt++) {
    try {
      await once(server.listen(address), 'listening');
      server.unref();
      return server;
    } catch (error) {
      // A claim prevents mistakes only: where no socket can be opened, the run does without it.
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE')
        return { [Symbol.asyncDispose]: async () => undefined };
    }
    const owner = await ownerAt(address);
    if (owner !== undefined || attempt === mostAttempts)
      throw new HarnessFault('directory-in-use', { directory, owner });
    // A killed process leaves the file of its socket.
    if (!address.startsWith(abstract)) await rm(address, { force: true });
  }
}

/**
 * The address of the socket that claims a directory for this user. Linux and Windows remove it with its process; elsewhere
 * it is a file.
 */
function claimAddress(path: string): string {
  // In a container, a user may have a number and no name, and other containers have the same paths.
  const user = process.getuid?.() ?? userInfo().username;
  const digest = createHash('sha256').update(`${mountNamespace()} ${user} ${path}`).digest('hex');
  const name = `svc-conform-${digest.slice(0, 16)}`;
  if (process.platform === 'linux') return `${abstract}${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** Where this process sees its paths: containers on the network of the host share sockets, but not paths. */
function mountNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/mnt');
  } catch {
    return '';
  }
}

/** The path without symbolic links, as far as it exists. */
async function physicalPath(path: string): Promise<string> {
  return await realpath(path).catch(async () =>
    dirname(path) === path ? path : join(await physicalPath(dirname(path)), basename(path)),
  );
}

/** The process id at an address, empty if it does not answer; `undefined` if nothing listens there. */
async function ownerAt(address: string): Promise<string | undefined> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return await Promise.race([text(socket), once(socket.setTimeout(answerMs), 'timeout').then(() => '')]);
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}
