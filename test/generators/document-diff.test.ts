import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { compareDocuments } from '../../generators/schema-diff/compare-documents.ts';
import type { DocumentChange } from '../../generators/schema-diff/judge-changes.ts';
import { apiOperations } from '../../specs/api-operations.ts';
import type { ApiOperation } from '../../specs/api-operations.ts';
import { asyncApiDocument } from '../../specs/async-api-document.ts';
import { fromIntegrator, messageDirections, serviceAnswer } from '../../specs/message-directions.ts';
import { openApiDocument } from '../../specs/open-api-document.ts';

// Untyped: the test changes documents at places whose shape it knows.
type Json = ReturnType<typeof JSON.parse>;

const contract = async (name: string): Promise<Json> =>
  JSON.parse(await readFile(new URL(`../../specs/generated/contracts/${name}.json`, import.meta.url), 'utf8'));

/** Changes between a document and its modified copy. */
function changed(document: object, how: (copy: Json) => void): DocumentChange[] {
  const copy = structuredClone(document);
  how(copy);
  return compareDocuments({ 'a.json': document }, { 'a.json': copy });
}

/** A change on one line: the change, its place, and the side that it breaks. */
function line({ rule, where, pointer, sender, reader }: DocumentChange): string {
  const broken = [sender, reader].filter(({ breaking }) => breaking).map(({ party }) => party);
  return `${rule} at ${where}${pointer}: ${broken.length === 0 ? 'none' : broken.join(' and ')}`;
}

describe('a change of the OpenAPI document', () => {
  const document = openApiDocument();
  const notes = (copy: Json) => copy.paths['/v1/notes'].post;
  const everyOperation = (copy: Json, how: (operation: Json) => void): void => {
    for (const { method, path } of Object.values(apiOperations)) how(copy.paths[path][method.toLowerCase()]);
  };

  it.each<[string, (copy: Json) => void, string[]]>([
    ['none', () => undefined, []],
    ['an operation is gone', (copy) => delete copy.paths['/v1/me'], ['operation-removed at GET /v1/me: integrator']],
    [
      'an operation is new',
      (copy) => (copy.paths['/v1/calls'] = { get: copy.paths['/v1/me'].get }),
      ['operation-added at GET /v1/calls: service'],
    ],
    [
      'a parameter of the path has another name',
      (copy) => {
        copy.paths['/v1/agents/{agentId}'] = copy.paths['/v1/agents/{id}'];
        delete copy.paths['/v1/agents/{id}'];
        copy.components.parameters.agentId.name = 'agentId';
      },
      [],
    ],
    [
      'a header may be sent',
      (copy) => notes(copy).parameters.push({ name: 'X-New', in: 'header', schema: { type: 'string' } }),
      ['parameter-added at POST /v1/notes, header X-New: none'],
    ],
    [
      'a header must be sent',
      (copy) => (copy.components.parameters.idempotencyKey.required = true),
      ['sendMessage', 'addNote', 'runSkill'].map((id) => {
        const { method, path } = apiOperations[id as 'addNote'];
        return `parameter-required at ${method} ${path}, header Idempotency-Key: integrator`;
      }),
    ],
    [
      'a header is no longer known',
      (copy) => (notes(copy).parameters = []),
      ['parameter-removed at POST /v1/notes, header Idempotency-Key: none'],
    ],
    [
      'a field of a request becomes required',
      (copy) => copy.components.schemas.NoteRequest.required.push('title'),
      ['field-required at POST /v1/notes, body/title: integrator'],
    ],
    [
      'a body becomes optional',
      (copy) => (notes(copy).requestBody.required = false),
      ['body-optional at POST /v1/notes, body: service'],
    ],
    [
      'a body has another media type',
      (copy) => (notes(copy).requestBody.content = { 'application/xml': { schema: true } }),
      ['body-removed at POST /v1/notes, body: integrator', 'body-added at POST /v1/notes, body: service'],
    ],
    [
      'an answer loses a field and gains another',
      (copy) => {
        const schema = copy.components.schemas.NoteResponse;
        delete schema.properties.noteId;
        schema.required = schema.required.filter((name: string) => name !== 'noteId');
        schema.properties.url = { type: 'string' };
      },
      [
        'field-removed at POST /v1/notes, answer 201/noteId: integrator',
        'field-added at POST /v1/notes, answer 201/url: none',
      ],
    ],
    [
      'an answer may be another success',
      (copy) => (notes(copy).responses['202'] = notes(copy).responses['201']),
      ['answer-added at POST /v1/notes, answer 202: integrator'],
    ],
    [
      'an answer may be another error',
      (copy) => (notes(copy).responses['410'] = notes(copy).responses['404']),
      ['answer-added at POST /v1/notes, answer 410: none'],
    ],
    [
      'one of two security schemes is gone',
      (copy) => (notes(copy).security = [{ apiKey: [] }]),
      ['authentication-removed at POST /v1/notes: integrator'],
    ],
    [
      'the key is sent in another header',
      (copy) => (copy.components.securitySchemes.apiKey.name = 'X-Key'),
      ['authentication-changed at authentication apiKey: integrator and service'],
    ],
    [
      'the key is in the query',
      (copy) => (copy.components.securitySchemes.apiKey.in = 'query'),
      ['authentication-changed at authentication apiKey: integrator and service'],
    ],
    [
      'the signature is sent in another header',
      (copy) => (copy.components.securitySchemes.signature.name = 'X-Signature'),
      ['authentication-changed at authentication signature: service and integrator'],
    ],
    [
      'a bearer token is a password',
      (copy) => (copy.components.securitySchemes.bearerKey.scheme = 'basic'),
      ['authentication-changed at authentication bearerKey: integrator and service'],
    ],
    [
      'security schemes have other names, and a header is written in lower case',
      (copy) => {
        const { apiKey, ...others } = copy.components.securitySchemes;
        copy.components.securitySchemes = { ...others, key: { ...apiKey, name: 'x-api-key' } };
        copy.security[0] = { key: [] };
      },
      [],
    ],
    [
      'no client sends a key any more',
      (copy) => everyOperation(copy, (operation) => (operation.security = [])),
      Object.values(apiOperations).map(({ method, path }) => `authentication-removed at ${method} ${path}: service`),
    ],
    [
      'one operation may be called without a key',
      (copy) => (notes(copy).security = [{}, { apiKey: [] }, { bearerKey: [] }]),
      ['authentication-removed at POST /v1/notes: service'],
    ],
    [
      'a webhook is not signed any more',
      (copy) => (copy.webhooks['appointment.created'].post.security = []),
      ['authentication-removed at webhook appointment.created: integrator'],
    ],
    [
      'an answer gains a value where the interface leaves values open',
      (copy) => {
        const { MessageResponse, ApiAppointment } = copy.components.schemas;
        MessageResponse.properties.status.enum.push('held');
        ApiAppointment.properties.status.enum.push('reset');
      },
      [
        'value-added at POST /v1/messages, answer 202/status: none',
        ...['POST /v1/appointments, answer 201', 'PATCH /v1/appointments/{id}, answer 200', 'DELETE /v1/appointments/{id}, answer 200'].map((where) => `value-added at ${where}/status: none`),
        ...Object.keys(document.webhooks).filter((name) => name !== 'crmEvent').map((name) => `value-added at webhook ${name}, body/data/status: none`),
        'value-added at webhook crmEvent, body/appointmentData/status: none',
      ],
    ],
    [
      'an answer gains a value where the interface lists all',
      (copy) => copy.components.schemas.AgentReplyResponse.properties.status.enum.push('held'),
      ['value-added at POST /v1/projects/{id}/agent-replies, answer 202/status: integrator'],
    ],
    [
      'a webhook gains a type of event',
      (copy) => (copy.webhooks['appointment.moved'] = copy.webhooks['appointment.created']),
      ['operation-added at webhook appointment.moved: none'],
    ],
    [
      'a webhook is answered with a body',
      (copy) => copy.components.schemas.CrmAnswer.properties.requestContactUpdate.type = ['boolean', 'string'],
      ['type-added at webhook crmEvent, answer 200/requestContactUpdate: service'],
    ],
  ])('(%s) is reported with whom it breaks', (_, how, lines) => {
    expect(changed(document, how).map(line).sort()).toEqual([...lines].sort());
  });

  it('(a key is needed where none was) breaks who sends none, and not who takes both', () => {
    const older = structuredClone(document) as Json;
    notes(older).security = [];
    expect(compareDocuments({ 'a.json': older }, { 'a.json': document }).map(line)).toEqual([
      'authentication-added at POST /v1/notes: integrator',
    ]);
  });

  it('(another header for the key) is reported with its old and its new form', () => {
    const found = changed(document, (copy) => (copy.components.securitySchemes.apiKey.name = 'X-Key'));
    expect(found.map(({ text }) => text)).toEqual(['was the header X-Api-Key, is the header X-Key']);
  });

  it('(a value more where values are open) is reported with the reason', () => {
    const found = changed(document, (copy) => copy.components.schemas.MessageResponse.properties.status.enum.push('held'));
    expect(found.map(({ reader }) => reader.because)).toEqual(['the document leaves the values open']);
  }); // prettier-ignore
}); // prettier-ignore

describe('a change of the AsyncAPI document', () => {
  it.each<[string, (copy: Json) => void, string[]]>([
    ['none', () => undefined, []],
    [
      'a frame of the service lacks what was there',
      (copy) => {
        copy.components.schemas.Prompt.required = ['type'];
        delete copy.components.schemas.Prompt.properties.text;
      },
      ['field-removed at receiveFrames, message prompt/text: integrator'],
    ],
    [
      'a frame of the AI may have another action',
      (copy) => copy.components.schemas.ActionFrame.properties.action.enum.push('hold'),
      ['value-added at sendFrames, message actionFrame/action: service'],
    ],
    [
      'the revision of the protocol is another one',
      (copy) => (copy.components.schemas.MessageReceived.properties.protocol.const = '2027-01-01'),
      [
        'value-removed at receiveMessage, message messageReceived/protocol: service',
        'value-added at receiveMessage, message messageReceived/protocol: none',
      ],
    ],
    [
      'a header of an event is gone',
      (copy) => {
        const { headers } = copy.components.messages.ping;
        headers.required = headers.required.filter((name: string) => name !== 'X-Svc-Event');
      },
      ['field-optional at receivePing, message ping, headers/X-Svc-Event: integrator'],
    ],
    [
      'a frame is new',
      (copy) => copy.operations.receiveFrames.messages.push({ $ref: '#/channels/chat/messages/ping' }),
      ['message-added at receiveFrames, message ping: none'],
    ],
    [
      'a frame is no longer accepted',
      (copy) => copy.operations.sendFrames.messages.pop(),
      ['message-removed at sendFrames, message skillFrame: integrator'],
    ],
    [
      'the upgrade names the call in another header',
      (copy) => {
        const { headers } = copy.channels.phone.bindings.ws;
        headers.properties['X-Call'] = headers.properties['X-Svc-Call-Id'];
        delete headers.properties['X-Svc-Call-Id'];
        headers.required = headers.required.map((name: string) => name.replace('Svc-Call-Id', 'Call'));
      },
      [
        'field-removed at channel phone, ws headers/X-Svc-Call-Id: integrator',
        'field-added at channel phone, ws headers/X-Call: service',
      ],
    ],
    [
      'the upgrade has another method',
      (copy) => (copy.channels.phone.bindings.ws.method = 'POST'),
      ['binding-changed at channel phone, ws method: service and integrator'],
    ],
    [
      'an event is put instead of posted',
      (copy) => (copy.operations.receivePing.bindings.http.method = 'PUT'),
      ['binding-changed at receivePing, http method: service and integrator'],
    ],
    [
      'an answer has another status',
      (copy) => (copy.components.messages.agentReplyResponse.bindings.http.statusCode = 200),
      ['binding-changed at sendReply, reply agentReplyResponse, http statusCode: service and integrator'],
    ],
    [
      'a call is signed in another header',
      (copy) => (copy.components.securitySchemes.callSignature.name = 'X-Signature'),
      ['authentication-changed at authentication callSignature: service and integrator'],
    ],
    [
      'an API key is a password',
      (copy) => (copy.components.securitySchemes.bearerKey.scheme = 'basic'),
      ['authentication-changed at authentication bearerKey: integrator and service'],
    ],
    [
      'chat events are not signed any more',
      (copy) => (copy.servers.chat.security = []),
      ['authentication-removed at server chat: integrator'],
    ],
    [
      'replies are accepted without a key',
      (copy) => delete copy.servers.api.security,
      ['authentication-removed at server api: service'],
    ],
    [
      'an address is not encrypted any more',
      (copy) => (copy.servers.phone.protocol = 'ws'),
      ['address-changed at server phone: service and integrator'],
    ],
    [
      'replies go elsewhere',
      (copy) => (copy.channels.agentReplies.address = '/v2/replies'),
      ['address-changed at channel agentReplies: integrator and service'],
    ],
  ])('(%s) is reported with whom it breaks', (_, how, lines) => {
    expect(changed(asyncApiDocument(), how).map(line)).toEqual(lines);
  });
});

describe('a change of a contract', () => {
  it.each(['svc-crm-webhook', 'svc-api-webhooks', 'svc-own-ai-chat', 'svc-own-ai-phone', 'integrator-api-v1'])(
    'does not exist between %s and itself, and a removed or new interaction breaks no side',
    async (name) => {
      const document = await contract(name);
      expect(changed(document, () => undefined)).toEqual([]);
      const gone = changed(document, ({ interactions }) => interactions.shift());
      expect(gone.map(line)).toEqual([expect.stringMatching(/^interaction-removed at .+: none$/)]);
    },
  );

  const pact = (version: 2 | 4, rules: object): Json => ({
    consumer: { name: 'integrator' },
    provider: { name: 'api-v1' },
    interactions: [
      {
        description: 'a note',
        request: { method: 'POST', path: '/v1/notes', headers: { 'X-Id': ['1'] }, body: { text: 'a' }, matchingRules: { header: { 'X-Id': { matchers: [{ match: 'regex', regex: '.' }] } } } },
        response: version === 2 ? { status: 201, body: { noteId: 1 }, matchingRules: rules } : { status: 201, body: { content: { noteId: 1 }, contentType: 'application/json' }, matchingRules: rules },
      },
    ],
    metadata: { pactSpecification: { version: `${version}.0` } },
  }); // prettier-ignore
  const rules = { body: { '$.noteId': { matchers: [{ match: 'integer' }] } } };
  const body = (copy: Json) => copy.interactions[0].response.body.content;

  it.each<[string, (copy: Json) => void, string[]]>([
    ['another example, which no rule fixes', (copy) => (body(copy).noteId = 2), []],
    [
      'one more field is expected',
      (copy) => (body(copy).projectId = 5),
      ['field-added at a note, answer/projectId: service'],
    ],
    [
      'one field less is expected',
      (copy) => (copy.interactions[0].response.body.content = {}),
      ['field-removed at a note, answer/noteId: integrator'],
    ],
    [
      'a rule is gone',
      (copy) => (copy.interactions[0].response.matchingRules = {}),
      ['value-removed at a note, answer/noteId: service'],
    ],
    [
      'another status is expected',
      (copy) => (copy.interactions[0].response.status = 200),
      ['interaction-changed at a note, answer: service'],
    ],
    [
      'a request gains a field',
      (copy) => (copy.interactions[0].request.body.title = 'b'),
      ['field-added at a note, request/title: none'],
    ],
    [
      'another example of a header, which no rule fixes',
      (copy) => (copy.interactions[0].request.headers['X-Id'] = ['2']),
      [],
    ],
    [
      'a request goes elsewhere',
      (copy) => (copy.interactions[0].request.path = '/v2/notes'),
      ['interaction-changed at a note, request: service'],
    ],
  ])('(%s) is reported with whom it breaks', (_, how, lines) => {
    expect(changed(pact(4, rules), how).map(line)).toEqual(lines);
  });

  it('is read in version 2 as in version 4', () => {
    const older = pact(2, { '$.body.noteId': { match: 'integer' } });
    const newer = structuredClone(older);
    newer.interactions[0].response.body.noteId = 'one';
    newer.interactions[0].response.matchingRules = {};
    expect(compareDocuments({ 'a.json': older }, { 'a.json': newer }).map(line)).toEqual([
      'type-removed at a note, answer/noteId: service',
      'type-added at a note, answer/noteId: integrator',
      'value-removed at a note, answer/noteId: service',
    ]);
  });
});

describe('the direction of a message', () => {
  it('is that of its operations', () => {
    for (const { request, responses } of Object.values(apiOperations) as ApiOperation[]) {
      if (request !== undefined) expect(messageDirections[request], request).toEqual(fromIntegrator);
      for (const name of Object.values(responses)) expect(messageDirections[name], name).toEqual(serviceAnswer);
    }
  });
});
