import { Connection } from '../../diagnosis/connection.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { ApiWebhookEvent, DiagnosedSurface } from '../../specs/generated/types.ts';
import { apiKeyOf, setUp, startEndpoint, type RunningEndpoint, type Seams } from '../proving/endpoint.ts';

export interface OpenOptions {
  /** Milliseconds for the whole diagnosis. */
  withinMs?: number;
  over?: Partial<ResolvedConfig>;
  /** Event types of the API webhook subscription; absent: all of them. */
  subscribed?: readonly ApiWebhookEvent['type'][] | undefined;
  /** The brand of the config; absent: that of the document. */
  brand?: string | undefined;
}

/** Starts the proving endpoint with some seams replaced, and opens a connection to one of its surfaces. */
export async function openEndpoint(
  surface: DiagnosedSurface,
  seams: Seams,
  { withinMs = 60_000, over = {}, subscribed, brand }: OpenOptions = {},
): Promise<{ connection: Connection; endpoint: RunningEndpoint } & AsyncDisposable> {
  const endpoint = await startEndpoint(seams);
  const plain = configOf(endpoint);
  const service = { ...plain.service, apiKey: apiKeyOf(brand) };
  const config = { ...plain, ...(brand !== undefined && { brand, service }), ...over };
  if (subscribed && config.apiWebhooks) config.apiWebhooks = { ...config.apiWebhooks, events: subscribed };
  const connection = await Connection.open(surface, config, { seed: 7, withinMs });
  return {
    connection,
    endpoint,
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

function configOf({ crm, hooks, chat, voice, state }: RunningEndpoint): ResolvedConfig {
  const { token, hookSecret, agentSecret, apiKey, skills, stimuli } = setUp;
  return {
    crmWebhook: { url: crm, token },
    apiWebhooks: { url: hooks, secret: hookSecret },
    chat: { url: chat, secret: agentSecret, timeoutSeconds: 2 },
    phone: { url: voice, secret: agentSecret, timeoutSeconds: 2 },
    skills: [...skills],
    stimuli,
    observe: { url: state },
    service: { host: '127.0.0.1', port: 0, apiKey },
  };
}
