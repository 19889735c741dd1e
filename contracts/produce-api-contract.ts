import type { PactV4 } from '@pact-foundation/pact';
import { apiV1Contract } from '../generators/contracts/api-v1.ts';
import type { Contract, HttpInteraction } from '../generators/contracts/contract.ts';
import { exampleOf } from '../generators/contracts/matchers-from-schema.ts';
import { sameJson } from '../generators/json-values.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { loadPact } from './load-pact.ts';
import { addHttpInteraction } from './add-http-interaction.ts';
import type { JsonValue } from '../specs/json-value.ts';

/**
 * Writes the contract of API v1 into a directory, each interaction only after an HTTP client has sent its request to
 * Pact's mock server and received its answer.
 *
 * @throws Error for an interaction that deviates from the contract
 */
export async function produceApiContract(
  directory: string,
  contract: Contract<HttpInteraction> = apiV1Contract,
): Promise<void> {
  const { PactV4 } = await loadPact();
  const { consumer, provider, interactions } = contract;
  for (const interaction of interactions) {
    const pact: PactV4 = new PactV4({ consumer, provider, dir: directory, logLevel: 'error' });
    await addHttpInteraction(pact, interaction).executeTest(async ({ url }) => {
      await request(url, interaction);
    });
  }
}

/** Sends the example request and compares the answer with the example response. */
async function request(url: string, { description, request: asked, response }: HttpInteraction): Promise<void> {
  const { method, path, headers = {}, body } = asked;
  const answer = await fetch(url + (exampleOf(path) as string), {
    method,
    headers: exampleOf(headers) as Record<string, string>,
    ...(body !== undefined && { body: JSON.stringify(exampleOf(body)) }),
  });
  const received = { status: answer.status, body: (await answer.json()) as JsonValue };
  const { status, body: answered = null } = response;
  const expected = { status: typeof status === 'number' ? status : status.example, body: exampleOf(answered) };
  if (!sameJson(received, expected)) {
    throw new Error(`${description}: expected ${shortJson(expected)}, received ${shortJson(received)}`);
  }
}
