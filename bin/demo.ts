import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option, type Command } from 'commander';
import { addRunOptions } from './run-options.ts';
import type { RunInput } from '../run/run-input.ts';
import type { RunFlags } from './show-run.ts';

type DemoOptions = RunFlags & { answer: 'now' | 'later'; broken?: string | true };

const demoOutDescription =
  'directory of the report (default: conformance-report/demo, with --broken conformance-report/demo/NAME, and partial within it for a partial run)';

/** `svc-conform demo`: starts the example integrator in this process and certifies it. */
export function addDemo(program: Command): void {
  const command = program
    .command('demo')
    .description('start the example integrator and certify it: a complete run without any set-up')
    .addOption(
      new Option(
        '--answer <when>',
        'how the example answers: at once (now), or with 202 and a callback or reply (later)',
      )
        .choices(['now', 'later'])
        .default('now'),
    )
    .option('--broken [name]', 'add a typical mistake, to see what a failure looks like; without a name, list them');
  addRunOptions(command, demoOutDescription).action(async (flags: DemoOptions) => {
    const { mistakes, mistakeNamed } = await import('../harness/demo/mistakes.ts');
    if (flags.broken === true) {
      for (const [name, { what }] of Object.entries(mistakes)) process.stdout.write(`${name.padEnd(20)}${what}\n`);
      return;
    }
    const mistake = flags.broken === undefined ? undefined : mistakeNamed(flags.broken);
    const { defaultReportDirectory } = await import('../run/plan/report-directory.ts');
    // The report of the user's own endpoint stays where it is.
    const options = { ...flags, defaultOut: join(defaultReportDirectory, 'demo', flags.broken ?? '') };
    const { startIntegrator } = await import('../examples/integrator/server.ts');
    const { default: example } = await import('../examples/svc-conform.config.json', { with: { type: 'json' } });
    const { resolveConfig } = await import('../harness/config/resolve-config.ts');
    const { limitYoungGeneration, showRun } = await import('./show-run.ts');
    const { writeNote } = await import('../run/output/terminal.ts');
    const { runConformance } = await import('../run/run-conformance.ts');
    const { freePort } = await import('../harness/wire/free-port.ts');
    // The integrator must know where API v1 is before the run.
    const service = { host: '127.0.0.1', port: await freePort() };
    const made = {
      CRM_TOKEN: randomSecret(),
      HOOK_SECRET: randomSecret(),
      AGENT_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
      SVC_API_KEY: `svc_sk_${randomSecret()}`,
    };
    const integrator = await startIntegrator({
      crmToken: made.CRM_TOKEN,
      hookSecret: made.HOOK_SECRET,
      agentSecret: made.AGENT_SECRET,
      apiKey: made.SVC_API_KEY,
      baseUrl: `http://${service.host}:${service.port}`,
      answer: options.answer,
      // The checks send requests that it must refuse; logging these would only be noise.
      log: () => undefined,
    });
    const { origin } = new URL(integrator.url);
    const secrets = { '/hooks': made.HOOK_SECRET, '/chat': made.AGENT_SECRET };
    const { BrokenFront } = await import('../harness/demo/broken-front.ts');
    const front = mistake && (await BrokenFront.open({ origin, mistake, secrets }));
    const address = (url: string) => front?.url(url) ?? url;
    try {
      const { exercise } = example.apiClient;
      const config = {
        ...example,
        crmWebhook: { ...example.crmWebhook, url: address(integrator.crmUrl) },
        apiWebhooks: { ...example.apiWebhooks, url: address(integrator.hooksUrl) },
        chat: { ...example.chat, url: address(integrator.chatUrl) },
        phone: { ...example.phone, url: address(integrator.voiceUrl) },
        observe: { url: integrator.stateUrl },
        service: { ...example.service, ...service },
        // Uses the Node of this process: the PATH may have another one first, or none.
        apiClient: { exercise: { command: exercise.command.replace(/^node /, `"${process.execPath}" `) } },
      };
      const input: RunInput = {
        config: resolveConfig(config, made, 'The demo', fileURLToPath(new URL('../examples', import.meta.url))),
        command: [
          'demo',
          ...(options.answer === 'now' ? [] : ['--answer', options.answer]),
          ...(flags.broken === undefined ? [] : ['--broken', flags.broken]),
        ],
        notes: [
          ...(mistake ? [`The mistake: ${mistake.what}`] : []),
          `The example integrator runs at ${integrator.url} (answers ${options.answer}).`,
        ],
        options,
      };
      limitYoungGeneration();
      await showRun(options, (output) => runConformance(input, output));
      if (!mistake && options.json !== true) {
        writeNote('svc-conform demo --broken shows what a failure looks like, and how it is reported.');
      }
    } finally {
      await front?.[Symbol.asyncDispose]();
      await integrator.close();
    }
  });
}

function randomSecret(): string {
  return randomBytes(24).toString('base64url');
}
