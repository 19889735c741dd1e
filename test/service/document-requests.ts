import fc from 'fast-check';
import { fromSchema } from '../../generators/from-schema.ts';
import { withUnknownFields } from '../../generators/with-unknown-fields.ts';
import { apiOperation, type OperationId } from '../../specs/api-operations.ts';
import { openApiDocument } from '../../specs/open-api-document.ts';
import type { DocumentSchema } from './broken-bodies.ts';
import { apiKey } from './open-service.ts';

export type Json = Record<string, unknown>;

/** Parameters of the generated requests. */
export const document = openApiDocument();
/** The schemas of the document, in a self-contained form. */
export const defs = JSON.parse(
  JSON.stringify(document.components.schemas).replaceAll('"#/components/schemas/', '"#/$defs/'),
) as Record<string, DocumentSchema>;
export interface Content {
  schema: { $ref: string };
}
interface Operation {
  operationId: OperationId;
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<string, { $ref?: string; content?: Record<string, Content> }>;
}

/** Every operation of the document, with its path and method. */
const operations = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      operation,
      body: operation.requestBody && nameOf(operation.requestBody.content['application/json']),
    })),
);
export type Row = (typeof operations)[number];
export const rows = operations.map((row): [OperationId, Row] => [row.id, row]);
export const withBody = rows.filter(([, { body }]) => body !== undefined);

/** Name of the schema of a body. */
export function nameOf(content: Content | undefined): string {
  return content?.schema.$ref.replace('#/components/schemas/', '') ?? '';
}

/** Existing objects that a request can name. */
export interface Known {
  /** A contact with phone number, email address and marketing consent. */
  contactId: number;
  projectId: number;
}

const chatUrls = fc.constantFrom('', 'https://ai.example/chat', 'http://127.0.0.1:8080/chat?a=b');
const voiceUrls = fc.constantFrom('', 'wss://ai.example/voice', 'ws://localhost:8080/');
const hooks = fc.constantFrom(
  'https://integrator.example/hooks',
  'https://[2606:4700::1111]:8443/',
  'http://127.0.0.1:1/hooks',
);

/** Rules that the schemas cannot express: named objects must exist, and addresses must be valid. */
const overrides: Partial<Record<OperationId, (known: Known) => Record<string, fc.Arbitrary<unknown>>>> = {
  sendMessage: ({ contactId }) => ({ '/contactId': fc.constant(contactId) }),
  logMessage: targets,
  addNote: targets,
  subscribeWebhook: () => ({ '/url': hooks }),
  changeAgent: () => ({ '/chatUrl': chatUrls, '/voiceUrl': voiceUrls }),
};

function targets({ contactId, projectId }: Known): Record<string, fc.Arbitrary<unknown>> {
  return { '/**/contactId': fc.constant(contactId), '/**/projectId': fc.constant(projectId) };
}

/** A deliverable message: with consent if it needs one, on a channel that reaches the contact. */
function deliverable({ phone, email, contactId, channels, ...message }: Json, known: Known): Json {
  const target = message.purpose === 'marketing' ? { contactId: known.contactId } : { phone, email, contactId };
  const reached = { ...target, channels };
  if ('email' in target && target.email !== undefined) delete reached.channels;
  if ('phone' in target && target.phone !== undefined && Array.isArray(channels))
    reached.channels = ['sms', ...channels];
  return JSON.parse(JSON.stringify({ ...message, ...reached })) as Json;
}

/** Bodies that match the document and can be processed. */
export function bodiesOf({ id, body = '' }: Row, known: Known): fc.Arbitrary<Json> {
  const schema = { $id: 'https://openapi.example/', $ref: `#/$defs/${body}`, $defs: defs };
  const made = fromSchema<Json>(schema, { overrides: overrides[id]?.(known) ?? {} });
  return id === 'sendMessage' ? made.map((message) => deliverable(message, known)) : made;
}

/** The same in forms of other clients: with unknown fields, and null for missing ones. */
export function unusual(row: Row, bodies: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const schema = defs[row.body ?? ''];
  const fields = Object.keys(schema?.properties ?? {});
  return fc.oneof(
    { weight: 3, arbitrary: bodies },
    {
      weight: 1,
      arbitrary: bodies.chain((body) => withUnknownFields(body, { closed: ['/**/metadata'], known: fields })),
    },
    {
      weight: 1,
      arbitrary: bodies.map((body) => ({ ...Object.fromEntries(fields.map((name) => [name, null])), ...body })),
    },
  );
}

/** The key in either header, and an Idempotency-Key if the operation accepts one. */
export function headersOf(row: Row): fc.Arbitrary<Record<string, string>> {
  const key = fc.constantFrom<Record<string, string>>(
    { 'X-Api-Key': apiKey },
    { Authorization: `Bearer ${apiKey}` },
    { authorization: `bearer ${apiKey}` },
  );
  const unique = fc.uuid().map((uuid): Record<string, string> => ({ 'Idempotency-Key': uuid }));
  const also = apiOperation(row.id).idempotent ? fc.oneof(fc.constant({}), unique) : fc.constant({});
  const type = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'Application/JSON');
  return fc
    .tuple(key, also, type)
    .map(([one, two, three]) => ({ ...one, ...two, ...(row.body && { 'Content-Type': three }) }));
}
