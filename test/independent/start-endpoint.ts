import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../harness/wire/free-port.ts';
import { inheritedEnvironment, temporaryDirectory } from '../bin/run-command.ts';

export const files = {
  express: 'express.ts',
  hono: 'hono.ts',
  'node-http': 'node-http.ts',
  'python-http-server': 'python-http-server.py',
  'python-aiohttp': 'python-aiohttp.py',
  php: 'php.php',
} as const;
export type Framework = keyof typeof files;

/** The code to replace, and its replacement with the mistake. */
export type Edit = readonly [correct: string, faulty: string];

export const secrets = {
  CRM_TOKEN: 'Xv4Ks9Tq2Lw7Rb1Hn6Zc3Md8Pf5Gj0Ye',
  HOOK_SECRET: 'hook_Wq3Nz8Kb5Tx1Vr6Mc9Hd2Js7Lf4Gp0Ya',
  AGENT_SECRET: 'whsec_aW5kZXBlbmRlbnQgaW50ZWdyYXRvcnMgb25seQ==',
  SVC_API_KEY: 'svc_sk_Rt6Wm2Kc9Vx4',
};

export interface Endpoint extends AsyncDisposable {
  port: number;
  /** The port at which the endpoint expects the service. */
  servicePort: number;
  /** Its output, for the message of a failed test. */
  output: () => string;
}

const here = fileURLToPath(new URL('.', import.meta.url));
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const startsWithin = 30_000;

/** A Python that has these modules: the first one on the PATH may lack modules of the system's Python. */
export async function findPython(...names: readonly string[]): Promise<string | undefined> {
  const code = names.map((name) => `import ${name}`).join('\n');
  for (const python of ['python3', '/usr/bin/python3']) {
    const isThere = await promisify(execFile)(python, ['-c', code]).then(
      () => true,
      () => false,
    );
    if (isThere) return python;
  }
  return undefined;
}

async function listens(port: number): Promise<boolean> {
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

/** Why a framework cannot run on this machine; `undefined` if it can. */
export async function reasonMissing(framework: Framework): Promise<string | undefined> {
  if (files[framework].endsWith('.ts') || (await programOf(framework)) !== undefined) return undefined;
  return framework === 'php'
    ? 'php is not installed'
    : `python3${framework === 'python-aiohttp' ? ' with aiohttp' : ''} is not installed`;
}

async function programOf(framework: Framework): Promise<string | undefined> {
  const file = files[framework];
  if (file.endsWith('.py')) return await findPython(...(framework === 'python-aiohttp' ? ['aiohttp'] : []));
  return file.endsWith('.php') ? await findPhp() : process.execPath;
}

async function findPhp(): Promise<string | undefined> {
  return promisify(execFile)('php', ['--version']).then(
    () => 'php',
    () => undefined,
  );
}

/** Writes the program of a framework with these mistakes to a temporary directory and starts it. */
export async function startEndpoint(
  framework: Framework,
  edits: readonly Edit[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Endpoint> {
  const file = files[framework];
  let code = await readFile(join(here, file), 'utf8');
  for (const [correct, faulty] of edits) {
    if (!code.includes(correct)) throw new Error(`${file} has no ${correct}`);
    code = code.replaceAll(correct, () => faulty);
  }
  const directory = await temporaryDirectory();
  await writeFile(directory.at(file), code);
  await writeFile(directory.at('package.json'), '{ "type": "module" }');
  await symlink(modules, directory.at('node_modules'), 'dir');

  const program = await programOf(framework);
  if (program === undefined) throw new Error(await reasonMissing(framework));
  const [port, servicePort] = [await freePort(), await freePort()];
  const child = spawn(program, framework === 'php' ? ['-S', `127.0.0.1:${port}`, file] : [file], {
    cwd: directory.path,
    env: {
      ...inheritedEnvironment(),
      ...secrets,
      ...env,
      PORT: String(port),
      SVC_BASE_URL: `http://127.0.0.1:${servicePort}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4000)));
  }
  const ended = once(child, 'close');
  const endpoint: Endpoint = {
    port,
    servicePort,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
      await directory[Symbol.asyncDispose]();
    },
  };
  const deadline = Date.now() + startsWithin;
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await endpoint[Symbol.asyncDispose]();
      throw new Error(`${file} did not start: ${output}`);
    }
    await delay(50);
  }
  return endpoint;
}
