import { fileBounds, readBoundedJson } from '../specs/bounded-json.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { shortJson } from '../specs/explain-violations.ts';
import type { ProviderState } from '../generators/contracts/contract.ts';
import { ContractFault } from './contract-fault.ts';
import { fieldOf, readMatchers, type Matchers } from './pact-matchers.ts';
import { translateState, type StateTranslations } from './state-translations.ts';
import type { JsonValue } from '../specs/json-value.ts';

/** One side of an interaction, in one form for all versions of Pact. */
export interface ContractPart {
  /** Repeated headers are joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined`: the contract does not check it. A string if it is not JSON. */
  readonly body: JsonValue | undefined;
  readonly matchers: Matchers;
  /** JSON Pointer of the body, from the interaction. */
  readonly bodyPointer: string;
}

/** One HTTP interaction of a consumer's contract. */
export interface ConsumerInteraction {
  /** Its index in `interactions` of the file. */
  readonly index: number;
  readonly description: string;
  readonly states: readonly ProviderState[];
  readonly request: ContractPart & {
    readonly method: string;
    readonly path: string;
    /** As in a URL, without the question mark. */
    readonly query: string;
  };
  readonly response: ContractPart & { readonly status: number };
  /** As in the file. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** An interaction that is not for API v1, which only answers HTTP. */
export interface OtherInteraction {
  readonly index: number;
  readonly description: string;
  /** Its type, as in the file. */
  readonly type: string;
}

/** A consumer's contract, read from a Pact file. */
export interface ConsumerContract {
  readonly consumer: string;
  readonly provider: string;
  /** Major version of the Pact specification, 1 to 4. */
  readonly version: number;
  readonly interactions: readonly ConsumerInteraction[];
  readonly others: readonly OtherInteraction[];
  /** As in the file. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Characters of a file; contracts are far smaller. */
const mostCharacters = 20_000_000;
/** Interactions of a file. */
const mostInteractions = 2_000;

/**
 * Reads a Pact file of version 1 to 4 (with matching rules of each), as Pact libraries of any language write it. Judges
 * nothing.
 *
 * @param words translations of states that are not ours
 * @throws ContractFault for a file that is not JSON, not a Pact file, malformed, or a contract of the service itself
 */
export function readConsumerContract(text: string, words: StateTranslations = new Map()): ConsumerContract {
  if (text.length > mostCharacters) {
    throw new ContractFault(`expected a Pact file of at most ${mostCharacters} characters, received ${text.length}`);
  }
  const raw = readJson(text);
  if (!isJsonObject(raw)) throw new ContractFault(`expected a Pact file, a JSON object, received ${shortJson(raw)}`);
  const consumer = nameOf(raw, 'consumer');
  const provider = nameOf(raw, 'provider');
  if (consumer === 'svc') {
    throw new ContractFault(
      `expected a contract whose consumer is your system, received one of the service for ${shortJson(provider)}: verify that with svc-conform pact verify`,
    );
  }
  const version = versionOf(raw);
  const { interactions = [], messages = [] } = raw;
  if (!Array.isArray(interactions)) throw expected('/interactions', 'a list', interactions);
  if (!Array.isArray(messages)) throw expected('/messages', 'a list', messages);
  if (interactions.length + messages.length === 0) {
    throw new ContractFault('expected at least one interaction, received a contract without any');
  }
  if (interactions.length > mostInteractions) {
    throw new ContractFault(`expected at most ${mostInteractions} interactions, received ${interactions.length}`);
  }
  const read: ConsumerInteraction[] = [];
  const others: OtherInteraction[] = messages.map((message: unknown, index) => ({
    index: interactions.length + index,
    description: textOf(fieldOf(message, 'description')) ?? `message ${index + 1}`,
    type: 'Asynchronous/Messages',
  }));
  for (const [index, interaction] of interactions.entries()) {
    const at = `/interactions/${index}`;
    if (!isJsonObject(interaction)) throw expected(at, 'an object', interaction);
    const { type = 'Synchronous/HTTP' } = interaction;
    if (typeof type !== 'string') throw expected(`${at}/type`, 'a string', type);
    const description = textOf(interaction['description']) ?? `interaction ${index + 1}`;
    if (type.toLowerCase() === 'synchronous/http')
      read.push(readInteraction(interaction, { index, description, version, words }));
    else others.push({ index, description, type });
  }
  return { consumer, provider, version, interactions: read, others, raw };
}

function readJson(text: string): unknown {
  const read = readBoundedJson(Buffer.from(text), fileBounds);
  if ('value' in read) return read.value;
  if (read.unread) throw tooDeep();
  throw new ContractFault(`expected a Pact file, which is JSON, received something else: ${read.cause ?? read.error}`);
}

/** Contracts are not deeper, and recursion over deeper ones may overflow the stack. */
function tooDeep(pointer?: string): ContractFault {
  const at = pointer === undefined ? '' : `${pointer}: `;
  return new ContractFault(`${at}expected at most ${fileBounds.levels} levels, received more`);
}

function nameOf(raw: Readonly<Record<string, unknown>>, side: 'consumer' | 'provider'): string {
  const name = fieldOf(raw[side], 'name');
  if (typeof name !== 'string') throw expected(`/${side}/name`, 'the name of a system', name);
  return name;
}

/** Version 1 files do not state it; everything in them means the same in version 2. */
const unsaidVersion = 2;

function versionOf({ metadata }: Readonly<Record<string, unknown>>): number {
  const said =
    fieldOf(fieldOf(metadata, 'pactSpecification'), 'version') ??
    fieldOf(fieldOf(metadata, 'pact-specification'), 'version') ??
    fieldOf(metadata, 'pactSpecificationVersion') ??
    fieldOf(metadata, 'pactSpecification');
  if (said === undefined) return unsaidVersion;
  const major = typeof said === 'string' ? /^([1-4])(\.\d+)*$/.exec(said)?.[1] : undefined;
  if (major === undefined) {
    throw expected('/metadata/pactSpecification/version', 'a version of Pact from 1 to 4, such as "4.0"', said);
  }
  return Number(major);
}

function readInteraction(
  raw: Readonly<Record<string, unknown>>,
  {
    index,
    description,
    version,
    words,
  }: { index: number; description: string; version: number; words: StateTranslations },
): ConsumerInteraction {
  const at = `/interactions/${index}`;
  const { request, response } = raw;
  if (!isJsonObject(request)) throw expected(`${at}/request`, 'an object', request);
  if (!isJsonObject(response)) throw expected(`${at}/response`, 'an object', response);
  const { method = 'GET', path = '/' } = request;
  if (typeof method !== 'string') throw expected(`${at}/request/method`, 'a method such as "GET"', method);
  if (typeof path !== 'string' || !/^\/\S*$/.test(path)) {
    throw expected(`${at}/request/path`, 'a path such as "/v1/me"', path);
  }
  const { status = 200 } = response;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599) {
    throw expected(`${at}/response/status`, 'a status from 100 to 599', status);
  }
  const part = (side: Readonly<Record<string, unknown>>, name: string): ContractPart => ({
    headers: readHeaders(side['headers'], `${at}/${name}/headers`),
    ...readBody(side['body'], { version, side: name, at }),
    matchers: readMatchers(side['matchingRules'], version),
  });
  return {
    index,
    description,
    states: readStates(raw, at).flatMap((state) => translateState(state, words)),
    request: {
      ...part(request, 'request'),
      method: method.toUpperCase(),
      path,
      query: readQuery(request['query'], at),
    },
    response: { ...part(response, 'response'), status },
    raw,
  };
}

function readStates(raw: Readonly<Record<string, unknown>>, at: string): ProviderState[] {
  const { providerStates, providerState, provider_state: older } = raw;
  const one = providerState ?? older;
  const listed = providerStates ?? (one === undefined || one === null ? [] : [{ name: one }]);
  if (!Array.isArray(listed)) throw expected(`${at}/providerStates`, 'a list', listed);
  return listed.flatMap((state: unknown, place) => {
    const name = fieldOf(state, 'name');
    const params = fieldOf(state, 'params') ?? {};
    if (typeof name !== 'string') throw expected(`${at}/providerStates/${place}/name`, 'a string', name);
    if (!isJsonObject(params)) throw expected(`${at}/providerStates/${place}/params`, 'an object', params);
    // An empty name asks for no state.
    return name.trim() === '' ? [] : [{ name, params: params as Record<string, JsonValue> }];
  });
}

function readHeaders(headers: unknown, at: string): Record<string, string> {
  if (headers === undefined || headers === null) return {};
  if (!isJsonObject(headers)) throw expected(at, 'an object', headers);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const values: unknown[] = Array.isArray(value) ? value : [value];
      if (!values.every((one) => typeof one === 'string'))
        throw expected(`${at}/${name}`, 'a string or strings', value);
      return [name, values.join(', ')];
    }),
  );
}

function readQuery(query: unknown, at: string): string {
  if (query === undefined || query === null) return '';
  if (typeof query === 'string') return query.replace(/^\?/, '');
  if (!isJsonObject(query)) throw expected(`${at}/request/query`, 'a string or an object', query);
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) => [name, String(one)] as [string, string]),
  );
  return new URLSearchParams(pairs).toString();
}

/** Version 4 wraps a body with its type and encoding; earlier versions contain it directly. */
function readBody(
  body: unknown,
  { version, side, at }: { version: number; side: string; at: string },
): Pick<ContractPart, 'body' | 'bodyPointer'> {
  const bodyPointer = `/${side}/body`;
  if (version < 4 || !isJsonObject(body)) return { body: body as JsonValue | undefined, bodyPointer };
  const { content, encoded = false, contentType = '' } = body;
  const pointer = `${bodyPointer}/content`;
  if (encoded === false || typeof content !== 'string')
    return { body: content as JsonValue | undefined, bodyPointer: pointer };
  const isJson = String(encoded).toUpperCase() === 'JSON';
  const text = isJson ? content : Buffer.from(content, 'base64').toString('utf8');
  if (!isJson && !/\bjson\b/i.test(String(contentType))) return { body: text, bodyPointer: pointer };
  const read = readBoundedJson(Buffer.from(text), fileBounds);
  if ('value' in read) return { body: read.value as JsonValue, bodyPointer: pointer };
  if (read.unread) throw tooDeep(`${at}${pointer}`);
  return { body: text, bodyPointer: pointer };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function expected(pointer: string, what: string, received: unknown): ContractFault {
  return new ContractFault(
    `${pointer}: expected ${what}, received ${received === undefined ? 'nothing' : shortJson(received)}`,
  );
}
