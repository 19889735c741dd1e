import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectRun } from '../../run/collect/collect-run.ts';
import { startIntegrator } from '../../examples/integrator/server.ts';
import example from '../../examples/svc-conform.config.json' with { type: 'json' };
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import { buildReport } from '../../reports/model/build-report.ts';
import { mergeReports } from '../../reports/model/merge-reports.ts';
import type { Report, Shard } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { runEngine } from './engine/run-engine.ts';
import { credentials, settingsOf } from './settings-for-tests.ts';
import type { Surface } from '../../specs/surfaces.ts';

const environment = {
  CRM_TOKEN: credentials.token,
  HOOK_SECRET: credentials.hookSecret,
  AGENT_SECRET: credentials.agentSecret,
  SVC_API_KEY: credentials.apiKey,
};
const shards: Shard[] = [1, 2, 3, 4].map((index) => ({ index, of: 4 }));

/** Milliseconds for a complete run and its four shards in turn, on a busy machine. */
const wholeRunsMs = 300_000;

type Integrator = Awaited<ReturnType<typeof startIntegrator>>;

/** The report of a complete run against the example integrator, or of one shard. */
async function reportOf(integrator: Integrator, judged: readonly Surface[], shard?: Shard): Promise<Report> {
  const config = resolveConfig(
    {
      ...example,
      crmWebhook: { ...example.crmWebhook, url: integrator.crmUrl },
      apiWebhooks: { ...example.apiWebhooks, url: integrator.hooksUrl },
      chat: { ...example.chat, url: integrator.chatUrl },
      phone: { ...example.phone, url: integrator.voiceUrl },
      observe: { url: integrator.stateUrl },
      apiClient: {
        exercise: { command: example.apiClient.exercise.command.replace(/^node /, `"${process.execPath}" `) },
      },
    },
    environment,
    'The test',
    fileURLToPath(new URL('../../examples', import.meta.url)),
  );
  const startedAt = new Date().toISOString();
  const { checks, fault, ms } = await runEngine({
    settings: settingsOf(config, { runs: 3, retryWatchMs: 200 }),
    surfaces: [...judged],
    ...(shard && { shard }),
  });
  expect(fault).toBeUndefined();
  return buildReport({
    version: '0.1.0',
    protocol: '2026-10-11',
    startedAt,
    durationMs: ms,
    seed: 7,
    target: { 'crm-webhook': { url: integrator.crmUrl } },
    ...(shard && { selection: { shard } }),
    configured: [...judged],
    ...collectRun(checks, ({ id }) => `svc-conform check --only ${id}`),
  });
}

/** The parts of a report that two equal runs share: without times, samples and ids of exchanges. */
function lasting({ verdict, summary, requirements, checks, seed, selection, target, timings }: Report) {
  return {
    verdict,
    summary,
    seed,
    selection,
    target,
    requirements: requirements.map(({ id, verdict: of, section, level, checks: ids }) => ({
      id,
      of,
      section,
      level,
      ids,
    })),
    checks: checks.map(({ id, requirement, title, level, verdict: of, code }) => ({
      id,
      requirement,
      title,
      level,
      of,
      code,
    })),
    timings: timings.map(({ name, limit }) => `${name} ${limit}`).sort(),
  };
}

/**
 * Registers tests that four shards of a run against the example integrator make the report of one run.
 *
 * @param judged the surfaces of the run
 * @param other options of the integrator that make it faulty
 */
export function testShards(judged: readonly Surface[], other: { crmToken?: string } = {}): void {
  let integrator: Integrator;
  let whole: Report;
  const parts: Report[] = [];

  beforeAll(async () => {
    integrator = await startIntegrator({
      crmToken: credentials.token,
      hookSecret: credentials.hookSecret,
      agentSecret: credentials.agentSecret,
      apiKey: credentials.apiKey,
      log: () => undefined,
      ...other,
    });
    whole = await reportOf(integrator, judged);
    for (const shard of shards) parts.push(await reportOf(integrator, judged, shard));
  }, wholeRunsMs);
  afterAll(() => integrator.close());

  it('make the report of one run', () => {
    const merged = mergeReports(parts);
    expect(validate('report', merged)).toEqual([]);
    expect(lasting(merged)).toEqual(lasting(whole));
    expect(lasting(merged).checks.length).toBeGreaterThan(100);
  });

  it('have each a part of the checks, and each a different part', () => {
    for (const { checks } of parts) {
      const elsewhere = new Set(
        parts.flatMap((part) => (part.checks === checks ? [] : part.checks.map(({ id }) => id))),
      );
      expect(checks.length).toBeLessThan(whole.checks.length);
      expect(checks.filter(({ id }) => !elsewhere.has(id)).length).toBeGreaterThan(0);
    }
  });
}
