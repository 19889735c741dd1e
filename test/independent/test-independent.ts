import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Config, Report } from '../../specs/generated/types.ts';
import type { Surface } from '../../specs/surfaces.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import type { Fault } from './faults.ts';
import { type Endpoint, files, type Framework, reasonMissing, secrets, startEndpoint } from './start-endpoint.ts';

/** Frameworks that cannot run on this machine, each with the reason. */
const missing: Partial<Record<Framework, string>> = {};
for (const framework of Object.keys(files) as Framework[]) {
  const reason = await reasonMissing(framework);
  if (reason !== undefined) missing[framework] = reason;
}
for (const [framework, reason] of Object.entries(missing)) console.warn(`skipped ${framework}: ${reason}`);

/** Surfaces and behaviour that an integrator on this framework offers. */
export const offers: Record<Framework, { phone: boolean; laterReplies: boolean }> = {
  express: { phone: true, laterReplies: true },
  hono: { phone: true, laterReplies: true },
  'node-http': { phone: true, laterReplies: false },
  'python-http-server': { phone: false, laterReplies: true },
  'python-aiohttp': { phone: true, laterReplies: true },
  php: { phone: false, laterReplies: false },
};

function configOf(framework: Framework, { port, servicePort }: Endpoint): Config {
  const { phone, laterReplies } = offers[framework];
  const http = `http://127.0.0.1:${port}`;
  return {
    crmWebhook: { url: `${http}/crm`, token: 'env:CRM_TOKEN' },
    apiWebhooks: { url: `${http}/hooks`, secret: 'env:HOOK_SECRET' },
    chat: { url: `${http}/chat`, secret: 'env:AGENT_SECRET', timeoutSeconds: 10 },
    ...(phone && { phone: { url: `ws://127.0.0.1:${port}/voice`, secret: 'env:AGENT_SECRET', timeoutSeconds: 10 } }),
    skills: [
      { id: 1, key: 'sales', name: 'Sales', kind: 'forward' },
      { id: 2, key: 'urgent', name: 'Urgent', kind: 'alert' },
    ],
    stimuli: {
      knownCaller: '+4930901820',
      chat: {
        answer: 'When are you open?',
        handover: 'I want to speak to a person',
        end: 'That is all, goodbye',
        skill: 'Please put me through to sales',
        ...(laterReplies && { async: 'Can I have a quote for a repair?' }),
      },
      phone: {
        answer: 'When are you open?',
        handover: 'I want to speak to a person',
        end: 'That is all, goodbye',
        skill: 'Please put me through to sales',
        long: 'Tell me everything about your services',
      },
    },
    service: { host: '127.0.0.1', port: servicePort, apiKey: 'env:SVC_API_KEY' },
  };
}

/** Runs `check` against an endpoint, and returns the report and the output of the endpoint. */
async function check(framework: Framework, endpoint: Endpoint, ...flags: readonly string[]) {
  await using directory = await temporaryDirectory();
  const config = directory.at('svc-conform.config.json');
  await writeFile(config, JSON.stringify(configOf(framework, endpoint)));
  const args = ['check', '--config', config, '--seed', '17', '--json', ...flags];
  const { code, stdout, stderr } = await runCommand(args, { cwd: directory.path, env: secrets });
  expect(stdout, stderr).toMatch(/^\{/);
  return { code, report: JSON.parse(stdout) as Report, printed: `${stderr}\n${endpoint.output()}` };
}

/** Warnings of each run; the verdict does not depend on them. */
const advice: Partial<Record<Framework, readonly string[]>> = {
  'python-http-server': ['own-ai-chat/replayed-event-brings-no-second-reply'],
};

const failuresOf = ({ checks }: Report) => checks.filter(({ verdict }) => verdict === 'fail');

/** Milliseconds for a run of every check while other tests use the same processors. */
const wholeRun = 300_000;

/** The edge cases of each event and few mixes of them, which depend less on the framework; the proof has thousands. */
const fewMixes = ['--runs', '20'];

/** Registers a test for each framework: its correct integrator is conformant. */
export function testCorrect(frameworks: readonly Framework[]): void {
  for (const framework of frameworks) {
    it.skipIf(missing[framework])(
      `the one in ${framework} is conformant, without a warning`,
      { concurrent: true, timeout: wholeRun },
      async () => {
        await using endpoint = await startEndpoint(framework);
        const { code, report, printed } = await check(framework, endpoint, ...fewMixes);
        const failures = failuresOf(report);
        expect(
          failures.filter(({ level }) => level !== 'advice'),
          printed,
        ).toEqual([]);
        expect(new Set(failures.map(({ requirement }) => requirement))).toEqual(new Set(advice[framework]));
        expect(report.verdict, printed).toBe('conformant');
        expect(report.summary).toMatchObject({ fail: 0, warn: 0, blocked: 0 });
        expect(code).toBe(0);
        for (const surface of ['crm-webhook', 'api-webhooks', 'own-ai-chat', 'own-ai-phone'] as const) {
          const rows = report.requirements.filter((row) => row.surface === surface && row.verdict === 'pass');
          if (surface !== 'own-ai-phone' || offers[framework].phone) expect(rows.length, surface).toBeGreaterThan(20);
        }
      },
    );
  }
}

/** The exit code and the verdict when a requirement of this level fails. */
const outcomes = {
  must: { code: 1, verdict: 'non-conformant' },
  should: { code: 0, verdict: 'conformant-with-warnings' },
  advice: { code: 0, verdict: 'conformant' },
};

/** A requirement that each of them passes: a run in which nothing passed is incomplete. */
const passed: Partial<Record<Surface, string>> = {
  'crm-webhook': 'crm-webhook/accepts-the-token',
  'own-ai-chat': 'own-ai-chat/accepts-valid-signature',
};

/** Registers a test for each mistake: the run reports it with its cause or a fix. */
export function testMistakes(faults: readonly Fault[]): void {
  for (const fault of faults) {
    const { name, framework, mistake, edits, surface, requirement, level, causes, fix, undetermined } = fault;
    const why = undetermined === undefined ? '' : ` (no certain cause: ${undetermined})`;
    it.skipIf(missing[framework])(`${name}: ${mistake}${why}`, { concurrent: true, timeout: wholeRun }, async () => {
      await using endpoint = await startEndpoint(framework, edits);
      const only = level === undefined ? [requirement] : [requirement, passed[surface] ?? ''];
      const flags = [
        '--surface',
        surface,
        '--only',
        only.join(','),
        ...((causes ?? undetermined) ? [] : ['--no-diagnose']),
      ];
      const { code, report, printed } = await check(framework, endpoint, ...flags);
      const failed = failuresOf(report).filter((one) => one.requirement === requirement);
      expect(failed.length, `${JSON.stringify(report.checks, null, 1)}\n${printed}`).toBeGreaterThan(0);
      expect({ code, verdict: report.verdict }, printed).toEqual(outcomes[level ?? 'must']);
      const found = failed.flatMap((one) => one.causes ?? []);
      if (causes) expect(causes, JSON.stringify(failed)).toContain(found[0]?.id);
      if (undetermined !== undefined) expect(found.filter(({ certain }) => certain !== false)).toEqual([]);
      const row = report.requirements.find(({ id }) => id === requirement);
      const advised = undetermined === undefined ? [] : [row?.remediation];
      const explained = found.flatMap(({ remediation, why }) => [remediation, why]);
      const fixes = [...explained, ...failed.map(({ hint }) => hint), ...advised];
      if (fix) expect(fixes.join('\n')).toMatch(fix);
    });
  }
}
