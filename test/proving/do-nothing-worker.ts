/**
 * `node test/proving/do-nothing-worker.ts [NAME]…`: runs all checks against these endpoints that do nothing, or each of
 * them, without stimuli, and prints the ids of the requirements by verdict and endpoint, as JSON.
 */
import { doNothingEndpoints, startDoNothing, type DoNothingEndpoint } from './do-nothing-endpoints.ts';
import type { DoNothingOutcome } from './do-nothing.ts';
import { setUp } from './endpoint.ts';
import { runRegistered } from './run-registered.ts';

async function outcomeOf(endpoint: DoNothingEndpoint): Promise<DoNothingOutcome> {
  await using running = await startDoNothing(endpoint);
  const [url, agent] = [`http://${running.host}/`, { secret: setUp.agentSecret, timeoutSeconds: 1 }];
  const isOn = (surface: (typeof endpoint.surfaces)[number]) => endpoint.surfaces.includes(surface);
  const checks = await runRegistered({
    surfaces: endpoint.surfaces,
    settings: {
      config: {
        ...(isOn('crm-webhook') && { crmWebhook: { url, token: setUp.token } }),
        ...(isOn('api-webhooks') && { apiWebhooks: { url, secret: setUp.hookSecret } }),
        ...(isOn('own-ai-chat') && { chat: { url, ...agent } }),
        ...(isOn('own-ai-phone') && { phone: { url: url.replace('http', 'ws'), ...agent } }),
        skills: setUp.skills,
        stimuli: {},
        service: { host: '127.0.0.1', port: 0, apiKey: setUp.apiKey },
      },
      seed: 7,
      runs: 10,
      callbackWaitMs: 1_500,
      callbackLimitMs: 1_500,
      answerTimeoutMs: 2_000,
      quietMs: 200,
      shrinkMs: 500,
      propertyMs: 3_000,
      retryWatchMs: 600,
      only: [],
    },
  });
  const verdicts = new Map<string, Set<string>>();
  for (const { requirement, verdict } of checks) {
    verdicts.set(requirement, (verdicts.get(requirement) ?? new Set()).add(verdict));
  }
  const having = (isSo: (all: Set<string>) => boolean) =>
    [...verdicts].flatMap(([id, all]) => (isSo(all) ? [id] : [])).sort();
  const isBad = (all: Set<string>) => all.has('fail') || all.has('blocked');
  return {
    passed: having((all) => all.has('pass') && !isBad(all)),
    failed: having((all) => all.has('fail')),
    blocked: having((all) => all.has('blocked') && !all.has('fail')),
  };
}

const names = process.argv.slice(2);
const selected = doNothingEndpoints.filter(({ name }) => names.length === 0 || names.includes(name));
// They mostly wait, and share what is loaded.
const outcomes = await Promise.all(selected.map(async (one) => [one.name, await outcomeOf(one)] as const));
process.stdout.write(JSON.stringify(Object.fromEntries(outcomes)), () => process.exit(0));
