import { isJsonObject, parseJson } from '../checks/json.ts';
import { header, type Arrival, type Observation, type WireRequest } from '../wire/observation.ts';
import type { NamedSecret } from '../../service/redact.ts';
import type { Capture } from './capture.ts';
import { isHidden } from './credential-state.ts';

/** Addresses whose answers have a new secret (interface: API v1). */
const secretAnswers = [
  { pattern: /\/v1\/webhooks\/?(?:[?#]|$)/, name: 'webhook secret' },
  { pattern: /\/v1\/agents\/[^/?#]+\/secret\/?(?:[?#]|$)/, name: 'agent secret' },
];

/** What is called like this in an address is there to prove who asks. */
const credentialName =
  /token|secret|passw|pwd|credential|api[-_.]?key|^(?:x-)?key$|^auth(?:orization)?$|^sig(?:nature)?$|^jwt$/i;
/** A value of a query, in an address or in a text that quotes one. */
const inQuery = /[?&]([\w.-]{1,64})=([^&#\s"'<>\\]+)/g;
/** Switches, numbers and short words, which other texts have, too. */
const trivialValue = /^(?:.{0,3}|[a-z]{1,7})$/i;
/** Bytes of a body in which addresses are looked for; evidence shows fewer. */
const searchedBytes = 100_000;

/**
 * Secrets that a recording has, in addition to those of the config, so that no report shows them: new secrets in answers of the
 * API, credentials in headers, and values of queries that are named like credentials, here and in what events quote.
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

/** Whoever received a credential may say it again, in an error for one. */
function secretsInHeaders(request: WireRequest): NamedSecret[] {
  const token = header(request, 'authorization')?.replace(/^\w+ +/, '');
  return [token, header(request, 'x-api-key')].flatMap((value) => toSecret('credential of the recording', value));
}

function secretsInQueries(text: string): NamedSecret[] {
  // JSON may have every mark of an address escaped.
  const plain = text.includes('\\u00') ? text.replaceAll(/\\u0026/gi, '&').replaceAll(/\\u003d/gi, '=') : text;
  return [...plain.matchAll(inQuery)].flatMap(([, name = '', value]) =>
    credentialName.test(name) ? toSecret(`${name} in an address`, value) : [],
  );
}

/** Nothing tells that it is a secret but where it stands, so no piece of it is taken for one. */
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
