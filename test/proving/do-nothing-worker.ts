/**
 * `node test/proving/do-nothing-worker.ts NAME`: runs all checks against one endpoint that does nothing, without
 * stimuli, and prints the ids of the requirements by verdict, as JSON.
 */
import { runSuites } from '../../harness/checks/engine.ts';
import { doNothingEndpoints, startDoNothing } from './do-nothing-endpoints.ts';
import type { DoNothingOutcome } from './do-nothing.ts';
import { setUp } from './endpoint.ts';

const endpoint = doNothingEndpoints.find(({ name }) => name === process.argv[2]);
if (endpoint === undefined) throw new Error(`There is no such endpoint: ${process.argv[2]}`);
await using running = await startDoNothing(endpoint);
const [url, agent] = [`http://${running.host}/`, { secret: setUp.agentSecret, timeoutSeconds: 1 }];
const isOn = (surface: (typeof endpoint.surfaces)[number]) => endpoint.surfaces.includes(surface);
const checks = await runSuites({
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
const outcome: DoNothingOutcome = {
  passed: having((all) => all.has('pass') && !isBad(all)),
  failed: having((all) => all.has('fail')),
  blocked: having((all) => all.has('blocked') && !all.has('fail')),
};
process.stdout.write(JSON.stringify(outcome));
process.exit(0);
