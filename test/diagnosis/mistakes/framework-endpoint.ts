import { startEndpoint, type Edit, type Framework } from '../../independent/start-endpoint.ts';
import type { CauseId } from '../../../diagnosis/causes.ts';
import { apiKey, secret, token, type Mistake, type MistakeGroup } from './mistake.ts';

const labels: Readonly<Record<Framework, string>> = {
  express: 'Express',
  hono: 'Hono',
  'node-http': 'node:http',
  'python-http-server': 'http.server',
  'python-aiohttp': 'aiohttp',
  php: 'PHP',
};
/** What `check` advises about the integrators without a mistake. */
const advised: Partial<Record<Framework, readonly CauseId[]>> = { 'python-http-server': ['deduplication/none'] };
const paths = { 'crm-webhook': '/crm', 'api-webhooks': '/hooks', 'own-ai-chat': '/chat' } as const;
const env = { CRM_TOKEN: token, HOOK_SECRET: secret, AGENT_SECRET: secret, SVC_API_KEY: apiKey };

/** A correct integrator of test/independent with a mistake: code of it, and what replaces this code. */
function inFramework(
  framework: Framework,
  head: Omit<Mistake, 'start' | 'framework'>,
  edits: readonly Edit[],
): Mistake {
  return {
    mayAlso: advised[framework] ?? [],
    ...head,
    name: `${labels[framework]}: ${head.name}`,
    framework,
    start: async () => {
      const endpoint = await startEndpoint(framework, edits, env);
      return {
        origin: `http://127.0.0.1:${endpoint.port}`,
        path: paths[head.surface],
        stimuli: { knownCaller: '+4930901820', chat: { async: 'Can I have a quote for a repair?' } },
        [Symbol.asyncDispose]: async () => await endpoint[Symbol.asyncDispose](),
      };
    },
  };
}

/** Makes mistakes of a group, of the chat surface unless `more` states another. */
export function mistakesOfGroup(group: MistakeGroup) {
  return (
    framework: Framework,
    name: string,
    causes: readonly CauseId[],
    edits: readonly Edit[],
    more: Partial<Mistake> = {},
  ): Mistake => inFramework(framework, { name, group, surface: 'own-ai-chat', causes, ...more }, edits);
}
