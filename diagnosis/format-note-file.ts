import type { EvidenceRecord } from '../harness/checks/evidence.ts';
import { header, type WireExchange } from '../harness/wire/observation.ts';
import { boundedEvidence } from './bounded-evidence.ts';
import { signatureHeader } from '../specs/signing.ts';
import type { DiagnosedSurface, Diagnosis } from '../specs/generated/types.ts';

export interface NoteFileParts {
  diagnosis: Diagnosis;
  /** A line for each delivery, in order: see {@link describeDelivery}. */
  deliveries: readonly string[];
  redact: (text: string) => string;
}

/** Deliveries in a note: as many as a developer looks up in a log. The first ones are the valid requests. */
const mostDeliveries = 16;

/** Signs nothing but the test vector: it is not, and was never, the secret of an endpoint. */
const throwAwaySecret = 'whsec_throw-away-secret-of-a-test-vector';
const vectorTime = 1_791_712_800;
/** White space, another order and a letter outside ASCII: a body that was parsed and serialised differs. */
const vectorBody = '{"type": "ping", "text":"Gr\u00fc\u00dfe",  "id":"evt_1"}';
const vectorCallId = 'call_7f3a';

/** The note as a file to forward: with the deliveries, a test vector for the signature, and code. */
export function formatNoteFile({ diagnosis, deliveries, redact }: NoteFileParts): string {
  const { surface, note } = diagnosis;
  return [
    note.trimEnd(),
    '',
    ...(deliveries.length === 0 ? [] : ['Deliveries, to find them in your logs (UTC):']),
    ...boundedEvidence(deliveries, mostDeliveries, 'not shown here').map((line) => `- ${redact(line)}`),
    ...(surface === 'crm-webhook' ? [] : ['', ...vectorLines(surface)]),
    ...codeLines(diagnosis),
    '',
  ].join('\n');
}

/** The time, the id, the outcome and the purpose of a delivery or call; `undefined` for a request of the endpoint. */
export function describeDelivery(exchange: WireExchange): string | undefined {
  if (!('answer' in exchange)) return undefined;
  const { kind, startedAt, request, answer, label } = exchange;
  const id = kind === 'call' ? exchange.callId : header(request, 'X-Svc-Delivery-Id');
  const outcome = answer.outcome === 'answered' ? `status ${answer.status}` : answer.outcome;
  return [startedAt.toISOString(), ...(id === undefined ? [] : [id]), outcome, label].join('  ');
}

/** The same line for an exchange of a check. */
export function formatDelivery({ startedAt, request, response, outcome, label, call }: EvidenceRecord): string {
  const id = call?.callId ?? request.headers.find(([name = '']) => name.toLowerCase() === 'x-svc-delivery-id')?.[1];
  const result = response ? `status ${response.status}` : outcome;
  return [startedAt, ...(id === undefined ? [] : [id]), result, label].join('  ');
}

/** A vector that a developer computes again with the code of the endpoint. */
function vectorLines(surface: DiagnosedSurface): string[] {
  const isCall = surface === 'own-ai-phone';
  const payload = isCall ? vectorCallId : vectorBody;
  return [
    'A test vector for the signature (its secret is used nowhere else):',
    `- secret: ${throwAwaySecret}`,
    `- t: ${vectorTime}`,
    `- ${isCall ? 'X-Svc-Call-Id' : `body, ${Buffer.byteLength(payload)} bytes in UTF-8 without a line feed at the end`}: ${payload}`,
    `- X-Svc-Signature: ${signatureHeader({ secret: throwAwaySecret, t: vectorTime, body: payload })}`,
    'Your code must compute this v1 from these bytes; skip the check of t against the clock.',
  ];
}

/** The code that fixes the cause, or the first possible one, with its heading; empty without code. */
export function codeLines({ cause, code }: Pick<Diagnosis, 'cause' | 'code'>): string[] {
  if (!code) return [];
  const { framework, sign, language = framework, text } = code;
  const purpose = cause ? 'Code that does it correctly' : 'Code for the first possible cause';
  const why = sign === undefined ? '' : `, since the ${sign} suggests ${language}`;
  const heading = `${purpose} in ${framework}${why}:`;
  return ['', heading, '', ...text.split('\n').map((line) => `    ${line}`.trimEnd())];
}
