import { execFile } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { SnippetTopic } from '../../../diagnosis/cause.ts';
import { freePort } from '../../../harness/free-port.ts';
import { startedProgram, works } from './started-program.ts';

const run = promisify(execFile);
export const snippetsFolder = fileURLToPath(new URL('../../../diagnosis/snippets/', import.meta.url));
const here = fileURLToPath(new URL('./', import.meta.url));
const pathOf = (topic: SnippetTopic, file: string) => join(snippetsFolder, topic, file);

/** Snippets of one framework that are being served. */
export interface Served extends AsyncDisposable {
  /** The address of a topic, without the path of its route. */
  url(topic: SnippetTopic): string;
}

/** How the snippets of one framework are served. */
export interface Framework {
  file: string;
  /** What is needed and not on this machine; `undefined` when everything is there. */
  missing(topics: readonly SnippetTopic[]): Promise<string | undefined>;
  /** Serves the snippets of these topics, with these variables. */
  serve(topics: readonly SnippetTopic[], env: Record<string, string>): Promise<Served>;
}

/** Snippets of Node are modules that export `server` or `app`. */
async function serveNode(file: string, topics: readonly SnippetTopic[], env: Record<string, string>): Promise<Served> {
  Object.assign(process.env, env);
  const servers = new Map<SnippetTopic, Server>();
  for (const topic of topics) {
    const { app, server } = await import(pathOf(topic, file));
    if (app?.ready) await app.ready();
    const one: Server = server ?? app.server ?? (await import('node:http')).createServer(app);
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
    servers.set(topic, one);
  }
  return {
    url: (topic) => `http://127.0.0.1:${(servers.get(topic)?.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const server of servers.values()) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** Each snippet is a process of its own. */
async function serveEach(
  topics: readonly SnippetTopic[],
  start: (topic: SnippetTopic) => Promise<AsyncDisposable & { port: number }>,
): Promise<Served> {
  const processes = await Promise.all(topics.map(async (topic) => [topic, await start(topic)] as const));
  const byTopic = new Map(processes);
  return {
    url: (topic) => `http://127.0.0.1:${byTopic.get(topic)?.port}`,
    [Symbol.asyncDispose]: async () => {
      for (const [, process] of processes) await process[Symbol.asyncDispose]();
    },
  };
}

/** All snippets are one process, each below the path of its topic. */
async function serveAll(folder: string, started: AsyncDisposable & { port: number }): Promise<Served> {
  return {
    url: (topic) => `http://127.0.0.1:${started.port}/${topic}`,
    [Symbol.asyncDispose]: async () => {
      await started[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const isOnThePhone = (topic: SnippetTopic) => topic === 'verify-call' || topic === 'speak-on-the-phone';

/** The first Python here that has all of these modules. */
async function pythonWith(modules: readonly string[]): Promise<string | undefined> {
  for (const python of ['python3', '/usr/bin/python3'])
    if (await works(python, ['-c', `import ${modules.join(', ')}`])) return python;
  return undefined;
}

function python(file: string, runner: string, modulesFor: (topics: readonly SnippetTopic[]) => string[]): Framework {
  return {
    file,
    missing: async (topics) =>
      (await pythonWith(modulesFor(topics))) ? undefined : `Python with ${modulesFor(topics).join(', ')}`,
    serve: async (topics, env) => {
      const program = (await pythonWith(modulesFor(topics))) ?? '';
      return serveEach(topics, (topic) =>
        startedProgram(program, [join(here, 'python', runner), pathOf(topic, file)], {
          env: { ...env, PYTHONDONTWRITEBYTECODE: '1' },
        }),
      );
    },
  };
}

const jackson = ['databind', 'core', 'annotations'].map((part) => `/usr/share/java/jackson-${part}.jar`);

/** Spring is not on this machine: our stand-ins of its types let its controllers run. */
async function serveSpring(topics: readonly SnippetTopic[], env: Record<string, string>): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'snippets-'));
  const [, ...parts] = (await readFile(join(here, 'spring/stand-ins.txt'), 'utf8')).split(/^\/\/ file: (.+)\n/m);
  const sources = [join(here, 'spring/ServeSnippets.java')];
  for (let at = 0; at < parts.length; at += 2) {
    const path = join(folder, parts[at] ?? '');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, parts[at + 1] ?? '');
    sources.push(path);
  }
  const served: string[] = [];
  for (const topic of topics) {
    const text = await readFile(pathOf(topic, 'Spring.java'), 'utf8');
    const [, name = ''] = /^class (\w+)/m.exec(text) ?? [];
    sources.push(pathOf(topic, 'Spring.java'));
    if (topic !== 'speak-on-the-phone') served.push(`${topic}=${name}`);
  }
  await run('javac', ['-nowarn', '-d', folder, '-cp', jackson.join(':'), ...sources]);
  const classPath = [folder, ...jackson].join(':');
  return serveAll(folder, await startedProgram('java', ['-cp', classPath, 'ServeSnippets', ...served], { env }));
}

/** Each snippet becomes a package, and one program serves them all. */
async function serveGo(topics: readonly SnippetTopic[], env: Record<string, string>): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'snippets-'));
  const packages: string[] = [];
  for (const topic of topics) {
    const name = topic.replaceAll('-', '');
    const text = await readFile(pathOf(topic, 'main.go'), 'utf8');
    const routes = [...text.matchAll(/HandleFunc\("(\/\w+)", (\w+)\)/g)];
    const registered = routes.map(([, path, handler]) => `mux.HandleFunc("/${topic}${path}", ${handler})`);
    await mkdir(join(folder, 'src/snippets', name), { recursive: true });
    await writeFile(
      join(folder, 'src/snippets', name, 'main.go'),
      `${text.replace('package main', `package ${name}`)}\nfunc Register(mux *http.ServeMux) { ${registered.join('; ')} }\n`,
    );
    packages.push(name);
  }
  await cp(join(here, 'go/serve.go.txt'), join(folder, 'src/snippets/serve.go'));
  const calls = packages.map((name) => `\t${name}.Register(mux)`).join('\n');
  const imports = packages.map((name) => `import "snippets/${name}"`).join('\n');
  await writeFile(
    join(folder, 'src/snippets/register.go'),
    `package main\n\nimport "net/http"\n${imports}\n\nfunc register(mux *http.ServeMux) {\n${calls}\n}\n`,
  );
  const goEnv = { ...process.env, GO111MODULE: 'off', GOPATH: `${folder}:/usr/share/gocode`, GOFLAGS: '' };
  await run('go', ['build', '-o', join(folder, 'serve'), 'snippets'], { env: goEnv, cwd: folder });
  return serveAll(folder, await startedProgram(join(folder, 'serve'), [], { env }));
}

/** Where Composer has put Workerman: the path of its autoload.php. */
const workerman = process.env['WORKERMAN_AUTOLOAD'];

/** What a snippet keeps goes into a folder of its own. */
async function servePhp(topics: readonly SnippetTopic[], env: Record<string, string>): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'snippets-'));
  const all = { ...env, TMPDIR: folder };
  const served = await serveEach(topics, (topic) =>
    isOnThePhone(topic)
      ? startedWorkerman(topic, join(folder, topic), all)
      : startedProgram('php', ['-S', '127.0.0.1:0', pathOf(topic, 'php.php')], {
          env: all,
          before: 'Server \\(http://127\\.0\\.0\\.1:',
        }),
  );
  return {
    url: (topic) => served.url(topic),
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** A program of its own that listens at the port that stands in the snippet. */
async function startedWorkerman(topic: SnippetTopic, folder: string, env: Record<string, string>) {
  const text = await readFile(pathOf(topic, 'php.php'), 'utf8');
  const port = await freePort();
  await mkdir(join(folder, 'vendor'), { recursive: true });
  await writeFile(join(folder, 'vendor/autoload.php'), `<?php require ${JSON.stringify(workerman)};\n`);
  await writeFile(join(folder, 'start.php'), text.replace('127.0.0.1:3000', `127.0.0.1:${port}`));
  const before = 'websocket://127\\.0\\.0\\.1:';
  return startedProgram('php', ['start.php', 'start'], { env, cwd: folder, before, signal: 'SIGTERM' });
}

/** Every framework that snippets are written for. */
export const frameworks: Readonly<Record<string, Framework>> = {
  Express: {
    file: 'express.js',
    missing: async () => undefined,
    serve: (topics, env) => serveNode('express.js', topics, env),
  },
  Fastify: {
    file: 'fastify.js',
    missing: async () => undefined,
    serve: (topics, env) => serveNode('fastify.js', topics, env),
  },
  Flask: python('flask.py', 'run-flask.py', (topics) =>
    topics.some(isOnThePhone) ? ['flask', 'flask_sock'] : ['flask'],
  ),
  FastAPI: python('fastapi.py', 'run-fastapi.py', (topics) =>
    topics.some(isOnThePhone) ? ['fastapi', 'uvicorn', 'websockets'] : ['fastapi', 'uvicorn'],
  ),
  PHP: {
    file: 'php.php',
    missing: async (topics) => {
      if (!(await works('php', ['--version']))) return 'PHP';
      return topics.some(isOnThePhone) && workerman === undefined ? 'Workerman' : undefined;
    },
    serve: servePhp,
  },
  Spring: {
    file: 'Spring.java',
    missing: async () =>
      (await works('javac', ['-version'])) && (await works('ls', jackson)) ? undefined : 'Java with Jackson',
    serve: serveSpring,
  },
  'ASP.NET': { file: 'AspNet.cs', missing: async () => '.NET', serve: () => Promise.reject(new Error('no .NET')) },
  Go: {
    file: 'main.go',
    missing: async (topics) => {
      if (!(await works('go', ['version']))) return 'Go';
      if (!topics.some(isOnThePhone)) return undefined;
      return (await works('ls', ['/usr/share/gocode/src/github.com/gorilla/websocket']))
        ? undefined
        : 'gorilla/websocket';
    },
    serve: serveGo,
  },
};
