import { HarnessFault } from '../harness/checks/faults.ts';
import { loadPact } from './load-pact.ts';
import type { PactMismatch } from './mismatch-finding.ts';

/** The verifier's result for one interaction. */
export interface VerifiedInteraction {
  readonly interactionKey?: string;
  readonly result: string;
  readonly mismatch?: {
    readonly type: string;
    readonly mismatches?: readonly PactMismatch[];
    /** Why there was nothing to compare. */
    readonly message?: string;
  };
}

/** A request of the verifier, with a parsed JSON body. */
export interface VerifierRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The answer that the verifier compares with the contract. */
export interface VerifierAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** Answers every request of the verifier: those for provider states, for messages, and for the provider. */
export type VerifierFilter = (request: VerifierRequest) => Promise<VerifierAnswer>;

export interface VerifierRun {
  readonly provider: string;
  /** Path of the Pact file. */
  readonly file: string;
  /** Milliseconds for one answer. */
  readonly timeoutMs: number;
  readonly filter: VerifierFilter;
}

/** Paths at which the verifier requests provider states and messages. */
export const statePath = '/_pactSetup';
export const messagePath = '/_messages';

/** The used part of Express's request filter. */
interface FilterResponse {
  statusCode: number;
  appendHeader(name: string, value: string): unknown;
  end(body?: Uint8Array): unknown;
}

/**
 * Runs Pact's verifier over one file. It only compares, and sends nothing to the endpoint: the filter answers each of
 * its requests.
 *
 * @throws HarnessFault `engine-failed` without a result
 */
export async function runPactVerifier({
  provider,
  file,
  timeoutMs,
  filter,
}: VerifierRun): Promise<VerifiedInteraction[]> {
  const { Verifier } = await loadPact();
  const verifier = new Verifier({
    provider,
    providerBaseUrl: 'http://127.0.0.1',
    pactUrls: [file],
    logLevel: 'error',
    timeout: timeoutMs,
    requestFilter: (request: VerifierRequest, response: FilterResponse) => {
      void answerBy(filter, request, response);
    },
  });
  let result: unknown;
  try {
    result = await verifier.verifyProvider();
  } catch (error) {
    // A failed verification rejects with its result as the message.
    result = error instanceof Error ? error.message : error;
  }
  return resultsOf(result);
}

async function answerBy(filter: VerifierFilter, request: VerifierRequest, response: FilterResponse): Promise<void> {
  try {
    const { status, headers, body } = await filter(request);
    response.statusCode = status;
    for (const [name, value] of headers) response.appendHeader(name, value);
    response.end(body);
  } catch {
    // The verifier then has nothing to compare, and reports that.
    response.statusCode = 599;
    response.end();
  }
}

function resultsOf(result: unknown): VerifiedInteraction[] {
  let value = result;
  try {
    if (typeof result === 'string') value = JSON.parse(result);
  } catch {
    // Reported below.
  }
  const results = (value as { interactionResults?: VerifiedInteraction[] } | undefined)?.interactionResults;
  if (!Array.isArray(results)) {
    throw new HarnessFault('engine-failed:pact-no-result', { received: String(result) });
  }
  return results;
}
