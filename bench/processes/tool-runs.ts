import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Session } from '../../harness/checks/session.ts';
import { fromSchema } from '../../generators/from-schema.ts';
import { schemas } from '../../specs/schemas.ts';
import { signatureHeader } from '../../specs/signing.ts';
import { checkCases } from '../check-cases.ts';
import { runSettings, secret } from '../run-settings.ts';

// Sends signed events with svc-conform or another tool, in one run of a new process, and sends the milliseconds of that
// run. Each tool is loaded before, and used as its own documentation describes.
const [, , tool = '', entry = '', url = '', count = '0'] = process.argv;

export type ToolRun = 'svc-conform' | '@stepci/runner' | 'dredd' | 'newman' | 'pact';

const events = fc.sample(fromSchema(schemas.apiWebhookEvent, { textBound: 60 }), { numRuns: Number(count), seed: 1 });
const bodies = events.map((event) => JSON.stringify(event));
const directory = await mkdtemp(join(tmpdir(), 'svc-conform-bench-'));
const json = 'application/json';
const now = () => Math.floor(Date.now() / 1000);

/** Prepares a run, and returns how many requests it sent and judged as accepted. */
const runs: Record<ToolRun, (loaded: unknown) => Promise<() => Promise<number>>> = {
  'svc-conform': async () => {
    const settings = runSettings({ apiWebhooks: { url, secret } }, bodies.length);
    return async () => {
      await using session = await Session.open(settings);
      await checkCases(session, settings);
      return bodies.length;
    };
  },
  // A workflow cannot compute a signature, so its requests are signed before.
  '@stepci/runner': async (loaded) => {
    const { run } = loaded as {
      run: (workflow: object) => Promise<{ result: { tests: { steps: { passed: boolean }[] }[] } }>;
    };
    const steps = bodies.map((body) => ({
      name: 'event',
      http: {
        url,
        method: 'POST',
        headers: { 'Content-Type': json, 'X-Svc-Signature': signatureHeader({ secret, t: now(), body }) },
        body,
        check: { status: 200 },
      },
    }));
    return async () => {
      const { result } = await run({ version: '1.1', name: 'events', tests: { events: { steps } } });
      return result.tests.flatMap((test) => test.steps).filter(({ passed }) => passed).length;
    };
  },
  dredd: async (loaded) => {
    const Dredd = loaded as new (options: object) => {
      run: (done: (error: Error | null, stats: { passes: number }) => void) => void;
    };
    const hooks = join(directory, 'hooks.js');
    await writeFile(
      hooks,
      `const { createHmac } = require('node:crypto');
       require('hooks').beforeEach(({ request }) => {
         const t = Math.floor(Date.now() / 1000);
         const v1 = createHmac('sha256', ${JSON.stringify(secret)}).update(t + '.' + request.body).digest('hex');
         request.headers['X-Svc-Signature'] = 't=' + t + ',v1=' + v1;
       });`,
    );
    const description = join(directory, 'events.apib');
    const examples = bodies.map((body) => `+ Request (${json})\n\n        ${body}\n\n+ Response 200\n`);
    await writeFile(description, `FORMAT: 1A\n\n# Events\n\n# Event [/]\n\n## Send [POST]\n\n${examples.join('\n')}`);
    const dredd = new Dredd({ endpoint: url, path: [description], hookfiles: [hooks], loglevel: 'error' });
    return () =>
      new Promise((resolve, reject) => dredd.run((error, stats) => (error ? reject(error) : resolve(stats.passes))));
  },
  newman: async (loaded) => {
    const { run } = loaded as {
      run: (
        options: object,
        done: (
          error: Error | null,
          summary: { run: { stats: Record<string, { total: number; failed: number }> } },
        ) => void,
      ) => void;
    };
    const script = (listen: string, ...exec: string[]) => ({ listen, script: { type: 'text/javascript', exec } });
    const collection = {
      info: { name: 'events', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: [
        {
          name: 'event',
          event: [
            script(
              'prerequest',
              'const t = Math.floor(Date.now() / 1000);',
              `const v1 = CryptoJS.HmacSHA256(t + '.' + pm.iterationData.get('body'), ${JSON.stringify(secret)});`,
              "pm.variables.set('signature', 't=' + t + ',v1=' + v1.toString(CryptoJS.enc.Hex));",
            ),
            script('test', "pm.test('is accepted', () => pm.response.to.have.status(200));"),
          ],
          request: {
            method: 'POST',
            url,
            header: [
              { key: 'Content-Type', value: json },
              { key: 'X-Svc-Signature', value: '{{signature}}' },
            ],
            body: { mode: 'raw', raw: '{{body}}' },
          },
        },
      ],
    };
    return () =>
      new Promise((resolve, reject) =>
        run({ collection, iterationData: bodies.map((body) => ({ body })) }, (error, summary) => {
          const { total = 0, failed = 0 } = summary?.run.stats['assertions'] ?? {};
          return error ? reject(error) : resolve(total - failed);
        }),
      );
  },
  pact: async (loaded) => {
    const { Verifier } = loaded as { Verifier: new (options: object) => { verifyProvider: () => Promise<unknown> } };
    const contract = join(directory, 'contract.json');
    const interactions = events.map((body, at) => ({
      description: `event ${at}`,
      request: { method: 'POST', path: '/', headers: { 'Content-Type': json }, body },
      response: { status: 200 },
    }));
    const metadata = { pactSpecification: { version: '2.0.0' } };
    await writeFile(
      contract,
      JSON.stringify({ consumer: { name: 'service' }, provider: { name: 'integrator' }, interactions, metadata }),
    );
    const verifier = new Verifier({
      provider: 'integrator',
      providerBaseUrl: url,
      pactUrls: [contract],
      logLevel: 'error',
      requestFilter: (request: { headers: Record<string, string>; body: unknown }, _: unknown, next: () => void) => {
        // It also asks for provider states, without a body.
        if (Buffer.isBuffer(request.body)) {
          request.headers['x-svc-signature'] = signatureHeader({ secret, t: now(), body: request.body });
        }
        next();
      },
    });
    return async () => {
      const result = await verifier.verifyProvider();
      const { interactionResults } = (typeof result === 'string' ? JSON.parse(result) : result) as {
        interactionResults: { result: string }[];
      };
      return interactionResults.filter((one) => one.result === 'OK').length;
    };
  },
};

const loaded =
  tool === 'pact' ? await import('@pact-foundation/pact') : entry && ((await import(entry)) as { tool: unknown }).tool;
const run = await runs[tool as ToolRun](loaded);
const from = performance.now();
const accepted = await run();
const tookMs = performance.now() - from;
await rm(directory, { recursive: true });
if (accepted !== bodies.length) throw new Error(`expected ${bodies.length} accepted requests, received ${accepted}`);
process.send?.(tookMs, () => process.exit());
