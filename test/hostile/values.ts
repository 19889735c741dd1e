import { callerSentences, speak } from '../proving/phone.ts';
import { postJson } from '../proving/crm.ts';
import { setUp } from '../proving/endpoint.ts';
import { plainTransport, type TransportSeams } from '../proving/wire.ts';
import { secretForms } from '../bin/secret-forms.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';
import { markup } from './markup.ts';

/** Bytes of a header value, which cannot contain the ends of lines. */
const inHeader = markup.replaceAll(/\p{Cc}/gu, ' ');

/** All forms of a secret, the separate halves, and pieces that are too short to be found one by one. */
const everyForm = (secret: string) => [
  ...secretForms(secret),
  `${secret.slice(0, 9)} ${secret.slice(9)}`,
  ...(secret.match(/.{1,5}/g) ?? []),
];

/** Answers each 200 with a JSON number, so that a check fails and shows this reason phrase and these headers. */
function withHeaders(reason: string, headers: readonly string[]): Pick<TransportSeams, 'write'> {
  return {
    write(response, answer) {
      if (answer.status !== 200) return plainTransport.write(response, answer);
      const lines = headers.map((value, at) => `X-Note-${at}: ${value}`);
      response.socket?.end(
        [
          `HTTP/1.1 200 ${reason}`,
          'Content-Type: application/json',
          ...lines,
          'Connection: close',
          'Content-Length: 2',
          '',
          '42',
        ].join('\r\n'),
      );
    },
  };
}

/** Values that a report shows: secrets in every form, markup, and names that objects of JavaScript have. */
export const hostileValues: readonly HostileEndpoint[] = [
  {
    name: 'crm-secret-echoed',
    what: 'Sends the token back in every encoding and in parts, in place of ids.',
    surface: 'crm-webhook',
    fails: ['crm-webhook/ids-are-strings'],
    build: () => ({
      crm: { compose: () => ({ requestContactUpdate: true, contactData: { crmContactId: everyForm(setUp.token) } }) },
    }),
  },
  {
    name: 'chat-secret-echoed',
    what: 'Sends the secret and the API key back in every encoding, as an unknown action.',
    surface: 'own-ai-chat',
    fails: ['own-ai-chat/action-is-known'],
    build: () => ({
      chat: {
        now: () => ({
          status: 200,
          body: JSON.stringify({
            text: 'a',
            action: [...everyForm(setUp.agentSecret), ...everyForm(setUp.apiKey)].join(' '),
          }),
        }),
      },
    }),
  },
  {
    name: 'crm-markup',
    what: 'Sends markup and control characters where ids are expected, and as names of fields.',
    surface: 'crm-webhook',
    fails: ['crm-webhook/ids-are-strings'],
    build: () => ({
      crm: {
        compose: () => ({
          requestContactUpdate: true,
          [markup]: markup,
          contactData: { crmContactId: [markup], [markup]: 1 },
        }),
      },
    }),
  },
  {
    name: 'chat-markup',
    what: 'Sends markup and control characters as an action and as a reason.',
    surface: 'own-ai-chat',
    fails: ['own-ai-chat/action-is-known'],
    build: () => ({
      chat: { now: () => ({ status: 200, body: JSON.stringify({ text: markup, action: markup, [markup]: markup }) }) },
    }),
  },
  {
    name: 'crm-prototype-keys',
    what: 'Sends __proto__, constructor and prototype as fields, at every level.',
    surface: 'crm-webhook',
    fails: ['crm-webhook/ids-are-strings'],
    build: () => ({
      crm: {
        now: () => ({
          status: 200,
          body: '{"requestContactUpdate":true,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}},"contactData":{"crmContactId":1,"__proto__":{"crmContactId":"a"},"hasOwnProperty":1}}',
        }),
      },
    }),
  },
  {
    name: 'crm-secret-in-headers',
    what: 'Sends the token back in every encoding as headers and as the reason phrase.',
    surface: 'crm-webhook',
    fails: ['crm-webhook/answer-is-a-json-object'],
    isNarrow: true,
    build: () => ({ transport: withHeaders(setUp.token, everyForm(setUp.token)), crm: { later: () => false } }),
  },
  {
    name: 'crm-markup-in-headers',
    what: 'Sends markup as headers and as the reason phrase.',
    surface: 'crm-webhook',
    fails: ['crm-webhook/answer-is-a-json-object'],
    isNarrow: true,
    build: () => ({ transport: withHeaders(inHeader, [inHeader, inHeader]), crm: { later: () => false } }),
  },
  {
    name: 'chat-secret-in-two-fields',
    what: 'Sends one half of the secret and of the API key as an action and the other as a note.',
    surface: 'own-ai-chat',
    fails: ['own-ai-chat/action-is-known'],
    isNarrow: true,
    build: () => ({
      chat: {
        now: () => {
          const halves = [setUp.agentSecret, setUp.apiKey].map((secret) => {
            const middle = secret.length >> 1;
            return [secret.slice(0, middle), secret.slice(middle)];
          });
          const [action, note] = [0, 1].map((half) => halves.map((both) => both[half]).join(' '));
          return { status: 200, body: JSON.stringify({ text: 'a', action, note, pieces: everyForm(setUp.apiKey) }) };
        },
      },
    }),
  },
  {
    name: 'chat-prototype-keys',
    what: 'Sends __proto__, constructor and prototype as fields, at every level.',
    surface: 'own-ai-chat',
    fails: ['own-ai-chat/text-is-a-string'],
    isNarrow: true,
    build: () => ({
      chat: {
        now: () => ({
          status: 200,
          body: '{"text":{"__proto__":{"toString":1}},"__proto__":{"text":"a","action":"end"},"constructor":{"prototype":{"polluted":1}},"hasOwnProperty":1}',
        }),
      },
    }),
  },
  {
    name: 'callback-markup',
    what: 'Calls back with markup and control characters as names and values.',
    surface: 'crm-webhook',
    fails: ['crm-webhook/ids-are-strings'],
    isNarrow: true,
    build: () => ({
      crm: {
        later: () => true,
        callback: ({ url }) =>
          postJson({
            url,
            body: JSON.stringify({
              requestContactUpdate: true,
              [markup]: markup,
              contactData: { crmContactId: [markup], [markup]: markup },
            }),
          }),
      },
    }),
  },
  {
    name: 'phone-markup',
    what: 'Sends markup and control characters as an action, as a note and as fields of frames.',
    surface: 'own-ai-phone',
    fails: ['own-ai-phone/action-is-known'],
    isNarrow: true,
    build: () => ({
      phone: {
        think: () => [
          ...speak(markup),
          { afterMs: 0, frame: { type: 'action', action: markup, text: markup, note: markup, [markup]: markup } },
        ],
      },
    }),
  },
  {
    name: 'phone-secret-in-frames',
    what: 'Speaks the secret in every encoding, and in pieces that are split across frames and fields.',
    surface: 'own-ai-phone',
    fails: ['own-ai-phone/action-is-known'],
    isNarrow: true,
    build: () => ({
      phone: {
        think: (text) => [
          ...(text === callerSentences.long
            ? secretForms(setUp.agentSecret).flatMap((form) => speak(form, { everyMs: 1 }))
            : speak(setUp.agentSecret, { everyMs: 1, pieces: 10 })),
          {
            afterMs: 1,
            frame: { type: 'action', action: setUp.agentSecret.slice(0, 20), note: setUp.agentSecret.slice(20) },
          },
        ],
      },
    }),
  },
  {
    name: 'phone-prototype-keys',
    what: 'Sends __proto__, constructor and prototype as fields of frames.',
    surface: 'own-ai-phone',
    fails: ['own-ai-phone/text-is-a-string'],
    isNarrow: true,
    build: () => ({
      phone: {
        encode: (frame) =>
          frame.type === 'text'
            ? `{"type":"text","text":{"__proto__":{"text":"a"}},"last":true,"__proto__":{"last":false},"constructor":1}`
            : JSON.stringify(frame),
      },
    }),
  },
];
