import type { AddressInfo } from 'node:net';
import type * as Service from '../../service/simulated-service.ts';
import type * as Schemas from '../../specs/schemas.ts';

// Accepts POST /v1/messages: the simulated service, or Fastify alone with the same schemas and a fixed answer. Sends
// its address to its parent, and in answer to each message the bytes in use after garbage collection. Each variant loads
// only what it needs, since loading is part of its start.
const [, , how, apiKey = '', root = ''] = process.argv;

/** A built module, or its source, depending on `root`. */
async function load<T>(path: string): Promise<T> {
  return (await import(new URL(`${path}${root.endsWith('/dist/') ? '.js' : '.ts'}`, root).href)) as T;
}

async function ours(): Promise<string> {
  const { SimulatedService } = await load<typeof Service>('service/simulated-service');
  const service = await SimulatedService.open({
    // With the rate limit of the interface, the bench would measure that limit.
    rateLimit: false,
    inboxes: [{ apiKeys: { [apiKey]: 'Bench' } }],
    outbound: {
      post: () => Promise.reject(new Error('nothing is sent in this bench')),
      call: () => Promise.reject(new Error('no call is made in this bench')),
    },
  });
  return service.baseUrl;
}

async function bare(): Promise<string> {
  const [{ fastify }, { schemas }] = await Promise.all([import('fastify'), load<typeof Schemas>('specs/schemas')]);
  const app = fastify({ ajv: { customOptions: { strict: false, coerceTypes: false, removeAdditional: false } } });
  // Fastify's own validator accepts only the name of an older dialect; these schemas mean the same in both.
  const inItsDialect = (name: Schemas.SchemaName) => ({ ...schemas[name], $schema: undefined });
  app.addSchema(inItsDialect('apiTarget'));
  // The serialiser resolves references only as written.
  for (const name of ['apiTarget', 'messageRequest'] as const)
    app.addSchema({ ...inItsDialect(name), $id: schemas[name].$id.split('/').at(-1) });
  const [body, response] = [inItsDialect('messageRequest'), inItsDialect('messageResponse')];
  const [answer] = response.examples ?? [];
  app.post('/v1/messages', { schema: { body, response: { 202: response } } }, (_, reply) =>
    reply.code(202).send(answer),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

const url = await (how === 'ours' ? ours() : bare());
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
process.on('disconnect', () => process.exit());
process.send?.({ url, upMs: performance.now() });
