import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { temporaryDirectory } from '../bin/run-command.ts';
import { listening } from '../server-fixture.ts';

/** The path on Debian and macOS; sshd must be started by its absolute path. */
const sshd = ['/usr/sbin/sshd', '/usr/bin/sshd', '/usr/local/sbin/sshd'].find((path) => existsSync(path));
/** A directory that sshd of Debian requires when root starts it. */
const separationDirectory = '/run/sshd';

/** The reason why no SSH server can be started here; `undefined` if one can. */
export const missingSshServer =
  sshd === undefined
    ? 'no sshd on this machine; install openssh-server'
    : process.getuid?.() === 0 && !existsSync(separationDirectory)
      ? `sshd of root needs the directory ${separationDirectory}`
      : undefined;

/** An SSH server; disposing ends it with its connections. */
export interface SshServer extends AsyncDisposable {
  /** An ssh command with port, keys and no prompts, but without destination and forwarding. */
  client: string;
}

/** Serves SSH on loopback with throw-away keys: this user may forward remote ports, and nothing else. */
export async function sshServer(): Promise<SshServer> {
  await using starting = new AsyncDisposableStack();
  const directory = starting.use(await temporaryDirectory());
  for (const name of ['host', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', directory.at(name)]);
  }
  await copyFile(directory.at('user.pub'), directory.at('authorized_keys'));
  const settings = [
    `HostKey ${directory.at('host')}`,
    `AuthorizedKeysFile ${directory.at('authorized_keys')}`,
    'AuthenticationMethods publickey',
    'AllowTcpForwarding remote',
    'PermitRootLogin prohibit-password',
    'PermitTTY no',
    'StrictModes no',
    'UsePAM no',
  ];
  const flags = ['-i', '-e', '-f', '/dev/null', ...settings.flatMap((setting) => ['-o', setting])];
  // One process for each connection, as under inetd: it ends with its connection.
  const { port } = starting.use(
    await listening(
      createServer((socket) => {
        const { stdin, stdout } = spawn(sshd!, flags, { stdio: ['pipe', 'pipe', 'ignore'] });
        socket.pipe(stdin.on('error', () => socket.destroy()));
        stdout.pipe(socket).once('close', () => stdin.destroy());
      }),
    ),
  );
  const options = [
    'BatchMode=yes',
    'ExitOnForwardFailure=yes',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
  ];
  const client = [
    'ssh',
    '-F',
    '/dev/null',
    '-i',
    directory.at('user'),
    '-p',
    port,
    ...options.map((one) => `-o ${one}`),
  ];
  const resources = starting.move();
  return { client: client.join(' '), [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
