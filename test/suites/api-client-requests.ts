import { agentSecret, apiKey, type Sketch } from './api-exchanges.ts';

/** The expected results of one rule for hand-made exchanges. */
export interface RuleCase {
  rule: string;
  holds: Sketch[][];
  /** With a part of the message. */
  fails: [Sketch[], string][];
  /** Where there is nothing to judge. */
  nothing: Sketch[][];
}

const me: Sketch = { method: 'GET', path: '/v1/me' };
const contact = { phone: '+4930901820', firstName: 'Erika' };
const message = { contactId: 7, text: 'Ready.' };
const logged = { contactId: 7, direction: 'in', channel: 'email', text: 'When?' };
const appointment = { phone: '+4930901820', start: '2026-12-01T09:00:00Z', title: 'Visit', kind: 'in_person' };
const subscription = { url: 'https://integrator.example/hooks', events: ['appointment.created'] };

export const contacts = (body: unknown): Sketch => ({ path: '/v1/contacts', body, status: 201 });
export const messages = (body: unknown): Sketch => ({ path: '/v1/messages', body, status: 202 });
export const log = (body: unknown): Sketch => ({ path: '/v1/messages/log', body, status: 201 });
export const notes = (body: unknown): Sketch => ({ path: '/v1/notes', body, status: 201 });
const appointments = (body: unknown): Sketch => ({ path: '/v1/appointments', body, status: 201 });
const webhooks = (body: unknown): Sketch => ({ path: '/v1/webhooks', body, status: 201 });
export const reply = (body: unknown): Sketch => ({ path: '/v1/projects/5/agent-replies', body, status: 202 });
export const skill = (body?: unknown, key = 'sales'): Sketch => ({ path: `/v1/projects/5/skills/${key}`, body });
const agent = (body: unknown): Sketch => ({ method: 'PATCH', path: '/v1/agents/3', body });

const start = (text: unknown) => appointments({ ...appointment, start: text });
const phone = (text: unknown) => contacts({ phone: text });

/** Rules that judge one request at a time. */
export const requestCases: readonly RuleCase[] = [
  {
    rule: 'carries-an-api-key',
    holds: [
      [me],
      [{ ...me, headers: { 'X-Api-Key': '', 'x-api-key': apiKey } }],
      [{ ...me, headers: { 'X-Api-Key': '', Authorization: `Bearer ${apiKey}` } }],
      [{ ...me, headers: { 'X-Api-Key': '', authorization: `bearer ${apiKey}` } }],
    ],
    fails: [
      [[{ ...me, headers: { 'X-Api-Key': '' } }], 'received neither'],
      [[me, { ...me, headers: { 'X-Api-Key': '' } }], 'received neither'],
      [[{ ...me, headers: { 'X-Api-Key': '', 'X-Api-Token': apiKey } }], 'the key in the header "x-api-token"'],
      [[{ ...me, headers: { 'X-Api-Key': '', Authorization: apiKey } }], 'without the word Bearer'],
      [[{ ...me, headers: { 'X-Api-Key': '', Authorization: 'Basic YTpi' } }], 'scheme Basic'],
      [[{ path: '/v1/unheard-of', headers: { 'X-Api-Key': '' } }], 'received neither'],
    ],
    nothing: [
      [],
      [{ method: 'GET', path: '/v1/openapi.json', headers: { 'X-Api-Key': '' } }],
      [{ method: 'GET', path: '/v1/changelog', headers: { 'X-Api-Key': '' } }],
      [{ method: 'GET', path: '/favicon.ico', headers: { 'X-Api-Key': '' } }],
      [{ method: 'OPTIONS', path: '/v1/me', headers: { 'X-Api-Key': '' } }],
    ],
  },
  {
    rule: 'carries-the-key-as-issued',
    holds: [
      [me],
      [{ ...me, headers: { 'X-Api-Key': '', Authorization: `Bearer ${apiKey}` } }],
      [{ ...me, headers: { Authorization: 'Bearer of-some-proxy' } }],
    ],
    fails: [
      [[{ ...me, headers: { 'X-Api-Key': 'svc_sk_of_another_inbox' } }], 'received another key'],
      [[{ ...me, headers: { 'X-Api-Key': apiKey.replace('svc_sk_', '') } }], 'without its svc_sk_ beginning'],
      [[{ ...me, headers: { 'X-Api-Key': `"${apiKey}"` } }], 'something around it'],
      [[{ ...me, headers: { 'X-Api-Key': `Bearer ${apiKey}` } }], 'something around it'],
      [[{ ...me, headers: { 'X-Api-Key': apiKey.toUpperCase() } }], 'another letter case'],
      [[{ ...me, headers: { 'X-Api-Key': apiKey.slice(0, 12) } }], 'a part of the key'],
    ],
    nothing: [[{ ...me, headers: { 'X-Api-Key': '' } }]],
  },
  {
    rule: 'no-secret-in-an-address',
    holds: [[me], [{ ...me, path: '/v1/me?key=abc' }]],
    fails: [
      [[{ ...me, path: `/v1/me?apiKey=${apiKey}` }], 'received the API key'],
      [[{ ...me, path: `/v1/me?key=${encodeURIComponent(agentSecret)}` }], 'received the agent secret'],
      [[{ ...me, path: '/v1/me?key=svc_sk_somebody_elses' }], 'API key of another inbox'],
      [[{ ...me, path: `/${apiKey}/v1/me` }], 'received the API key'],
      [[{ ...me, path: `/v1/me?key=${apiKey.replace('svc_sk_', '')}` }], 'received the API key'],
    ],
    nothing: [[]],
  },
  {
    rule: 'no-secret-in-a-body',
    holds: [[messages(message)]],
    fails: [
      [[messages({ ...message, text: `Debug: ${apiKey}` })], 'received the API key'],
      [
        [webhooks({ ...subscription, url: `https://integrator.example/?s=${agentSecret}` })],
        'received the agent secret',
      ],
      [[messages(`{"contactId":7,"text":"\\u0077hsec_c3ZjLWNvbmZvcm0gdW5pdA=="}`)], 'received the agent secret'],
      [[notes('not JSON ' + apiKey)], 'received the API key'],
    ],
    nothing: [[me]],
  },
  {
    rule: 'paths-under-v1',
    holds: [
      [me],
      [{ method: 'GET', path: '//v1/me' }],
      [{ method: 'GET', path: '/v1' }],
      [{ method: 'GET', path: 'http://127.0.0.1:1/v1/me' }],
      [{ method: 'GET', path: '/%761/%6De' }],
    ],
    fails: [
      [[{ method: 'GET', path: '/me' }], 'received another beginning'],
      [[{ method: 'GET', path: 'http://127.0.0.1:1/me' }], 'received another beginning'],
      [[{ path: '/v2/contacts', body: contact }], 'received another beginning'],
      [[{ path: '/api/v1/contacts', body: contact }], 'received another beginning'],
    ],
    nothing: [
      [],
      [{ method: 'GET', path: '/' }],
      [{ method: 'GET', path: '/favicon.ico' }],
      [{ method: 'OPTIONS', path: '/me' }],
    ],
  },
  {
    rule: 'uses-listed-paths',
    holds: [
      [me],
      [skill()],
      [{ method: 'PUT', path: '/v1/contacts' }],
      [{ ...me, path: '/v1/me?trace=1' }],
      [{ ...me, path: 'http://127.0.0.1:1/v1/me?trace=1' }],
      [{ ...me, path: '/v1/%6De' }],
    ],
    fails: [
      [[{ path: '/v1/contact', body: contact }], 'not listed'],
      [[{ path: '/v1/contacts/', body: contact }], 'not listed'],
      [[{ method: 'GET', path: '//v1/me' }], 'not listed'],
      [[{ path: '/v1/projects/5/replies', body: {} }], 'not listed'],
    ],
    nothing: [
      [{ method: 'GET', path: '/v1/docs/style.css' }],
      [{ method: 'GET', path: '/v1/appointments/7' }],
      [{ method: 'DELETE', path: '/v1/webhooks/7' }],
      [{ method: 'GET', path: '/v1/projects/7' }],
      [{ method: 'GET', path: '/v1/keys' }],
      [{ method: 'GET', path: '/elsewhere' }],
    ],
  },
  {
    rule: 'uses-listed-methods',
    holds: [[me], [contacts(contact)]],
    fails: [
      [[{ method: 'PUT', path: '/v1/contacts', body: contact }], 'expected POST, received PUT'],
      [[{ method: 'PUT', path: '/v1/appointments/7', body: {} }], 'expected PATCH or DELETE, received PUT'],
    ],
    nothing: [
      [{ path: '/v1/unheard-of' }],
      [{ method: 'HEAD', path: '/v1/me' }],
      [{ method: 'GET', path: '/v1/appointments' }],
      [{ method: 'GET', path: '/v1/webhooks' }],
    ],
  },
  {
    rule: 'ids-in-paths-are-integers',
    holds: [[{ method: 'GET', path: '/v1/agents/3' }], [skill()]],
    fails: [
      [[{ method: 'GET', path: '/v1/projects/undefined/messages' }], '"undefined"'],
      [[{ method: 'DELETE', path: '/v1/appointments/cal-4711' }], '"cal-4711"'],
      [[{ method: 'GET', path: '/v1/agents/3.5' }], '"3.5"'],
    ],
    nothing: [[me]],
  },
  {
    rule: 'body-is-a-json-object',
    holds: [
      [messages(message)],
      [messages('\n {"contactId": 7,\t"text": "K\\u00fcche"} ')],
      [skill({ note: 'n' })],
      [messages('\ufeff{"contactId":7,"text":"x"}')],
    ],
    fails: [
      [[messages('phone=%2B4930901820&text=Hello')], 'not JSON'],
      [[messages([message])], 'received [{'],
      [[messages(JSON.stringify(JSON.stringify(message)))], 'a JSON object as the body'],
      [[{ path: '/v1/messages' }], 'an empty body'],
      [[skill('note')], 'not JSON'],
    ],
    nothing: [
      [me],
      [skill()],
      [{ path: '/v1/agents/3/test', body: '{}' }],
      [{ method: 'DELETE', path: '/v1/appointments/7' }],
      [{ method: 'PATCH', path: '/v1/agents/3' }],
      [{ ...messages('[['), truncated: true }],
    ],
  },
  {
    rule: 'body-is-declared-as-json',
    holds: [
      [messages(message)],
      [{ ...messages(message), headers: { 'Content-Type': 'application/json; charset=utf-8' } }],
      [{ ...messages(message), headers: { 'Content-Type': 'Application/JSON' } }],
      [{ ...messages(message), headers: { 'Content-Type': 'application/vnd.api+json' } }],
    ],
    fails: [
      [[{ ...messages(message), headers: { 'Content-Type': '' } }], 'received none'],
      [[{ ...messages(message), headers: { 'Content-Type': 'text/plain' } }], 'text/plain'],
      [[{ ...messages(message), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }], 'urlencoded'],
    ],
    nothing: [[me], [skill()]],
  },
  {
    rule: 'fields-are-in-the-body',
    holds: [
      [{ method: 'DELETE', path: '/v1/appointments/7', body: { message: 'We are sorry.' } }],
      [{ method: 'DELETE', path: '/v1/appointments/7?message=x', body: { message: 'We are sorry.' } }],
      [{ ...messages(message), path: '/v1/messages?source=crm' }],
    ],
    fails: [
      [[{ method: 'DELETE', path: '/v1/appointments/7?message=We%20are%20sorry.' }], 'the field message in the body'],
      [[{ path: '/v1/notes?text=Ready', body: { contactId: 7 }, status: 400 }], 'the field text in the body'],
    ],
    nothing: [[me], [{ method: 'GET', path: '/v1/senders?text=x' }], [{ path: '/v1/unheard-of?text=x' }]],
  },
  {
    rule: 'no-body-where-none-is-listed',
    holds: [[me], [{ path: '/v1/agents/3/secret', body: {} }], [{ path: '/v1/agents/3/test', body: 'null' }]],
    fails: [
      [[{ path: '/v1/agents/3/test', body: { timeout: 5 } }], '13 bytes'],
      [[{ ...me, body: 'x' }], '1 bytes'],
    ],
    nothing: [[messages(message)]],
  },
  {
    rule: 'members-spelt-as-listed',
    holds: [
      [{ method: 'PATCH', path: '/v1/appointments/7', body: { Start: '2026-12-01T09:00:00Z' } }],
      [contacts(contact)],
      [contacts({ ...contact, nickname: 'E.' })],
      [contacts({ ...contact, first_name: 'E.' })],
    ],
    fails: [
      [[contacts({ phone: '+4930901820', first_name: 'Erika' })], 'expected firstName, received "first_name"'],
      [[messages({ ContactId: 7, text: 'x' })], 'expected contactId, received "ContactId"'],
      [
        [log({ ...logged, contactId: undefined, target: { contact_id: 7 } })],
        'expected contactId, received "contact_id"',
      ],
    ],
    nothing: [[me], [messages('[]')]],
  },
  {
    rule: 'members-have-listed-types',
    holds: [
      [contacts({ ...contact, serviceConsent: true, nickname: 5 })],
      [messages({ ...message, channels: ['whatsapp'], whatsApp: { template: { name: 't' } } })],
      [log({ ...logged, target: 7, notify: false })],
      [reply({ text: 'x', executeSkills: [1, 'sales'] })],
      [contacts({ ...contact, email: null })],
      // The interface does not show how the time of a change is written.
      [{ method: 'PATCH', path: '/v1/appointments/7', body: { start: 1_760_171_400, Start: '', confirmed: true } }],
    ],
    fails: [
      [[messages({ ...message, contactId: '7' })], 'contactId to be an integer, received "7"'],
      [[contacts({ ...contact, serviceConsent: 'yes' })], 'serviceConsent to be a boolean'],
      [[messages({ ...message, channels: 'whatsapp' })], 'channels to be a list'],
      [[messages({ ...message, channels: [1] })], 'each of channels to be a string'],
      [[start(1_760_171_400_000)], 'start to be a string'],
      [[log({ direction: 'in', channel: 'sms', text: 'x', target: { projectId: '5' } })], 'projectId to be an integer'],
      [[reply({ text: 5 })], 'text to be a string'],
      [[appointments({ ...appointment, externalId: 4711 })], 'externalId to be a string'],
    ],
    nothing: [[me], [{ method: 'PATCH', path: '/v1/appointments/7', body: '[]' }]],
  },
  {
    rule: 'no-null-members',
    holds: [[contacts(contact)], [contacts({ ...contact, nickname: null })]],
    fails: [[[contacts({ ...contact, lastName: null })], 'lastName with a value or omitted']],
    nothing: [[me]],
  },
  {
    rule: 'required-members-are-there',
    holds: [
      [contacts(contact)],
      [log(logged)],
      [notes({ contactId: 7, text: 'n' })],
      // The interface does not state whether text can be empty.
      [notes({ contactId: 7, text: '' })],
      [log({ ...logged, text: '' })],
      // Under another name first, then under its own.
      [{ ...notes({ contactId: 7, body: 'Paid.' }), status: 400 }, notes({ contactId: 7, text: 'Paid.' })],
    ],
    fails: [
      [[{ ...notes({ contactId: 7, body: 'Paid.' }), status: 400 }], 'expected text'],
      [
        [{ ...notes({ contactId: 7, body: 'Paid.' }), status: 400 }, notes({ contactId: 7, text: 'Open.' })],
        'expected text',
      ],
      [[contacts({ firstName: 'Erika' })], 'expected phone in the body, received only firstName'],
      [[contacts({ phone: null })], 'received an empty object'],
      [[log({ contactId: 7, channel: 'sms', text: 'x' })], 'expected direction'],
      [[log({ contactId: 7, direction: 'in', text: 'x' })], 'expected channel'],
      [[log({ ...logged, text: null })], 'expected text'],
      [[contacts({ phone: '' })], 'expected phone'],
      [[notes({ contactId: 7, title: 't' })], 'expected text'],
    ],
    nothing: [[messages(message)], [contacts('[]')]],
  },
  {
    rule: 'required-members-have-their-names',
    holds: [[contacts(contact)], [log(logged)], [notes({ contactId: 7, text: '', comment: 'n' })]],
    fails: [
      [
        [{ ...notes({ contactId: 7, body: 'Paid.' }), status: 400 }, notes({ contactId: 7, text: 'Paid.' })],
        'received "body"',
      ],
      [[contacts({ phoneNumber: '+49 30 901820' })], 'expected the field phone, received "phoneNumber"'],
      [[log({ ...logged, direction: undefined, type: 'in' })], 'expected the field direction, received "type"'],
      [[log({ ...logged, channel: undefined, medium: 'sms' })], 'expected the field channel, received "medium"'],
    ],
    nothing: [[messages(message)], [notes({ contactId: 7, title: 't' })], [contacts({ firstName: 'Erika' })]],
  },
  {
    rule: 'message-has-a-text-or-template',
    holds: [[messages(message)], [messages({ contactId: 7, whatsApp: { template: 'ready' } })]],
    fails: [
      [[messages({ contactId: 7 })], 'received only contactId'],
      [[messages({ contactId: 7, text: '' })], 'received only contactId'],
      [[messages({ contactId: 7, whatsApp: {} })], 'text, or whatsApp with a template'],
      [[messages({ contactId: 7, whatsApp: null })], 'text, or whatsApp with a template'],
    ],
    nothing: [[notes({ contactId: 7 })]],
  },
  {
    rule: 'appointment-names-phone-and-start',
    holds: [[appointments(appointment)]],
    fails: [
      [[appointments({ ...appointment, phone: undefined, contactId: 7 })], 'expected phone'],
      [[appointments({ phone: '+4930901820' })], 'expected start'],
    ],
    nothing: [[{ method: 'PATCH', path: '/v1/appointments/7', body: {} }]],
  },
  {
    rule: 'subscription-names-address-and-events',
    holds: [[webhooks(subscription)]],
    fails: [
      [[webhooks({ events: subscription.events })], 'expected url'],
      [[webhooks({ url: subscription.url, events: [] })], 'expected events'],
    ],
    nothing: [[me]],
  },
  {
    rule: 'names-a-target',
    holds: [
      [messages(message)],
      [messages({ phone: '+4930901820', text: 'x' })],
      [messages({ email: 'e@integrator.example', text: 'x' })],
      [log({ ...logged, contactId: undefined, projectId: 5 })],
      [notes({ target: { projectId: 5 }, text: 'x' })],
    ],
    fails: [
      [[messages({ text: 'x' })], 'expected phone, email or contactId, received only text'],
      [[messages({ projectId: 5, text: 'x' })], 'expected phone, email or contactId'],
      [[messages({ phone: '', text: 'x' })], 'received only text'],
      [[log({ ...logged, contactId: null })], 'expected projectId, contactId, phone or email'],
      [[notes({ target: {}, text: 'x' })], 'expected projectId'],
      [[notes({ target: { phone: '' }, text: 'x' })], 'expected projectId'],
    ],
    nothing: [
      [contacts(contact)],
      [notes({ target: 5, text: 'x' })],
      [log({ ...logged, contactId: undefined, target: '+4930901820' })],
      // The interface does not show the content of an object target.
      [notes({ target: { type: 'contact', id: 7 }, text: 'x' })],
      [log({ ...logged, contactId: undefined, target: [{ contactId: 7 }] })],
    ],
  },
  {
    rule: 'names-one-target',
    holds: [
      [messages(message)],
      [messages({ ...message, phone: '', email: null })],
      [notes({ contactId: 7, target: { contactId: 7 }, text: 'x' })],
    ],
    fails: [
      [[messages({ ...message, phone: '+4930901820' })], 'received phone and contactId'],
      [[notes({ projectId: 5, contactId: 7, text: 'x' })], 'received projectId and contactId'],
      [[log({ ...logged, target: { projectId: 5 } })], 'received projectId and contactId'],
    ],
    nothing: [[messages({ text: 'x' })], [contacts({ ...contact, email: 'e@integrator.example' })]],
  },
  {
    rule: 'phone-begins-with-a-plus-sign',
    holds: [[phone('+4930901820')], [phone('(+49) 30 901820')]],
    fails: [
      [[phone('004930901820')], 'a plus sign'],
      [[phone('00 49 30 901820')], 'a plus sign'],
    ],
    nothing: [[phone('030 901820')], [phone('')]],
  },
  {
    rule: 'phone-is-international',
    holds: [
      '+4930901820',
      '+49 30 901820',
      '+49-30-90 18 20',
      '+49 (30) 901820',
      '+1.212.555.0100',
      '+2904123',
      '+49 (0)30 901820',
      '+49\u201130\u2011901820',
      '+49 30 901820 ext. 12',
      '+49 30 901820;ext=12',
      '+290412',
      '0049 30 901820',
    ].map((text) => [phone(text)]),
    fails: [
      ...['030 901820', '000493090182', '4930901820', '+0493090182', '+1234567890123456', 'unknown', '+49 30 call'].map(
        (text): [Sketch[], string] => [[phone(text)], 'international form'],
      ),
      [[notes({ target: { phone: '030 901820' }, text: 'x' })], '030 901820'],
      [[appointments({ ...appointment, phone: '030 901820' })], '030 901820'],
    ],
    nothing: [
      [phone(4930901820)],
      [phone('')],
      [messages(message)],
      [agent({ phone: '030 901820' })],
      [{ method: 'PATCH', path: '/v1/appointments/7', body: { phone: '030 901820' } }],
      [{ path: '/v1/unheard-of', body: { phone: '030 901820' } }],
    ],
  },
  {
    rule: 'times-are-iso-8601',
    holds: [
      ...[
        '2026-12-01T09:00:00Z',
        '2026-12-01T09:00Z',
        '2026-12-01T09:00:00.123+01:00',
        '20261201T090000Z',
        '2026-12-01T09:00:00',
        '2028-02-29T23:59:60z',
        '2026-12-01T09:00:00,5+01',
        '2026-W49-2T09:00:00Z',
        '2026-335T09:00Z',
        '2026-12-01T24:00:00Z',
      ].map((text) => [start(text)]),
      ...['2026-12-01T09:00:00Z', '2026-12-01', '20261201', '2026-W49-2', '2026W492', '2026-W53-7', '2026-335'].map(
        (text) => [log({ ...logged, occurredAt: text })],
      ),
    ],
    fails: [
      ...[
        '2026-12-01',
        '01.12.2026 09:00',
        '2026-12-01 09:00:00',
        '2026-02-29T09:00:00Z',
        '2026-12-01T25:00:00Z',
        'Tue, 01 Dec 2026 09:00:00 GMT',
        '2026-13-01T09:00:00Z',
      ].map((text): [Sketch[], string] => [[start(text)], 'expected start like']),
      ...[
        '1760171400',
        '2026-02-29',
        '2026-W54-1',
        '2026-W00-1',
        '2026-W49-8',
        '2026-366',
        '2026-000',
        '1.12.2026',
      ].map((text): [Sketch[], string] => [[log({ ...logged, occurredAt: text })], 'expected occurredAt like']),
    ],
    nothing: [[start(5)], [log(logged)], [{ method: 'PATCH', path: '/v1/appointments/7', body: { start: 'soon' } }]],
  },
  {
    rule: 'start-is-utc',
    holds: ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00+00:00', '2026-12-01T09:00-00:00', '20261201T0900+0000'].map(
      (text) => [start(text)],
    ),
    fails: ['2026-12-01T10:00:00+01:00', '2026-12-01T10:00:00-0500', '2026-12-01T10:00+01'].map((text) => [
      [start(text)],
      text,
    ]),
    nothing: [
      [start('2026-12-01T10:00:00')],
      [start('soon')],
      [log({ ...logged, occurredAt: '2026-12-01T10:00:00+01:00' })],
    ],
  },
  {
    rule: 'start-is-marked-as-utc',
    holds: [[start('2026-12-01T09:00:00Z')], [start('2026-12-01T09:00:00+00:00')]],
    fails: [[[start('2026-12-01T09:00:00')], 'start that ends in Z']],
    nothing: [[start('2026-12-01T10:00:00+01:00')], [start('soon')]],
  },
  {
    rule: 'purpose-is-listed',
    holds: ['none', 'service', 'marketing'].map((purpose) => [messages({ ...message, purpose })]),
    fails: [
      [[messages({ ...message, purpose: 'transactional' })], 'none or service or marketing'],
      [[messages({ ...message, purpose: 'Service' })], 'received "Service"'],
    ],
    nothing: [[messages(message)], [messages({ ...message, purpose: null })]],
  },
  {
    rule: 'channels-are-known',
    holds: [[messages({ ...message, channels: ['whatsapp', 'sms', 'rcs', 'email'] })]],
    fails: [[[messages({ ...message, channels: ['whatsapp', 'telegram'] })], 'received "telegram"']],
    nothing: [[messages(message)], [messages({ ...message, channels: [] })]],
  },
  {
    rule: 'direction-is-listed',
    holds: [[log(logged)], [log({ ...logged, direction: 'out' })]],
    fails: [[[log({ ...logged, direction: 'incoming' })], 'in or out']],
    nothing: [[messages({ ...message, direction: 'x' })], [log({ ...logged, direction: undefined })]],
  },
  {
    rule: 'logged-channel-is-listed',
    holds: ['email', 'whatsapp', 'sms', 'rcs'].map((channel) => [log({ ...logged, channel })]),
    fails: [[[log({ ...logged, channel: 'phone' })], 'received "phone"']],
    nothing: [[messages(message)]],
  },
  {
    rule: 'ai-is-listed',
    holds: [[log({ ...logged, ai: 'pause' })], [log({ ...logged, ai: 'resume' })]],
    fails: [[[log({ ...logged, ai: 'off' })], 'pause or resume']],
    nothing: [[log(logged)]],
  },
  {
    rule: 'subject-only-for-email',
    holds: [[log({ ...logged, subject: 'Order' })]],
    fails: [[[log({ ...logged, channel: 'sms', subject: 'Order' })], 'one with channel "sms"']],
    nothing: [
      [log(logged)],
      [log({ ...logged, channel: 'sms', subject: '' })],
      [log({ ...logged, channel: undefined, subject: 'x' })],
    ],
  },
  {
    rule: 'no-placeholder-for-a-missing-value',
    holds: [[appointments({ ...appointment, title: 'null' })], [appointments({ ...appointment, title: 'None of it' })]],
    fails: [
      [[appointments({ ...appointment, title: 'None' })], 'expected title with a value, or omitted, received "None"'],
      [
        [appointments({ ...appointment, metadata: { seats: '[object Object]' } })],
        'expected metadata.seats with a value',
      ],
    ],
    nothing: [[messages('\ufeff')]],
  },
  {
    rule: 'metadata-holds-texts',
    holds: [
      [appointments({ ...appointment, metadata: { source: 'web', __proto__x: '' } })],
      [appointments({ ...appointment, metadata: {} })],
    ],
    fails: [
      [[appointments({ ...appointment, metadata: { seats: 3 } })], '"seats" in metadata to be a string, received 3'],
      [[appointments({ ...appointment, metadata: { a: { b: 'c' } } })], 'received {"b":"c"}'],
    ],
    nothing: [[appointments(appointment)], [appointments({ ...appointment, metadata: [] })]],
  },
  {
    rule: 'subscribed-events-are-listed',
    holds: [
      [webhooks(subscription)],
      [webhooks({ ...subscription, events: ['appointment.finished', 'appointment.reminder_sent'] })],
    ],
    fails: [
      [[webhooks({ ...subscription, events: ['appointment.*'] })], 'received "appointment.*"'],
      [[webhooks({ ...subscription, events: ['appointment.created', 'appointment.deleted'] })], 'appointment.deleted'],
    ],
    nothing: [[webhooks({ url: subscription.url })]],
  },
  {
    rule: 'subscribed-address-is-https',
    holds: [[webhooks(subscription)], [webhooks({ ...subscription, url: 'https://127.0.0.1:8443/hooks' })]],
    fails: [
      [[webhooks({ ...subscription, url: 'http://integrator.example/hooks' })], 'a https:// address in url'],
      [[webhooks({ ...subscription, url: 'integrator.example/hooks' })], 'integrator.example/hooks'],
    ],
    nothing: [
      [webhooks({ ...subscription, url: 'http://127.0.0.1:8080/hooks' })],
      [webhooks({ ...subscription, url: 5 })],
    ],
  },
  {
    rule: 'chat-address-is-https',
    holds: [[agent({ chatUrl: 'https://integrator.example/chat' })]],
    fails: [[[agent({ chatUrl: 'http://integrator.example/chat' })], 'a https:// address in chatUrl']],
    nothing: [
      [agent({ chatUrl: '' })],
      [agent({ chatUrl: 'http://localhost:8080/chat' })],
      [agent({ timeoutSeconds: 5 })],
    ],
  },
  {
    rule: 'phone-address-is-wss',
    holds: [[agent({ voiceUrl: 'wss://integrator.example/voice' })]],
    fails: [
      [[agent({ voiceUrl: 'ws://integrator.example/voice' })], 'a wss:// address in voiceUrl'],
      [[agent({ voiceUrl: 'https://integrator.example/voice' })], 'a wss:// address in voiceUrl'],
      [[agent({ voiceUrl: 'http://127.0.0.1/voice' })], 'a wss:// address in voiceUrl'],
    ],
    nothing: [[agent({ voiceUrl: '' })], [agent({ voiceUrl: 'ws://127.0.0.1:8080/voice' })]],
  },
  {
    rule: 'timeout-within-2-to-30-seconds',
    holds: [[agent({ timeoutSeconds: 2 })], [agent({ timeoutSeconds: 30 })]],
    fails: [
      [[agent({ timeoutSeconds: 10_000 })], 'received 10000'],
      [[agent({ timeoutSeconds: 1 })], 'from 2 to 30'],
    ],
    nothing: [[agent({ chatUrl: '' })]],
  },
  {
    rule: 'action-is-listed',
    holds: ['none', 'handover', 'end'].map((action) => [reply({ text: 'x', action })]),
    fails: [[[reply({ text: 'x', action: 'hangup' })], 'received "hangup"']],
    nothing: [[reply({ text: 'x' })]],
  },
  {
    rule: 'reply-within-4000-characters',
    holds: [[reply({ text: '😀'.repeat(4000) })], [reply({ text: '' })]],
    fails: [[[reply({ text: 'a'.repeat(4001) })], 'received 4001']],
    nothing: [[reply({ action: 'end' })], [messages({ ...message, text: 'a'.repeat(5000) })]],
  },
  {
    rule: 'reply-within-4000-utf-16-units',
    holds: [[reply({ text: 'a'.repeat(4000) })]],
    fails: [[[reply({ text: '😀'.repeat(2001) })], 'received 4002']],
    nothing: [[reply({ text: 'a'.repeat(4001) })]],
  },
  {
    rule: 'note-within-500-characters',
    holds: [[reply({ note: '😀'.repeat(500) })], [skill({ note: 'a'.repeat(500) })]],
    fails: [
      [[reply({ note: 'a'.repeat(501) })], 'received 501'],
      [[skill({ note: 'a'.repeat(501) })], 'received 501'],
    ],
    nothing: [[notes({ contactId: 7, text: 'a'.repeat(5000) })], [reply({ text: 'a'.repeat(501) })]],
  },
  {
    rule: 'note-within-500-utf-16-units',
    holds: [[reply({ note: 'a'.repeat(500) })]],
    fails: [[[skill({ note: '😀'.repeat(251) })], 'received 502']],
    nothing: [[skill({ note: 'a'.repeat(501) })]],
  },
  {
    rule: 'at-most-five-skills',
    holds: [[reply({ executeSkills: ['a', 'b', 'c', 'd', 'e'] })]],
    fails: [[[reply({ executeSkills: ['a', 'b', 'c', 'd', 'e', 'f'] })], 'received 6']],
    nothing: [[reply({ text: 'x', executeSkills: [] })], [skill()]],
  },
  {
    rule: 'at-most-one-forward',
    holds: [[reply({ executeSkills: ['sales', 'urgent', 1] })]],
    fails: [[[reply({ executeSkills: ['sales', 3] })], 'received sales, workshop']],
    nothing: [[reply({ text: 'x' })]],
  },
  {
    rule: 'names-known-skills',
    holds: [[reply({ executeSkills: ['sales', 2] })], [skill(undefined, 'urgent')], [skill(undefined, '2')]],
    fails: [
      [[reply({ executeSkills: ['Sales department'] })], '"Sales department"'],
      [[skill(undefined, 'nobody')], 'expected the key in the path to name a skill of the assistant (sales, urgent'],
    ],
    nothing: [[reply({ text: 'x' })]],
  },
  {
    rule: 'names-each-skill-once',
    holds: [[reply({ executeSkills: ['sales', 'urgent'] })]],
    fails: [[[reply({ executeSkills: ['sales', 1] })], 'sales twice']],
    nothing: [[skill()]],
  },
];
