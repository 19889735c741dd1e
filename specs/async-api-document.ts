import { limits, protocolRevision } from './limits.ts';
import { componentsPath, schemaComponents } from './schema-components.ts';
import { schemaExamples } from './schema-examples.ts';
import { schemas, type SchemaName } from './schemas.ts';
import type { JsonFields } from './json-value.ts';
import { formatPointer } from './json-pointer.ts';

/** An AsyncAPI 3.0 document, ready for `JSON.stringify`. */
export interface AsyncApiDocument extends JsonFields {
  readonly asyncapi: string;
  readonly info: JsonFields;
  readonly servers: JsonFields;
  readonly channels: JsonFields;
  readonly operations: JsonFields;
  readonly components: JsonFields;
}

/** Messages by the schema of their payload: the name is the value of `type`, where the payload has one. */
const chatEvents = { messageReceived: 'message.received', ping: 'ping' } as const;
const serviceFrames = {
  sessionStarted: 'session.started',
  prompt: 'prompt',
  dtmf: 'dtmf',
  interrupt: 'interrupt',
  skillResult: 'skill.result',
  sessionEnded: 'session.ended',
} as const;
const aiFrames = { textFrame: 'text', actionFrame: 'action', skillFrame: 'skill' } as const;
const answers = { chatAnswer: 'answer' } as const;
const replies = { agentReplyRequest: 'reply' } as const;
const replyResponses = { agentReplyResponse: 'reply.taken', problemDetails: 'reply.refused' } as const;

const all = { ...chatEvents, ...answers, ...serviceFrames, ...aiFrames, ...replies, ...replyResponses };
type MessageName = keyof typeof all;

/** Version of the HTTP bindings of AsyncAPI. */
const httpBinding = '0.3.0';
const setupSeconds = limits.phoneSetupMs / 1000;
const toleranceSeconds = limits.signatureToleranceSeconds;

const signatureHeader: JsonFields = {
  type: 'string',
  pattern: '^t=[0-9]{1,15},v1=[0-9a-f]{64}$',
  description: 't: Unix time in seconds. v1: HMAC-SHA256 in hex.',
};
const revisionHeader: JsonFields = {
  type: 'string',
  enum: [protocolRevision],
  description: 'Revision of the protocol. Accept calls and events with an unknown revision.',
};

function headers(fields: JsonFields): JsonFields {
  return { type: 'object', required: Object.keys(fields), properties: fields };
}

function eventHeaders(event: string): JsonFields {
  return headers({
    'X-Svc-Signature': signatureHeader,
    'X-Svc-Event': { type: 'string', enum: [event] },
    'X-Svc-Delivery-Id': { type: 'string', pattern: '^evt_', description: 'Equals id in the body.' },
    'X-Svc-Agent-Protocol': revisionHeader,
  });
}

/** Parts of a message in addition to its payload. */
const followers: { readonly [K in MessageName]?: JsonFields } = {
  messageReceived: { headers: eventHeaders(chatEvents.messageReceived) },
  ping: { headers: eventHeaders(chatEvents.ping) },
  chatAnswer: { bindings: { http: { statusCode: 200, bindingVersion: httpBinding } } },
  agentReplyResponse: { bindings: { http: { statusCode: 202, bindingVersion: httpBinding } } },
  problemDetails: { contentType: 'application/problem+json' },
};

function message(name: MessageName): JsonFields {
  const { title, description = '' } = schemas[name];
  return {
    name: all[name],
    title,
    summary: description,
    contentType: 'application/json',
    payload: { $ref: `${componentsPath}${title}` },
    ...followers[name],
    examples: schemaExamples(name).map(({ name: example, value }) => ({ name: example, payload: value })),
  };
}

function ref(...path: string[]): JsonFields {
  return { $ref: `#${formatPointer(path)}` };
}

function refs(names: JsonFields, ...path: string[]): JsonFields[] {
  return Object.keys(names).map((name) => ref(...path, name));
}

/** A channel's messages: each refers to the one in components. */
function messagesOf(names: JsonFields): JsonFields {
  return Object.fromEntries(Object.keys(names).map((name) => [name, ref('components', 'messages', name)]));
}

/**
 * The own-AI protocol as an AsyncAPI 3.0 document, seen from the own AI: it receives chat events and calls, and sends
 * answers, agent replies and frames. Made from the schemas of `specs/schemas`; the same at every call.
 * (Interface: Own-AI endpoints, Authentication, Own-AI chat event, Own-AI phone frames, Limits.)
 */
export function asyncApiDocument(): AsyncApiDocument {
  const names = Object.keys(all) as MessageName[];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Own-AI protocol',
      version: protocolRevision,
      description:
        'The protocol by which your own AI answers chats and phone calls: chat events arrive over HTTP, a call is a ' +
        'WebSocket connection. Ignore unknown fields, values and frames. The lengths and patterns of values that the ' +
        'service sends are those of svc-conform, not promises. Formats that begin with svc- are timestamps like 2026-10-11T09:30:00, in UTC.',
    },
    defaultContentType: 'application/json',
    servers: {
      chat: {
        host: '{chatHost}',
        protocol: 'https',
        description: 'Your AI: chatUrl of the assistant.',
        variables: { chatHost: { default: 'ai.example.com', description: 'Host, with the port unless it is 443.' } },
        security: [ref('components', 'securitySchemes', 'bodySignature')],
      },
      phone: {
        host: '{phoneHost}',
        protocol: 'wss',
        description: `Your AI: voiceUrl of the assistant. The connection must be established within ${setupSeconds} seconds.`,
        variables: { phoneHost: { default: 'ai.example.com', description: 'Host, with the port unless it is 443.' } },
        security: [ref('components', 'securitySchemes', 'callSignature')],
      },
      api: {
        host: '{apiHost}',
        protocol: 'https',
        description: 'The API of the service.',
        variables: { apiHost: { default: 'api.example.com', description: 'As in replyUrl.' } },
        security: [ref('components', 'securitySchemes', 'apiKey'), ref('components', 'securitySchemes', 'bearerKey')],
      },
    },
    channels: {
      chat: {
        address: '{chatPath}',
        title: 'Chat events',
        description:
          `POST of one event. A 200 with a body of at most ${limits.ownAiAnswerBytes} bytes is the answer, due within timeoutSeconds ` +
          `(${limits.ownAiTimeoutSecondsMin} to ${limits.ownAiTimeoutSecondsMax}, ${limits.ownAiTimeoutSecondsDefault} unless configured). ` +
          'After 202, 204 or 200 without a body a reply may follow. There is one attempt.',
        servers: [ref('servers', 'chat')],
        parameters: { chatPath: { description: 'The path of chatUrl.' } },
        messages: messagesOf({ ...chatEvents, ...answers }),
      },
      agentReplies: {
        address: '/v1/projects/{projectId}/agent-replies',
        title: 'Agent replies',
        description: 'POST of an answer after the event was answered. The address is replyUrl of the event.',
        servers: [ref('servers', 'api')],
        parameters: { projectId: { description: 'The project of the conversation.' } },
        messages: messagesOf({ ...replies, ...replyResponses }),
      },
      phone: {
        address: '{phonePath}',
        title: 'Phone call',
        description:
          `One connection per call, frames of JSON, at most ${limits.phoneFrameBytes} bytes each. The service greets the caller. Refuse the ` +
          'upgrade without a valid signature; close only after an action, or when the service closes.',
        servers: [ref('servers', 'phone')],
        parameters: { phonePath: { description: 'Path of voiceUrl, with its query.' } },
        messages: messagesOf({ ...serviceFrames, ...aiFrames }),
        bindings: {
          ws: {
            method: 'GET',
            headers: headers({
              'X-Svc-Call-Id': { type: 'string', description: 'Equals callId in session.started.' },
              'X-Svc-Signature': signatureHeader,
              'X-Svc-Agent-Protocol': revisionHeader,
            }),
            bindingVersion: '0.1.0',
          },
        },
      },
    },
    operations: {
      receiveMessage: {
        action: 'receive',
        channel: ref('channels', 'chat'),
        summary: 'A customer wrote.',
        messages: [ref('channels', 'chat', 'messages', 'messageReceived')],
        reply: { channel: ref('channels', 'chat'), messages: refs(answers, 'channels', 'chat', 'messages') },
        bindings: { http: { method: 'POST', bindingVersion: httpBinding } },
      },
      receivePing: {
        action: 'receive',
        channel: ref('channels', 'chat'),
        summary: 'A test of the connection. Any 2xx passes.',
        messages: [ref('channels', 'chat', 'messages', 'ping')],
        bindings: { http: { method: 'POST', bindingVersion: httpBinding } },
      },
      sendReply: {
        action: 'send',
        channel: ref('channels', 'agentReplies'),
        summary: `A later reply. It counts towards the ${limits.apiRequestsPerMinute} requests per minute and key.`,
        messages: refs(replies, 'channels', 'agentReplies', 'messages'),
        reply: {
          channel: ref('channels', 'agentReplies'),
          messages: refs(replyResponses, 'channels', 'agentReplies', 'messages'),
        },
        bindings: { http: { method: 'POST', bindingVersion: httpBinding } },
      },
      receiveFrames: {
        action: 'receive',
        channel: ref('channels', 'phone'),
        summary: 'Events of the call.',
        messages: refs(serviceFrames, 'channels', 'phone', 'messages'),
      },
      sendFrames: {
        action: 'send',
        channel: ref('channels', 'phone'),
        summary: 'Speech and actions of the AI in the call.',
        messages: refs(aiFrames, 'channels', 'phone', 'messages'),
      },
    },
    components: {
      messages: Object.fromEntries(names.map((name) => [name, message(name)])),
      schemas: schemaComponents(names satisfies readonly SchemaName[]),
      securitySchemes: {
        bodySignature: {
          type: 'httpApiKey',
          in: 'header',
          name: 'X-Svc-Signature',
          description:
            "HMAC-SHA256 with the assistant's secret, used unchanged as UTF-8, over t, a full stop and the raw bytes of " +
            `the body. Compare in constant time, and refuse a t that is more than ${toleranceSeconds} seconds off.`,
        },
        callSignature: {
          type: 'httpApiKey',
          in: 'header',
          name: 'X-Svc-Signature',
          description:
            "HMAC-SHA256 with the assistant's secret, used unchanged as UTF-8, over t, a full stop and the value of " +
            `X-Svc-Call-Id. Compare in constant time, and refuse a t that is more than ${toleranceSeconds} seconds off.`,
        },
        apiKey: {
          type: 'httpApiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'A key of the same inbox; it starts with svc_sk_.',
        },
        bearerKey: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
      },
    },
  };
}
