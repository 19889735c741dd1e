import { parseJson } from '../checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { header, type Arrival, type Observation, type WireRequest } from '../wire/observation.ts';
import type { NamedSecret } from '../../service/redact.ts';
import type { Capture } from './capture.ts';
import { isHidden } from './credential-state.ts';

/** Operations whose answers contain a new secret (interface: API v1). */
const secretAnswers = [
  { pattern: /\/v1\/webhooks\/?(?:[?#]|$)/, name: 'webhook secret' },
  { pattern: /\/v1\/agents\/[^/?#]+\/secret\/?(?:[?#]|$)/, name: 'agent secret' },
];

/** Names of query parameters that carry credentials. */
const credentialName =
  /token|secret|passw|pwd|credential|api[-_.]?key|^(?:x-)?key$|^auth(?:orization)?$|^sig(?:nature)?$|^jwt$/i;
/** A query parameter, in an address or in text that quotes one. */
const inQuery = /[?&]([\w.-]{1,64})=([^&#\s"'<>\\]+)/g;
/** Switches, numbers and short words, which also occur elsewhere. */
const trivialValue = /^(?:.{0,3}|[a-z]{1,7})$/i;
/** Bytes of a body that are searched for addresses; evidence shows fewer. */
const searchedBytes = 100_000;

/**
 * Secrets in a recording in addition to those of the config, for redaction: new secrets in answers of the API,
 * credentials in headers, and query parameters named like credentials, in addresses and in text that quotes them.
 */
export function recordedSecrets(capture: Capture): NamedSecret[] {
  const { crm, hooks, chat, calls, misdirectedCallbacks, misdirectedReplies, traffic } = capture;
  const deliveries = [...crm, ...hooks, ...chat];
  const arrivals: Arrival[] = [
    ...deliveries.flatMap(({ later }) => later),
    ...misdirectedCallbacks,
    ...misdirectedReplies,
    ...(traffic?.exchanges ?? []),
  ];
  const requests = [...deliveries, ...calls, ...arrivals].map(({ request }) => request);
  const texts = [
    ...requests.flatMap(textsOf),
    ...deliveries.flatMap(answerTexts),
    ...arrivals.map(({ response }) => response.body.slice(0, searchedBytes)),
    ...calls.flatMap(({ frames }) => frames.map(({ text }) => text.slice(0, searchedBytes))),
  ];
  const found = [
    ...arrivals.flatMap(secretsInAnswer),
    ...requests.flatMap(secretsInHeaders),
    ...texts.flatMap(secretsInQueries),
  ];
  return [...new Map(found.toReversed().map((one) => [one.value, one])).values()];
}

function secretsInAnswer({ request, response }: Arrival): NamedSecret[] {
  const [made] = secretAnswers.filter(({ pattern }) => pattern.test(request.url));
  if (!made || response.body === '') return [];
  const parsed = parseJson(Buffer.from(response.body));
  const secret = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value.secret : undefined;
  return typeof secret === 'string' && secret.length > 0 ? [{ name: made.name, value: secret }] : [];
}

/** The receiver of a credential may repeat it, for example in an error. */
function secretsInHeaders(request: WireRequest): NamedSecret[] {
  const token = header(request, 'authorization')?.replace(/^\w+ +/, '');
  return [token, header(request, 'x-api-key')].flatMap((value) => toSecret('credential of the recording', value));
}

function secretsInQueries(text: string): NamedSecret[] {
  // JSON may escape the delimiters of an address.
  const plain = text.includes('\\u00') ? text.replaceAll(/\\u0026/gi, '&').replaceAll(/\\u003d/gi, '=') : text;
  return [...plain.matchAll(inQuery)].flatMap(([, name = '', value]) =>
    credentialName.test(name) ? toSecret(`${name} in an address`, value) : [],
  );
}

/** Only its position suggests that it is a secret, so it is redacted only as a whole. */
function toSecret(name: string, value: string | undefined): NamedSecret[] {
  if (value === undefined || trivialValue.test(value) || isHidden(value)) return [];
  return [{ name, value, isWhole: true }];
}

function textsOf({ url, headers, body }: WireRequest): string[] {
  return [url, ...headers.map(([, value]) => value), textOf(body)];
}

function answerTexts({ answer }: Observation): string[] {
  return answer.outcome === 'answered' ? [...answer.headers.map(([, value]) => value), textOf(answer.body)] : [];
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body.subarray(0, searchedBytes)).toString('utf8');
}
