import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Config, ContainerTarget, Report } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { buildExampleImage, containersOf, makeNetwork, containersUnavailable } from '../harness/scratch-image.ts';
import { runCommand, startCommand, temporaryDirectory } from './run-command.ts';
import { surfaces } from '../../specs/surfaces.ts';

const missing = await containersUnavailable();
if (missing !== undefined) console.warn(`skipped: ${missing}`);

const image = `svc-conform-test-image:${process.pid}`;
/** Arguments of a check that kills the container after an effect. */
const chaos = ['check', '--image', image, '--chaos', '--only', 'api-webhooks/one-effect-after-a-crash', '--json'];
const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const secrets = {
  CRM_TOKEN: 'Tk9Wm3Xq7Lr2Bv5Nc8Zd1Fh4Js6Gp0Ya',
  HOOK_SECRET: 'hook_Ub7Rm4Xe1Qs8Wn5Kd2Vf9Lh6Cz3Tg0P',
  AGENT_SECRET: 'whsec_dGhlIHNlY3JldCBvZiB0aGUgaW1hZ2UgdGVzdHM=',
  SVC_API_KEY: 'svc_sk_Hq5Zt8Ny1Mb4',
  DATABASE_URL: 'postgres://acme:Rw7Kp2Zx@db/acme',
};

/** The config of the example, its addresses in the container. */
async function exampleConfig(container: Partial<ContainerTarget>): Promise<Config> {
  const text = await readFile(join(examples, 'svc-conform.config.json'), 'utf8');
  const config = JSON.parse(text.replaceAll('127.0.0.1:8080', '{container}')) as Config;
  return {
    ...config,
    // The client always runs on this machine.
    apiClient: { exercise: { command: `"${process.execPath}" "${join(examples, 'integrator/sync.ts')}"` } },
    deepLinks: { file: join(examples, 'links.txt') },
    container: { port: 8080, ...container, env: { DATABASE: 'env:DATABASE_URL', ...container.env } },
  };
}

async function directoryFor(container: Partial<ContainerTarget>) {
  const directory = await temporaryDirectory();
  await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(await exampleConfig(container)));
  return directory;
}

const isThere = async (path: string) =>
  await access(path).then(
    () => true,
    () => false,
  );

it('a container without an image is wrong usage, and nothing is started', async () => {
  await using directory = await directoryFor({});
  const { code, stderr } = await runCommand(['check'], { cwd: directory.path, env: secrets });
  expect(stderr).toBe('The config has container, but no image: give --image, or set container.image.\n');
  expect(code).toBe(2);
});

describe.skipIf(missing !== undefined)('check --image', () => {
  let built: AsyncDisposable;
  beforeAll(async () => {
    built = await buildExampleImage(image);
  });
  afterAll(async () => await built?.[Symbol.asyncDispose]());

  // Nearly all of the time is waiting.
  describe.concurrent('that runs to its end', () => {
    afterAll(async () => expect(await containersOf(image)).toEqual([]));

    it('certifies the image of the example, shows its output next to the cause, and prints no secret', async () => {
      await using directory = await directoryFor({ wait: { path: '/state', log: 'state  ' } });
      const flags = ['check', '--image', image, '--seed', '1', '--runs', '10'];
      const { code, stdout, stderr } = await runCommand(flags, { cwd: directory.path, env: secrets });
      expect(stdout, stderr).toMatch(/^CONFORMANT/m);
      expect(code).toBe(0);
      const text = await readFile(directory.at('conformance-report/report.json'), 'utf8');
      const report = JSON.parse(text) as Report;
      expect(validate('report', report)).toEqual([]);
      expect(report).toMatchObject({
        verdict: 'conformant',
        container: { image, digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
      });
      expect(report.target).toMatchObject({
        'crm-webhook': { url: 'http://{container}/crm' },
        'own-ai-phone': { url: 'ws://{container}/voice' },
      });
      for (const surface of surfaces) {
        const passed = report.requirements.filter((row) => row.surface === surface && row.verdict === 'pass');
        expect(passed.length, surface).toBeGreaterThan(10);
      }
      const logs = report.logs ?? [];
      // The container reached the service before the run began, at the given address and with the given key.
      expect(logs[0]).toMatchObject({ stream: 'stdout', text: 'the service says 200 ' });
      const caused = logs.filter(({ text }) => text === 'got POST /crm Bearer [redacted: webhook token]');
      expect(caused.length).toBeGreaterThan(50);
      const asked = report.exchanges.filter(({ request }) => request.url.endsWith('/crm'));
      const spans = asked.map(({ startedAt, timing }) => [Date.parse(startedAt), timing.totalMs ?? 0] as const);
      const near = caused.filter(({ at }) =>
        spans.some(([from, lasted]) => Date.parse(at) >= from - 20 && Date.parse(at) <= from + lasted + 20),
      );
      expect(near.length).toBeGreaterThan(caused.length / 2);
      const page = await readFile(directory.at('conformance-report/report.html'), 'utf8');
      for (const secret of Object.values(secrets)) expect(stdout + stderr + text + page).not.toContain(secret);
    }, 180_000);

    it.each<[string, Partial<ContainerTarget>, RegExp]>([
      [
        'never becomes healthy',
        { env: { BEHAVIOUR: 'is ill' }, wait: { path: '/health', timeoutSeconds: 2 } },
        /^There is no verdict \(container-not-ready\): The container of \S+ was not ready after 2 s: the last GET http:\/\/127\.0\.0\.1:\d+\/health was answered 503, not 2xx\. Its latest output:\n {2}ill, and my token is \[redacted: webhook token\]\n/m,
      ],
      [
        'ends at once',
        { env: { BEHAVIOUR: 'exits' } },
        /^There is no verdict \(container-not-ready\): The container of \S+ exited with code 7 before it was ready\. Its latest output:\n {2}no database at \[redacted: DATABASE\] with \[redacted: webhook token\]\n$/m,
      ],
      [
        'listens on no port',
        { env: { BEHAVIOUR: 'is deaf' }, wait: { timeoutSeconds: 2 } },
        /^There is no verdict \(container-not-ready\): .* was not ready after 2 s: nothing accepts connections at 127\.0\.0\.1:\d+, port 8080 of the container\. .*\n {2}listening nowhere\n$/m,
      ],
      [
        'listens on another port',
        { port: 9, wait: { timeoutSeconds: 2 } },
        /nothing accepts connections at 127\.0\.0\.1:\d+, port 9 of the container/,
      ],
      [
        'is started in a network that is not there',
        { network: 'svc-conform-no-such-network' },
        /^There is no verdict \(container-not-started\): A container of \S+ could not be started: network svc-conform-no-such-network not found\.\n$/m,
      ],
    ])('explains why nothing was judged if the container %s', async (_, container, message) => {
      await using directory = await directoryFor(container);
      const { code, stdout, stderr } = await runCommand(['check', '--image', image], {
        cwd: directory.path,
        env: secrets,
      });
      expect(stderr).toMatch(message);
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      for (const secret of Object.values(secrets)) expect(stderr).not.toContain(secret);
      expect(await isThere(directory.at('conformance-report'))).toBe(false);
    });

    it('reports that an image does not exist', async () => {
      await using directory = await directoryFor({});
      const unknown = 'svc-conform-test/no-such-image:1';
      const { code, stderr } = await runCommand(['check', '--image', unknown], { cwd: directory.path, env: secrets });
      expect(stderr).toContain(
        `There is no verdict (image-not-found): The image ${unknown} is not on this machine and could not be pulled: `,
      );
      expect(code).toBe(3);
    });

    it('starts it on the port that it exposes, in a separate network, and receives its callbacks', async () => {
      const network = `svc-conform-test-${process.pid}`;
      await using _network = await makeNetwork(network);
      await using directory = await directoryFor({ image, network, env: { ANSWER: 'later' } });
      const config = await exampleConfig({ image, network, env: { ANSWER: 'later' } });
      const { port: _port, ...container } = config.container ?? { port: 0 };
      await writeFile(directory.at('svc-conform.config.json'), JSON.stringify({ ...config, container }));
      const only = ['--only', 'crm-webhook/calls-back-after-202', '--json'];
      const { code, stdout, stderr } = await runCommand(['check', ...only], { cwd: directory.path, env: secrets });
      expect(stderr).toMatch(/^The container is ready at 127\.0\.0\.1:\d+ …$/m);
      const report = JSON.parse(stdout) as Report;
      expect(report.summary).toMatchObject({ pass: 1, fail: 0, blocked: 0 });
      expect(code).toBe(0);
    });

    it.each([1, 2])(
      'starts a container again that exited, and reports its exit and output; instances: %i',
      // A busy machine may delay a start for longer than a run waits.
      { retry: 2 },
      async (instances) => {
        await using directory = await directoryFor({ instances, env: { DELIVERIES: '30' } });
        const flags = ['check', '--image', image, '--surface', 'api-webhooks'];
        const { stderr } = await runCommand(flags, { cwd: directory.path, env: secrets });
        expect(stderr).toContain(`${instances > 1 ? 'A' : 'The'} container exited with code 9 during the checks, `);
        expect(stderr).toMatch(/during the checks, .*and was started again/);
        const report = JSON.parse(
          await readFile(directory.at('conformance-report/partial/report.json'), 'utf8'),
        ) as Report;
        expect(report.container).toMatchObject({ image, exitCode: 9 });
        expect(report.container?.exits).toBeGreaterThan(1);
        // The deliveries in flight were sent again, one at a time, and none of them ended the container again.
        expect(report.summary).toMatchObject({ blocked: 0, fail: 0 });
        expect(report.logs?.filter(({ text }) => text.startsWith('got POST /hooks')).length).toBeGreaterThan(60);
      },
    );

    it('fails the requirement whose delivery ended the container each time', async () => {
      await using directory = await directoryFor({ env: { DELIVERIES: '0' } });
      const flags = ['check', '--image', image, '--only', 'api-webhooks/accepts-every-event-type', '--json'];
      const { stdout } = await runCommand(flags, { cwd: directory.path, env: secrets });
      const { checks } = JSON.parse(stdout) as Report;
      expect(checks.map(({ message }) => message).join()).toContain('the endpoint stopped while handling');
    });

    it(
      'kills it after an effect with --chaos, which does not count as an exit',
      // On a busy machine, it may end before its request has an effect, which is not judged.
      { retry: 2 },
      async () => {
        await using directory = await directoryFor({ env: { BEHAVIOUR: 'adds notes' } });
        const { stdout } = await runCommand(chaos, { cwd: directory.path, env: secrets });
        const { checks, container } = JSON.parse(stdout) as Report;
        expect(checks).toMatchObject([
          { verdict: 'fail', message: expect.stringContaining('the same request twice: POST /v1/notes') as string },
        ]);
        expect(container?.exits).toBeUndefined();
      },
    );

    // On a busy machine, the container may be up again too late.
    it(
      'kills only the one of two containers that got the delivery, which the other gets again',
      { retry: 2 },
      async () => {
        await using directory = await directoryFor({ instances: 2, env: { BEHAVIOUR: 'adds notes' } });
        const { stdout } = await runCommand(chaos, { cwd: directory.path, env: secrets });
        const { checks, container } = JSON.parse(stdout) as Report;
        expect(checks).toMatchObject([
          { verdict: 'fail', message: expect.stringContaining('the same request twice: POST /v1/notes') as string },
        ]);
        expect(container).toMatchObject({ image, instances: 2 });
        expect(container?.exits).toBeUndefined();
      },
    );
  });

  describe('that a signal ends', () => {
    afterEach(async () => expect(await containersOf(image)).toEqual([]));

    it.each([
      ['SIGINT', 130, 'while it is checked', {}, 'The container is ready at'],
      ['SIGTERM', 143, 'while it starts', { env: { BEHAVIOUR: 'is deaf' } }, 'Starting'],
    ] as const)('takes it down on %s (exit code %i) %s', async (signal, expected, _, container, awaitedOutput) => {
      await using directory = await directoryFor(container);
      const running = startCommand(['check', '--image', image], { cwd: directory.path, env: secrets });
      try {
        await running.reported(awaitedOutput);
        let published: string[] = [];
        while (published.length === 0) {
          await delay(20);
          published = (await containersOf(image)).flatMap((container) => container.published);
        }
        // The secrets exist only in this test and must not be printed.
        expect(published).toEqual(['127.0.0.1']);
      } finally {
        running.kill(signal);
      }
      expect((await running.ended).code).toBe(expected);
      expect(await isThere(directory.at('conformance-report/report.json'))).toBe(false);
    });
  });
});
