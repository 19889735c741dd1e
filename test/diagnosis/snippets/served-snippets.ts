import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { SnippetTopic } from '../../../diagnosis/cause.ts';
import { freePort } from '../../../harness/wire/free-port.ts';
import { startedProgram, works } from './started-program.ts';

const run = promisify(execFile);
export const snippetsDirectory = fileURLToPath(new URL('../../../diagnosis/snippets/', import.meta.url));
const here = fileURLToPath(new URL('./', import.meta.url));
const pathOf = (topic: SnippetTopic, file: string) => join(snippetsDirectory, topic, file);

/** The running snippets of one framework. */
export interface Served extends AsyncDisposable {
  /** The address of a topic, without the path of its route. */
  url(topic: SnippetTopic): string;
}

/** The snippets of one framework, compiled if necessary. */
export interface Built extends AsyncDisposable {
  /** Serves them with these environment variables; a snippet that does not start answers 500 or 503. */
  serve(env: Record<string, string>): Promise<Served>;
}

/** How the snippets of one framework are served. */
export interface Framework {
  file: string;
  /** The requirement that this machine lacks; `undefined` if none. */
  missing(topics: readonly SnippetTopic[]): Promise<string | undefined>;
  build(topics: readonly SnippetTopic[]): Promise<Built>;
}

/** One process serves all snippets, each below the path of its topic. */
function builtAs(
  start: (env: Record<string, string>) => Promise<AsyncDisposable & { port: number }>,
  directory?: string,
): Built {
  return {
    serve: async (env) => {
      const started = await start(env);
      return {
        url: (topic) => `http://127.0.0.1:${started.port}/${topic}`,
        [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: async () => {
      if (directory !== undefined) await rm(directory, { recursive: true });
    },
  };
}

const named = (topics: readonly SnippetTopic[], file: string) =>
  topics.map((topic) => `${topic}=${pathOf(topic, file)}`);

/** Snippets of Node are modules that export `server` or `app`. */
function node(file: string): Framework {
  return {
    file,
    missing: async () => undefined,
    build: async (topics) =>
      builtAs((env) =>
        startedProgram(process.execPath, [join(here, 'serve-node.ts'), ...named(topics, file)], { env }),
      ),
  };
}

const isOnThePhone = (topic: SnippetTopic) => topic === 'verify-call' || topic === 'stream-phone-answers';

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
    build: async (topics) => {
      const program = (await pythonWith(modulesFor(topics))) ?? '';
      return builtAs((env) =>
        startedProgram(program, [join(here, 'python', runner), ...named(topics, file)], {
          env: { ...env, PYTHONDONTWRITEBYTECODE: '1' },
        }),
      );
    },
  };
}

const jackson = ['databind', 'core', 'annotations'].map((part) => `/usr/share/java/jackson-${part}.jar`);

/** Spring is not installed: our substitutes for its types run its controllers. */
async function buildSpring(topics: readonly SnippetTopic[]): Promise<Built> {
  const directory = await mkdtemp(join(tmpdir(), 'snippets-'));
  const [, ...parts] = (await readFile(join(here, 'spring/stand-ins.txt'), 'utf8')).split(/^\/\/ file: (.+)\n/m);
  const sources = [join(here, 'spring/ServeSnippets.java')];
  for (let at = 0; at < parts.length; at += 2) {
    const path = join(directory, parts[at] ?? '');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, parts[at + 1] ?? '');
    sources.push(path);
  }
  const served: string[] = [];
  for (const topic of topics) {
    const text = await readFile(pathOf(topic, 'Spring.java'), 'utf8');
    const [, name = ''] = /^class (\w+)/m.exec(text) ?? [];
    sources.push(pathOf(topic, 'Spring.java'));
    served.push(`${topic}=${name}`);
  }
  await run('javac', ['-nowarn', '-d', directory, '-cp', jackson.join(':'), ...sources]);
  const classPath = [directory, ...jackson].join(':');
  const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
  return builtAs(
    (env) => startedProgram('java', [...quick, '-cp', classPath, 'ServeSnippets', ...served], { env }),
    directory,
  );
}

/** Each snippet becomes a package, and one program serves them all. */
async function buildGo(topics: readonly SnippetTopic[]): Promise<Built> {
  const directory = await mkdtemp(join(tmpdir(), 'snippets-'));
  const packages: string[] = [];
  for (const topic of topics) {
    const name = topic.replaceAll('-', '');
    const text = await readFile(pathOf(topic, 'main.go'), 'utf8');
    const routes = [...text.matchAll(/HandleFunc\("(\/\w+)", (\w+)\)/g)];
    const registered = routes.map(([, path, handler]) => `mux.HandleFunc("/${topic}${path}", ${handler})`);
    await mkdir(join(directory, 'src/snippets', name), { recursive: true });
    await writeFile(
      join(directory, 'src/snippets', name, 'main.go'),
      `${text.replace('package main', `package ${name}`)}\nfunc Register(mux *http.ServeMux) { ${registered.join('; ')} }\n`,
    );
    packages.push(name);
  }
  await cp(join(here, 'go/serve.go.txt'), join(directory, 'src/snippets/serve.go'));
  const calls = packages.map((name) => `\t${name}.Register(mux)`).join('\n');
  const imports = packages.map((name) => `import "snippets/${name}"`).join('\n');
  await writeFile(
    join(directory, 'src/snippets/register.go'),
    `package main\n\nimport "net/http"\n${imports}\n\nfunc register(mux *http.ServeMux) {\n${calls}\n}\n`,
  );
  const goEnv = { ...process.env, GO111MODULE: 'off', GOPATH: `${directory}:/usr/share/gocode`, GOFLAGS: '' };
  await run('go', ['build', '-o', join(directory, 'serve'), 'snippets'], { env: goEnv, cwd: directory });
  return builtAs((env) => startedProgram(join(directory, 'serve'), [], { env }), directory);
}

/** The path of the autoload.php that Composer wrote for Workerman. */
const workerman = process.env['WORKERMAN_AUTOLOAD'];

/** Each snippet is a separate process with its own directory for stored data. */
async function servePhp(topics: readonly SnippetTopic[], env: Record<string, string>): Promise<Served> {
  const directory = await mkdtemp(join(tmpdir(), 'snippets-'));
  const all = { ...env, TMPDIR: directory };
  const processes = await Promise.all(
    topics.map((topic) =>
      isOnThePhone(topic)
        ? startedWorkerman(topic, join(directory, topic), all)
        : startedProgram('php', ['-S', '127.0.0.1:0', pathOf(topic, 'php.php')], {
            env: all,
            before: 'Server \\(http://127\\.0\\.0\\.1:',
          }),
    ),
  );
  return {
    url: (topic) => `http://127.0.0.1:${processes[topics.indexOf(topic)]?.port}`,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(processes.map((one) => one[Symbol.asyncDispose]()));
      await rm(directory, { recursive: true });
    },
  };
}

/** A separate program that listens at the port given in the snippet. */
async function startedWorkerman(topic: SnippetTopic, directory: string, env: Record<string, string>) {
  const text = await readFile(pathOf(topic, 'php.php'), 'utf8');
  const port = await freePort();
  await mkdir(join(directory, 'vendor'), { recursive: true });
  await writeFile(join(directory, 'vendor/autoload.php'), `<?php require ${JSON.stringify(workerman)};\n`);
  await writeFile(join(directory, 'start.php'), text.replace('127.0.0.1:3000', `127.0.0.1:${port}`));
  const before = 'websocket://127\\.0\\.0\\.1:';
  return startedProgram('php', ['start.php', 'start'], { env, cwd: directory, before, signal: 'SIGTERM' });
}

/** Every framework with snippets. */
export const frameworks: Readonly<Record<string, Framework>> = {
  Express: node('express.js'),
  Fastify: node('fastify.js'),
  Flask: python('flask.py', 'serve-flask.py', (topics) =>
    topics.some(isOnThePhone) ? ['flask', 'flask_sock'] : ['flask'],
  ),
  FastAPI: python('fastapi.py', 'serve-fastapi.py', (topics) =>
    topics.some(isOnThePhone) ? ['fastapi', 'uvicorn', 'websockets'] : ['fastapi', 'uvicorn'],
  ),
  PHP: {
    file: 'php.php',
    missing: async (topics) => {
      if (!(await works('php', ['--version']))) return 'PHP';
      return topics.some(isOnThePhone) && workerman === undefined ? 'Workerman' : undefined;
    },
    build: async (topics) => ({ serve: (env) => servePhp(topics, env), [Symbol.asyncDispose]: async () => undefined }),
  },
  Spring: {
    file: 'Spring.java',
    missing: async () =>
      (await works('javac', ['-version'])) && (await works('ls', jackson)) ? undefined : 'Java with Jackson',
    build: buildSpring,
  },
  'ASP.NET': { file: 'AspNet.cs', missing: async () => '.NET', build: () => Promise.reject(new Error('no .NET')) },
  Go: {
    file: 'main.go',
    missing: async (topics) => {
      if (!(await works('go', ['version']))) return 'Go';
      if (!topics.some(isOnThePhone)) return undefined;
      return (await works('ls', ['/usr/share/gocode/src/github.com/gorilla/websocket']))
        ? undefined
        : 'gorilla/websocket';
    },
    build: buildGo,
  },
};
