import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GenericContainer, getContainerRuntimeClient } from 'testcontainers';

// The image of the process that removes containers after a kill would have to be pulled.
process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The reason why no image can be built and run here; `undefined` if one can. Nothing is pulled: Node comes from this
 * machine.
 */
export async function containersUnavailable(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'the image is made from the Node of this machine, which must be Linux';
  return await getContainerRuntimeClient().then(
    () => undefined,
    () => 'no Docker on this machine',
  );
}

/**
 * `BEHAVIOUR` selects what the container does. It first checks its key at the service, and logs every request with its
 * credentials, which a real integrator must not do.
 */
const start = `
import { createServer, Server } from 'node:http';
const behaviours = {
  integrator: async () => {
    const { emit } = Server.prototype;
    let deliveries = 0;
    Server.prototype.emit = function (event, ...args) {
      if (event === 'request') {
        const [{ method, url, headers }] = args;
        console.log('got', method, url, headers.authorization ?? 'no token');
        if (method === 'POST' && ++deliveries > Number(process.env.DELIVERIES ?? Infinity)) process.exit(9);
      }
      return emit.call(this, event, ...args);
    };
    const answer = await fetch(process.env.SVC_BASE_URL + '/v1/me', { headers: { 'x-api-key': process.env.SVC_API_KEY } });
    console.log('\\x1b[32mthe service says', answer.status, '\\x1b[0m');
    process.argv[1] = '/app/examples/integrator/server.ts';
    await import(process.argv[1]);
  },
  exits: () => {
    console.error('no database at', process.env.DATABASE, 'with', process.env.CRM_TOKEN);
    process.exit(7);
  },
  'is ill': () => {
    createServer((request, response) => {
      console.log('ill, and my token is', process.env.CRM_TOKEN);
      response.writeHead(503).end();
    }).listen(8080);
  },
  'adds notes': () => {
    const known = new Set();
    createServer((request, response) => {
      if (request.method === 'GET') return response.end('{}');
      let body = '';
      request.on('data', (text) => (body += text));
      request.on('end', async () => {
        const id = request.headers['x-svc-delivery-id'];
        const { projectId } = JSON.parse(body).data;
        const headers = { 'x-api-key': process.env.SVC_API_KEY, 'content-type': 'application/json' };
        const note = JSON.stringify({ projectId, text: 'An appointment changed.' });
        if (!known.has(id)) await fetch(process.env.SVC_BASE_URL + '/v1/notes', { method: 'POST', headers, body: note });
        known.add(id);
        response.end();
      });
    }).listen(8080);
  },
  'is deaf': () => {
    console.log('listening nowhere');
    setInterval(() => undefined, 1000);
  },
};
process.on('SIGTERM', () => process.exit());
await behaviours[process.env.BEHAVIOUR ?? 'integrator']();
`;

const dockerfile = `FROM scratch
COPY . /
USER 1000:1000
ENV HOST=0.0.0.0 PORT=8080
EXPOSE 8080
ENTRYPOINT ["/usr/bin/node", "/app/start.js"]
`;

/** Existing containers of an image, running or not, and the addresses of their published ports. */
export async function containersOf(image: string): Promise<{ id: string; published: string[] }[]> {
  const { container } = await getContainerRuntimeClient();
  const found = await container.dockerode.listContainers({ all: true, filters: { ancestor: [image] } });
  return found.map(({ Id, Ports }) => ({ id: Id, published: Ports.flatMap(({ IP }) => IP ?? []) }));
}

/** Creates a network; disposing of it removes it. */
export async function makeNetwork(name: string): Promise<AsyncDisposable> {
  const { container } = await getContainerRuntimeClient();
  const network = await container.dockerode.createNetwork({ Name: name });
  return { [Symbol.asyncDispose]: async () => void (await network.remove()) };
}

/** Builds an image of the example integrator from files of this machine. Disposing of it removes the image. */
export async function buildExampleImage(name: string): Promise<AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-conform-image-'));
  try {
    await copyProgram(process.execPath, '/usr/bin/node', directory);
    await cp(join(root, 'examples/integrator'), join(directory, 'app/examples/integrator'), { recursive: true });
    await cp(join(root, 'node_modules/ws'), join(directory, 'app/node_modules/ws'), { recursive: true });
    await writeFile(join(directory, 'app/package.json'), '{ "type": "module" }');
    await writeFile(join(directory, 'app/start.js'), start);
    await mkdir(join(directory, 'etc'));
    await writeFile(join(directory, 'etc/nsswitch.conf'), 'hosts: files dns\n');
    await writeFile(join(directory, 'Dockerfile'), dockerfile);
    await GenericContainer.fromDockerfile(directory).build(name, { deleteOnExit: false });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return {
    [Symbol.asyncDispose]: async () => {
      const { container } = await getContainerRuntimeClient();
      await container.dockerode.getImage(name).remove({ force: true });
    },
  };
}

/** A program and the libraries that it loads. */
async function copyProgram(from: string, to: string, directory: string): Promise<void> {
  const listed = execFileSync('ldd', [from], { encoding: 'utf8' });
  const libraries = [...listed.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path);
  for (const [source, target] of [[from, to] as const, ...libraries.map((path) => [path, path] as const)]) {
    await mkdir(dirname(join(directory, target)), { recursive: true });
    await cp(await realpath(source), join(directory, target));
  }
}
