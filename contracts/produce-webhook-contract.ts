import { isDeepStrictEqual } from 'node:util';
import { webhookPath } from '../generators/contracts/service-request.ts';
import type { Contract, HttpInteraction } from '../generators/contracts/contract.ts';
import { exampleOf } from '../generators/contracts/matchers-from-schema.ts';
import { parseJson } from '../harness/checks/json.ts';
import type { Answer } from '../harness/wire/observation.ts';
import { Session } from '../harness/checks/session.ts';
import { runDefaults, type ResolvedConfig, type RunSettings } from '../harness/config/settings.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { loadPact } from './load-pact.ts';
import { addHttpInteraction } from './add-http-interaction.ts';
import { deliverInteraction } from './deliver-interaction.ts';

type Webhook = Parameters<typeof webhookPath>[0];

/** They grant no access. */
const exampleCredentials = { token: 'made-up-for-contracts', secret: 'whsec_made-up-for-contracts' };

/**
 * Writes the contract of a webhook into a directory, each interaction only after our driver has sent its request to
 * Pact's mock server, which accepts nothing else, and has received its answer.
 *
 * @throws Error for a request that deviates from the contract, with Pact's message about it
 */
export async function produceWebhookContract(directory: string, contract: Contract<HttpInteraction>): Promise<void> {
  const { PactV4 } = await loadPact();
  const { consumer, provider, interactions } = contract;
  const surface = provider as Webhook;
  const config: ResolvedConfig = { skills: [], stimuli: {}, service: { host: '127.0.0.1', port: 0 } };
  await using session = await Session.open(settingsFor(config));
  for (const interaction of interactions) {
    const pact = new PactV4({ consumer, provider, dir: directory, logLevel: 'error' });
    await addHttpInteraction(pact, interaction).executeTest(async ({ url }) => {
      aimAt(config, surface, url + webhookPath(surface));
      const { description, credentials, request } = interaction;
      const event = exampleOf(request.body ?? null) as Readonly<Record<string, unknown>>;
      const { answer } = await deliverInteraction(session, surface, event, {
        label: description,
        ...(credentials && { credentials }),
      });
      assertAnswered(interaction, answer);
    });
  }
}

/** Sets the address of the mock server; each interaction has a different one. */
function aimAt(config: ResolvedConfig, surface: Webhook, url: string): void {
  if (surface === 'crm-webhook') config.crmWebhook = { url, token: exampleCredentials.token };
  else if (surface === 'api-webhooks') config.apiWebhooks = { url, secret: exampleCredentials.secret };
  else config.chat = { url, secret: exampleCredentials.secret, timeoutSeconds: 10 };
}

/** A request that Pact did not expect is answered with 500; its own message about that is more useful. */
function assertAnswered({ description, response: { status, body } }: HttpInteraction, answer: Answer): void {
  const expected = { status: typeof status === 'number' ? status : status.example, body: exampleOf(body ?? null) };
  if (answer.outcome === 'answered' && answer.status === 500) return;
  const received =
    answer.outcome === 'answered'
      ? { status: answer.status, body: answer.body.length === 0 ? null : bodyOf(answer.body) }
      : { outcome: answer.outcome };
  if (isDeepStrictEqual(received, expected)) return;
  throw new Error(`${description}: expected ${shortJson(expected)}, received ${shortJson(received)}`);
}

function bodyOf(bytes: Uint8Array): unknown {
  const parsed = parseJson(bytes);
  return 'value' in parsed ? parsed.value : parsed;
}

/** Settings of a run with these deliveries only. */
function settingsFor(config: ResolvedConfig): RunSettings {
  return { ...runDefaults, config, seed: 1, callbackWaitMs: 0, callbackLimitMs: 0, only: [] };
}
