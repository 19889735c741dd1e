import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiWebhooksContract } from '../generators/contracts/api-webhooks.ts';
import { apiV1Contract } from '../generators/contracts/api-v1.ts';
import { contractFile, type Contract, type ProviderName } from '../generators/contracts/contract.ts';
import { crmWebhookContract } from '../generators/contracts/crm-webhook.ts';
import { ownAiChatContract } from '../generators/contracts/own-ai-chat.ts';
import { ownAiPhoneContract } from '../generators/contracts/own-ai-phone.ts';
import { canonicalPact } from './canonical-pact.ts';
import { produceApiContract } from './produce-api-contract.ts';
import { producePhoneContract } from './produce-phone-contract.ts';
import { produceWebhookContract } from './produce-webhook-contract.ts';

/** A contract, and the function that makes Pact write it into a directory. */
interface Producible {
  readonly contract: Contract;
  readonly produce: (directory: string) => Promise<void>;
}

const webhook = (contract: Parameters<typeof produceWebhookContract>[1]): Producible => ({
  contract,
  produce: (directory) => produceWebhookContract(directory, contract),
});

const producible: Readonly<Record<ProviderName, Producible>> = {
  'crm-webhook': webhook(crmWebhookContract),
  'api-webhooks': webhook(apiWebhooksContract),
  'own-ai-chat': webhook(ownAiChatContract),
  'own-ai-phone': { contract: ownAiPhoneContract, produce: producePhoneContract },
  'api-v1': { contract: apiV1Contract, produce: produceApiContract },
};

/**
 * Generates the Pact files of these providers, by file name: each interaction really takes place between our driver and
 * Pact, and the same contract gives the same bytes.
 *
 * @throws HarnessFault `package-missing` without Pact, `engine-failed` when it does not run on this system
 * @throws Error when a driver deviates from its contract
 */
export async function generateContracts(providers: readonly ProviderName[]): Promise<Readonly<Record<string, string>>> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-conform-pact-'));
  try {
    const files: Record<string, string> = {};
    for (const provider of providers) {
      const { contract, produce } = producible[provider];
      await produce(directory);
      const file = contractFile(contract);
      files[file] = canonicalPact(await readFile(join(directory, file), 'utf8'), contract);
    }
    return files;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
