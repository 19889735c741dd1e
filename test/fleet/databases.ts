import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, globSync } from 'node:fs';
import { createServer, connect, type AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '../bin/run-command.ts';

/** A database that a test started. */
export interface TestDatabase extends AsyncDisposable {
  url: string;
  /** Kills the server and starts it again: Redis without its data, because it saves none. */
  restart(): Promise<void>;
}

/** How to start each database; `undefined` where its program is missing. */
export const databases: Readonly<Record<string, (() => Promise<TestDatabase>) | undefined>> = {
  redis: isProgram('redis-server') ? startRedis : undefined,
  postgres: postgresPrograms() ? startPostgres : undefined,
};

function isProgram(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Debian keeps the programs of the server out of the path. */
function postgresPrograms(): string | undefined {
  const found = globSync('/usr/lib/postgresql/*/bin/initdb').at(-1);
  return found && dirname(found);
}

async function startRedis(): Promise<TestDatabase> {
  const directory = await temporaryDirectory();
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory.path];
  const start = () => spawn('redis-server', args, { stdio: 'ignore' });
  return await started(start, port, `redis://127.0.0.1:${port}/0`, directory);
}

async function startPostgres(): Promise<TestDatabase> {
  const directory = await temporaryDirectory();
  const port = await freePort();
  const programs = postgresPrograms() ?? '';
  // The server refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (owner.uid !== undefined) chownSync(directory.path, owner.uid, owner.gid);
  chmodSync(directory.path, 0o700);
  const place = { cwd: directory.path, stdio: 'ignore', ...owner } as const;
  const data = directory.at('data');
  const made = spawnSync(`${programs}/initdb`, ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], place);
  if (made.status !== 0) throw new Error('initdb failed');
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=${directory.path}`];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const start = () => spawn(`${programs}/postgres`, args, place);
  return await started(start, port, `postgres://postgres@127.0.0.1:${port}/postgres`, directory);
}

function idOf(flag: string): number {
  return Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
}

async function started(
  start: () => ChildProcess,
  port: number,
  url: string,
  directory: AsyncDisposable,
): Promise<TestDatabase> {
  let server = start();
  const end = async () => {
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  };
  await untilListening(server, port);
  return {
    url,
    restart: async () => {
      await end();
      server = start();
      await untilListening(server, port);
    },
    [Symbol.asyncDispose]: async () => {
      await end();
      await directory[Symbol.asyncDispose]();
    },
  };
}

async function untilListening(server: ChildProcess, port: number): Promise<void> {
  while (!(await isListening(port))) {
    if (server.exitCode !== null) throw new Error(`${server.spawnfile} ended with ${server.exitCode}`);
    await sleep(50);
  }
}

async function freePort(): Promise<number> {
  await using server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
