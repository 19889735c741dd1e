import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject } from '../specs/json-object.ts';
import { matchOperation } from '../specs/api-operations.ts';
import { ApiProvider } from './api-provider.ts';
import type { ApiStateValues, StateFault } from './api-states.ts';
import { StateConflict } from './enter-api-state.ts';
import { readConsumerContract, type ConsumerContract, type ConsumerInteraction } from './consumer-contract.ts';
import { fieldOf } from './pact-matchers.ts';
import type { StateTranslations } from './state-translations.ts';
import type { PactMismatch } from './mismatch-finding.ts';
import { runPactVerifier, statePath, type VerifierAnswer, type VerifierRequest } from './pact-verifier.ts';

const noResult: StateFault = { expected: 'a result of Pact', received: 'none' };

/** The result of one interaction. */
export interface ReplayedInteraction {
  readonly index: number;
  /** Why it could not be tested. */
  readonly skipped?: StateFault;
  /** Differences between the answer and the contract, as Pact reports them. */
  readonly mismatches: readonly PactMismatch[];
  /** The answer of the simulated service. */
  readonly answer?: { readonly status: number; readonly body: string };
}

/** Milliseconds for one answer of the simulated service, which is in the same process. */
const answerMs = 30_000;
/** Maximum number of characters of a reported answer. */
const reportedCharacters = 2_000;
/** Prefix of the one state of each interaction in the file for the verifier. */
const statePrefix = 'interaction ';

/** A request of the verifier, with Express's fields. */
interface ExpressRequest extends VerifierRequest {
  readonly originalUrl: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Replays the interactions of a contract against the simulated service, each in a new inbox in the required states.
 * Pact's own verifier compares, so that its matchers have their usual meaning.
 *
 * @param text of the Pact file
 * @throws ContractFault, and HarnessFault `engine-failed` when Pact's verifier cannot be run
 */
export async function replayInteractions(
  text: string,
  words: StateTranslations = new Map(),
): Promise<ReplayedInteraction[]> {
  const contract = readConsumerContract(text, words);
  await using provider = await ApiProvider.open();
  const tries = new Map(
    contract.interactions.map((interaction) => [interaction.index, new ReplayAttempt(interaction, provider)]),
  );
  // One after another: each has the only inbox to itself. Those whose states cannot be entered are omitted from the file.
  for (const one of tries.values()) await one.rehearse();
  const ready = [...tries.values()].filter(({ skipped }) => skipped === undefined);
  if (ready.length > 0) {
    const directory = await mkdtemp(join(tmpdir(), 'svc-conform-'));
    try {
      const file = join(directory, 'contract.json');
      const interactions = ready.map(({ interaction }) => numbered(interaction));
      await writeFile(file, JSON.stringify(verifiable(contract, interactions)));
      let current: ReplayAttempt | undefined;
      const results = await runPactVerifier({
        provider: contract.provider,
        file,
        timeoutMs: answerMs,
        filter: async (request) => {
          if (request.path !== statePath) return (await current?.answer(request as ExpressRequest)) ?? noAnswer;
          const { action, state } = request.body as { action?: string; state?: string };
          if (action === 'teardown') return json({});
          current = tries.get(Number(state?.slice(statePrefix.length)));
          return json((await current?.enter()) ?? {});
        },
      });
      for (const result of results) {
        const { description } = result as { description?: string };
        tries.get(Number(description))?.take(result.mismatch);
      }
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  return [...tries.values()].map((one) => one.result());
}

const noAnswer: VerifierAnswer = { status: 503, headers: [], body: new Uint8Array() };

function json(value: unknown): VerifierAnswer {
  return { status: 200, headers: [['content-type', 'application/json']], body: Buffer.from(JSON.stringify(value)) };
}

/** Fields of a request or answer in Pact's specifications. */
const partFields = ['method', 'path', 'query', 'status', 'headers', 'body', 'matchingRules', 'generators'];

/**
 * A contract with only the compared parts: plugins in it would be started, or looked for on the
 * network.
 */
function verifiable({ consumer, provider, raw }: ConsumerContract, interactions: readonly object[]): object {
  const { metadata } = raw;
  const versions = ['pactSpecification', 'pact-specification', 'pactSpecificationVersion'];
  return {
    consumer: { name: consumer },
    provider: { name: provider },
    interactions,
    ...(metadata !== undefined && { metadata: only(versions, metadata) }),
  };
}

function only(names: readonly string[], value: unknown): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (fieldOf(value, name) === undefined ? [] : [[name, fieldOf(value, name)]]))); // prettier-ignore
}

/** An interaction with a number in place of its description, which identifies the results in every version of Pact. */
function numbered({ index, raw }: ConsumerInteraction): Record<string, unknown> {
  const name = `${statePrefix}${index}`;
  const isOlder = raw['providerStates'] === undefined && (raw['providerState'] ?? raw['provider_state']) !== undefined;
  return {
    ...(raw['type'] !== undefined && { type: 'Synchronous/HTTP' }),
    request: only(partFields, raw['request']),
    response: only(partFields, raw['response']),
    description: String(index),
    // The later form in a file of an older version would be ignored.
    providerState: name,
    ...(!isOlder && { providerStates: [{ name }] }),
  };
}

/** One interaction, from its states to Pact's result. */
class ReplayAttempt {
  readonly interaction: ConsumerInteraction;
  skipped: StateFault | undefined;
  readonly #provider: ApiProvider;
  #mismatches: readonly PactMismatch[] | undefined;
  #answer: ReplayedInteraction['answer'];

  constructor(interaction: ConsumerInteraction, provider: ApiProvider) {
    this.interaction = interaction;
    this.#provider = provider;
  }

  /** Tries to enter its states. */
  async rehearse(): Promise<void> {
    const { request, raw } = this.interaction;
    const { transport = 'http' } = raw;
    if (raw['pluginConfiguration'] !== undefined || !/^https?$/i.test(String(transport))) {
      this.skipped = { expected: 'an interaction that Pact compares without a plugin', received: 'one that needs one' };
      return;
    }
    const isJson = /\bjson\b/i.test(headerOf(request.headers, 'content-type') ?? 'json');
    if (typeof request.body === 'string' && isJson && !isJsonText(request.body)) {
      this.skipped = { expected: 'a request with a JSON body', received: 'one that declares JSON but is not' };
      return;
    }
    if (this.interaction.states.length === 0) return;
    try {
      await this.enter();
    } catch (error) {
      this.skipped =
        error instanceof StateConflict
          ? error.fault
          : { expected: (error as Error).message, received: 'something else' };
    }
  }

  /** Puts a new inbox into its states. Returns the values that `fromProviderState` may refer to. */
  async enter(): Promise<ApiStateValues> {
    await this.#provider.renew();
    const values: ApiStateValues = {};
    const hints = hintsOf(this.interaction);
    for (const state of this.interaction.states) Object.assign(values, await this.#provider.enter(state, hints));
    return values;
  }

  /** Sends the verifier's request to the simulated service, with a valid API key. */
  async answer({ method, originalUrl, headers, body }: ExpressRequest): Promise<VerifierAnswer> {
    const sent = new Headers();
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined && !ownHeaders.has(name)) sent.set(name, [value].flat().join(', '));
    }
    this.#setKey(sent);
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body ?? ''));
    const response = await fetch(this.#provider.baseUrl + originalUrl, {
      method,
      headers: sent,
      redirect: 'manual',
      ...(hasBody && method !== 'GET' && method !== 'HEAD' && { body: bytes }),
    });
    const answered = Buffer.from(await response.arrayBuffer());
    this.#answer = { status: response.status, body: answered.toString('utf8').slice(0, reportedCharacters) };
    const kept = [...response.headers].filter(([name]) => !ownHeaders.has(name));
    return { status: response.status, headers: kept, body: answered };
  }

  /** Replaces the contract's API key, which is an example. One that must be refused stays unchanged. */
  #setKey(headers: Headers): void {
    if (this.interaction.response.status === 401) return;
    const isBearer = headers.has('authorization') && !headers.has('x-api-key');
    if (isBearer) headers.set('authorization', `Bearer ${this.#provider.apiKey}`);
    else headers.set('x-api-key', this.#provider.apiKey);
  }

  take(mismatch: { mismatches?: readonly PactMismatch[]; message?: string } | undefined): void {
    this.#mismatches = mismatch === undefined ? [] : (mismatch.mismatches ?? []);
    if (mismatch !== undefined && this.#mismatches.length === 0) {
      this.skipped = {
        expected: 'an interaction that Pact can compare',
        received: `one with the message: ${mismatch.message ?? 'none'}`,
      };
    }
  }

  result(): ReplayedInteraction {
    const { index } = this.interaction;
    const skipped = this.skipped ?? (this.#mismatches === undefined ? noResult : undefined);
    return {
      index,
      mismatches: this.#mismatches ?? [],
      ...(skipped !== undefined && { skipped }),
      ...(this.#answer && { answer: this.#answer }),
    };
  }
}

/** Headers of one connection, which do not apply to the next. */
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'content-encoding',
]);

function headerOf(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Values in a request: a state that omits a parameter takes it from here. */
function hintsOf({ request: { method, path, headers, body } }: ConsumerInteraction): ApiStateValues {
  const matched = matchOperation(method, path);
  const { id: named, key } = matched && 'id' in matched ? matched.parameters : {};
  const [, , resource] = path.split('/');
  const idName = ({ projects: 'projectId', agents: 'agentId', appointments: 'appointmentId' } as const)[resource ?? ''];
  const target = fieldOf(body, 'target');
  const fields = { ...(isJsonObject(body) ? body : {}), ...(isJsonObject(target) ? target : {}) };
  const idempotencyKey = headerOf(headers, 'idempotency-key');
  return {
    ...hintFields(fields),
    ...(idName !== undefined && isId(Number(named)) && { [idName]: Number(named) }),
    ...(key !== undefined && { key }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

function hintFields(fields: Readonly<Record<string, unknown>>): ApiStateValues {
  const { contactId, projectId, phone, email, externalId, channel } = fields;
  return {
    ...(isId(contactId) && { contactId }),
    ...(isId(projectId) && { projectId }),
    ...(typeof phone === 'string' && { phone }),
    ...(typeof email === 'string' && { email }),
    ...(typeof externalId === 'string' && { externalId }),
    ...(typeof channel === 'string' && { channel }),
  };
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
