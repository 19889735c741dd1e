import type { PactSettings } from '../harness/config/settings.ts';
import { fileBounds, readBoundedJson } from '../specs/bounded-json.ts';
import { isJsonObject } from '../specs/json-object.ts';
import type { JsonObject } from '../specs/json-value.ts';

/** The address of a broker, and what to publish there. */
export type BrokerSettings = NonNullable<PactSettings['broker']>;

/** A broker that could not be reached, or refused; the message is for the user. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError';
}

/** Milliseconds for one answer of a broker. */
const timeoutMs = 30_000;
/** Bytes of an answer; our pacts have some hundred thousand. */
const mostBytes = 16_777_216;
/** Characters of an answer that a message shows. */
const shownCharacters = 300;

/** A Pact broker, used through its HAL links, or at Pact's standard addresses if it has none. */
export class PactBrokerClient {
  readonly #url: string;
  readonly #token: string | undefined;
  #index: Promise<JsonObject> | undefined;

  constructor({ url, token }: Pick<BrokerSettings, 'url' | 'token'>) {
    this.#url = url.replace(/\/+$/, '');
    this.#token = token;
  }

  /** The pact of a consumer's version at the broker; `undefined` if it has none. */
  async pact(names: PactNames): Promise<JsonObject | undefined> {
    const address = await this.#address('pb:publish-pact', pactPath, names);
    return await this.#request('GET', address, { orNothing: true });
  }

  /** Publishes a contract as a version of its consumer, on the branch that the broker shows by default. */
  async publishContract(names: PactNames, text: string): Promise<void> {
    const address = await this.#address('pb:publish-contracts', '/contracts/publish', {});
    await this.#request('POST', address, {
      body: {
        pacticipantName: names.consumer,
        pacticipantVersionNumber: names.consumerApplicationVersion,
        branch: 'main',
        contracts: [
          {
            consumerName: names.consumer,
            providerName: names.provider,
            specification: 'pact',
            contentType: 'application/json',
            content: Buffer.from(text, 'utf8').toString('base64'),
          },
        ],
      },
    });
  }

  /** Records the branch on which a version of the provider was made. */
  async addToBranch(pacticipant: string, branch: string, version: string): Promise<void> {
    const path = '/pacticipants/{pacticipant}/branches/{branch}/versions/{version}';
    const address = await this.#address('pb:pacticipant-branch-version', path, { pacticipant, branch, version });
    await this.#request('PUT', address, { body: {} });
  }

  /** Publishes the result of a verification of this pact. */
  async publishResult(pact: JsonObject, result: JsonObject): Promise<void> {
    const address = hrefOf(pact, 'pb:publish-verification-results');
    if (address === undefined) throw new BrokerError(`${this.#url} has no link for publishing results of this pact.`);
    await this.#request('POST', address, { body: result });
  }

  async #address(relation: string, path: string, values: Readonly<Record<string, string>>): Promise<string> {
    this.#index ??= this.#request('GET', this.#url, {}).then((index) => index ?? {});
    const template = hrefOf(await this.#index, relation) ?? this.#url + path;
    return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  }

  async #request(
    method: 'GET' | 'POST' | 'PUT',
    address: string,
    { body, orNothing = false }: { body?: JsonObject; orNothing?: boolean },
  ): Promise<JsonObject | undefined> {
    // A link may lead anywhere, but the token must stay here.
    if (!URL.canParse(address) || new URL(address).origin !== new URL(this.#url).origin) {
      throw new BrokerError(
        `The broker at ${this.#url} links to another host (${address}): configure that address instead.`,
      );
    }
    const request = `${method} ${address}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(address, {
        method,
        headers: {
          accept: 'application/hal+json, application/json',
          ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      text = await textOf(response, request);
    } catch (error) {
      if (error instanceof BrokerError) throw error;
      const { cause = error } = error as { cause?: unknown };
      throw new BrokerError(`${request}: no answer (${cause instanceof Error ? cause.message : String(cause)}).`);
    }
    if (orNothing && response.status === 404) return undefined;
    if (!response.ok) {
      const why = response.status === 401 || response.status === 403 ? ' Check the token.' : '';
      throw new BrokerError(
        `${request}: expected 2xx, received ${response.status} ${text.slice(0, shownCharacters)}${why}`,
      );
    }
    return asObject(text, request);
  }
}

/** Names that identify a pact at a broker. */
export interface PactNames extends Readonly<Record<string, string>> {
  readonly provider: string;
  readonly consumer: string;
  readonly consumerApplicationVersion: string;
}

const pactPath = '/pacts/provider/{provider}/consumer/{consumer}/version/{consumerApplicationVersion}';

/** Reads an answer up to the size limit. */
async function textOf(response: Response, request: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > mostBytes) {
      throw new BrokerError(
        `${request}: expected an answer of at most ${mostBytes / 1_048_576} MB, received more. Is this the address of a Pact broker?`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function hrefOf({ _links: links }: JsonObject, relation: string): string | undefined {
  const link = isJsonObject(links) ? links[relation] : undefined;
  return isJsonObject(link) && typeof link.href === 'string' ? link.href : undefined;
}

function asObject(text: string, request: string): JsonObject {
  const read = readBoundedJson(Buffer.from(text), fileBounds);
  if ('value' in read) return isJsonObject(read.value) ? read.value : {};
  if (!read.unread) return {};
  throw new BrokerError(
    `${request}: expected the JSON of a broker, received ${read.error}. Is this the address of a Pact broker?`,
  );
}
