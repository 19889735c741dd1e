import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalPact } from '../../contracts/canonical-pact.ts';
import { generateContracts } from '../../contracts/generate-contracts.ts';
import { produceWebhookContract } from '../../contracts/produce-webhook-contract.ts';
import { apiWebhooksContract } from '../../generators/contracts/api-webhooks.ts';
import {
  contractFile,
  providerNames,
  type Contract,
  type HttpInteraction,
} from '../../generators/contracts/contract.ts';
import { crmWebhookContract } from '../../generators/contracts/crm-webhook.ts';
import { ownAiChatContract } from '../../generators/contracts/own-ai-chat.ts';

const checkedIn = new URL('../../specs/generated/contracts/', import.meta.url);

let generated: Readonly<Record<string, string>>;
let directory: string;
beforeAll(async () => {
  generated = await generateContracts(providerNames);
  directory = await mkdtemp(join(tmpdir(), 'svc-conform-test-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('the checked-in contracts', () => {
  it('are exactly the generated ones', async () => {
    expect((await readdir(checkedIn)).sort()).toEqual(Object.keys(generated).sort());
  });

  it.each(providerNames)('are up to date for %s', async (provider) => {
    const file = contractFile({ consumer: provider === 'api-v1' ? 'integrator' : 'svc', provider });
    const text = await readFile(new URL(file, checkedIn), 'utf8');
    // Compared as one boolean: a diff of these files is too long to read.
    expect(text === generated[file], `${file} is stale; npm run generate -- contracts`).toBe(true);
  });

  it('contain everything that a verdict needs, and no names of tools', () => {
    const pact = JSON.parse(generated['svc-crm-webhook.json'] ?? '') as {
      metadata: unknown;
      interactions: { description: string; comments: unknown; response: { headers?: unknown } }[];
    };
    expect(pact.metadata).toEqual({ pactSpecification: { version: '4.0' } });
    expect(pact.interactions.map(({ description }) => description)).toEqual(
      crmWebhookContract.interactions.map(({ description }) => description),
    );
    const named = (words: string) => pact.interactions.find(({ description }) => description.includes(words))?.comments;
    expect(named('with another token')).toEqual({ requirement: 'crm-webhook/refuses-with-401', credentials: 'wrong' });
    expect(named('FinishedCall is answered')).toEqual({
      requirement: 'crm-webhook/ids-are-strings',
      otherwise: [202, 204],
      shows: [{ pointer: '/requestProjectUpdate', value: true }, { pointer: '/projectData/crmProjectId' }],
    });
  });

  it('require no content type for answers, as the interface does not', () => {
    for (const file of Object.keys(generated).filter((name) => name.startsWith('svc-'))) {
      const { interactions } = JSON.parse(generated[file] ?? '') as { interactions: { response?: object }[] };
      expect(interactions.filter(({ response = {} }) => 'headers' in response)).toEqual([]);
    }
  });
});

describe('an interaction that our driver does not execute', () => {
  const only = (
    contract: Contract<HttpInteraction>,
    words: string,
    change: (one: HttpInteraction) => HttpInteraction,
  ) => ({
    ...contract,
    interactions: contract.interactions.filter(({ description }) => description === words).map(change),
  });
  const withHeaders = (one: HttpInteraction, headers: Record<string, string>): HttpInteraction => ({
    ...one,
    request: { ...one.request, headers: { ...one.request.headers, ...headers } },
  });

  it.each([
    [
      'a header that is not sent',
      only(apiWebhooksContract, 'the event appointment.created', (one) => withHeaders(one, { 'X-Svc-Event': 'x' })),
      'X-Svc-Event',
    ],
    [
      'another path',
      only(crmWebhookContract, 'the event Manual', (one) => ({
        ...one,
        request: { ...one.request, path: '/elsewhere' },
      })),
      '/crm',
    ],
    [
      'no field that the body has',
      only(ownAiChatContract, 'a ping', (one) => ({
        ...one,
        request: { ...one.request, body: { type: 'ping', id: 'evt_12345678' } },
      })),
      'id',
    ],
    [
      'a token though none is sent',
      only(crmWebhookContract, 'an event without a token', (one) => withHeaders(one, { Authorization: 'Bearer x' })),
      'Authorization',
    ],
  ])('is not written: %s', async (_, contract, words) => {
    expect(contract.interactions).toHaveLength(1);
    await expect(produceWebhookContract(directory, contract)).rejects.toThrow(words);
    expect(await readdir(directory)).toEqual([]);
  });

  it('is missed when the file lacks it', () => {
    const text = generated['svc-api-webhooks.json'] ?? '';
    const [first, ...others] = apiWebhooksContract.interactions as [HttpInteraction, ...HttpInteraction[]];
    const renamed = { ...apiWebhooksContract, interactions: [{ ...first, description: 'something else' }, ...others] };
    expect(() => canonicalPact(text, renamed)).toThrow('expected the interaction “something else”');
    expect(() => canonicalPact(text, { ...apiWebhooksContract, interactions: others })).toThrow(
      /expected \d+ interactions/,
    );
    expect(canonicalPact(text, apiWebhooksContract)).toBe(text);
  });
});
