import { changed, clientMutant, saying, sent, without, type ClientFault } from './client-faults.ts';

const never = { id: 'api-client/requests-take-effect', why: 'the request is not sent in another form' } as const;

const keys: readonly ClientFault[] = [
  {
    name: 'without-key',
    breaks: 'carries-an-api-key',
    what: 'One call bypasses the shared client and lacks the API key.',
    seams: sent('senders', ({ headers }) => ({ headers: without(headers, 'X-Api-Key') })),
  },
  {
    name: 'key-by-another-scheme',
    breaks: 'carries-an-api-key',
    what: 'The API key is sent as the password of Basic authentication.',
    seams: sent('senders', (_, { apiKey }) => ({
      headers: [['Authorization', `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`]],
    })),
  },
  {
    name: 'key-without-prefix',
    breaks: 'carries-the-key-as-issued',
    what: 'The prefix svc_sk_ of the API key is mistaken for a label and omitted.',
    seams: sent('senders', (_, { apiKey }) => ({ headers: [['X-Api-Key', apiKey.replace('svc_sk_', '')]] })),
  },
  {
    name: 'key-in-quotes',
    breaks: 'carries-the-key-as-issued',
    what: 'The API key is sent with the quotes that it had in a file.',
    seams: sent('senders', (_, { apiKey }) => ({ headers: [['Authorization', `Bearer "${apiKey}"`]] })),
  },
  {
    name: 'key-in-the-query',
    breaks: 'no-secret-in-an-address',
    what: 'The API key is also in the query.',
    seams: sent('senders', ({ url }, { apiKey }) => ({ url: `${url}?apiKey=${apiKey}` })),
  },
  {
    name: 'key-in-a-note',
    breaks: 'no-secret-in-a-body',
    what: 'A debugging note contains the whole configuration.',
    seams: changed('note', ({ body }, { apiKey }) => ({ body: { ...body, text: `apiKey=${apiKey}` } })),
  },
  {
    name: 'new-secret-in-metadata',
    breaks: 'no-secret-in-a-body',
    what: 'The new secret of the assistant is written into a note, where the team can find it.',
    seams: () => ({
      afterwards: async (api, { projectId, agentId }) => {
        const { body } = await api({ name: 'late-secret', method: 'POST', path: `/v1/agents/${agentId}/secret` });
        const text = `The secret is ${String(body.secret)}.`;
        await api({ name: 'secret-note', method: 'POST', path: '/v1/notes', body: { projectId, text } });
      },
    }),
    mayAlso: [{ id: 'api-client/agent-secret-is-not-replaced-at-once', why: 'the secret is made anew for the note' }],
  },
];

const paths: readonly ClientFault[] = [
  {
    name: 'without-v1',
    breaks: 'paths-under-v1',
    what: 'A path is called without /v1, as in the table.',
    seams: changed('senders', () => ({ path: '/senders' })),
  },
  {
    name: 'at-v2',
    breaks: 'paths-under-v1',
    what: 'A version of the API that does not exist is called.',
    seams: changed('senders', () => ({ path: '/v2/senders' })),
  },
  {
    name: 'path-in-the-singular',
    breaks: 'uses-listed-paths',
    what: 'A path is spelt in the singular.',
    mayAlso: [never],
    seams: changed('senders', () => ({ path: '/v1/sender' })),
  },
  {
    name: 'path-with-double-slash',
    breaks: 'uses-listed-paths',
    what: 'Base address and path are joined with two slashes.',
    seams: changed('senders', () => ({ path: '//v1/senders' })),
  },
  {
    name: 'puts-contacts',
    breaks: 'uses-listed-methods',
    what: 'A contact is sent with PUT.',
    mayAlso: [never],
    seams: changed('other-contact', () => ({ method: 'PUT' })),
  },
  {
    name: 'case-number-in-the-path',
    breaks: 'ids-in-paths-are-integers',
    what: 'A case number of the client is in the path instead of the id of the project.',
    seams: changed('transcript', () => ({ path: '/v1/projects/C-2026-0815/messages' })),
  },
];

const effects: readonly ClientFault[] = [
  {
    name: 'message-of-a-cancellation-in-the-address',
    breaks: 'fields-are-in-the-body',
    what: 'The text for the customer is a parameter of the address of the DELETE, where it is not read.',
    seams: changed('cancel', ({ path }) => ({ path: `${path}?message=We%20are%20sorry.`, body: {} })),
  },
  {
    name: 'project-as-contact',
    breaks: 'ids-are-of-their-kind',
    what: 'A note is sent with the id of a project as its contactId, and gets 404.',
    seams: changed('case-note', ({ body }) => ({ body: { contactId: body?.projectId, text: body?.text } })),
  },
  {
    name: 'messages-at-another-path',
    breaks: 'requests-take-effect',
    what: 'A message is posted to a path that does not exist.',
    mayAlso: [{ id: 'api-client/uses-listed-paths', why: 'the path is not listed' }],
    seams: changed('ready', () => ({ path: '/v1/messages/send' })),
  },
  {
    name: 'changes-by-put',
    breaks: 'requests-take-effect',
    what: 'An appointment is moved with PUT.',
    mayAlso: [{ id: 'api-client/uses-listed-methods', why: 'the method is not listed' }],
    seams: changed('move', () => ({ method: 'PUT' })),
  },
  {
    name: 'start-under-another-name',
    breaks: 'requests-take-effect',
    what: 'The start of an appointment is in startTime.',
    mayAlso: [{ id: 'api-client/appointment-names-phone-and-start', why: 'start is missing' }],
    seams: saying('visit', { start: undefined, startTime: '2026-12-01T09:00:00Z' }),
  },
  {
    name: 'reply-under-another-name',
    breaks: 'requests-take-effect',
    what: 'The text of a reply is in message.',
    seams: saying('answer', { text: undefined, action: undefined, message: 'Yes, at ten.' }),
  },
];

const bodies: readonly ClientFault[] = [
  {
    name: 'form-fields',
    breaks: 'body-is-a-json-object',
    what: 'A note is sent as form fields.',
    seams: sent('note', () => ({ body: 'contactId=1&text=Paid' })),
  },
  {
    name: 'list-of-one',
    breaks: 'body-is-a-json-object',
    what: 'A note is wrapped into a list.',
    seams: sent('note', ({ body }) => ({ body: `[${body.toString()}]` })),
  },
  {
    name: 'json-in-json',
    breaks: 'body-is-a-json-object',
    what: 'A body is serialised twice.',
    seams: sent('note', ({ body }) => ({ body: JSON.stringify(body.toString()) })),
  },
  {
    name: 'latin-1',
    breaks: 'body-is-a-json-object',
    what: 'A body is written in ISO 8859-1.',
    seams: sent('note', () => ({ body: Buffer.from('{"contactId":1,"text":"Grüße"}', 'latin1') })),
  },
  {
    name: 'undeclared-body',
    breaks: 'body-is-declared-as-json',
    what: 'JSON is sent as text/plain.',
    seams: sent('note', ({ headers }) => ({
      headers: [...without(headers, 'Content-Type'), ['Content-Type', 'text/plain'] as const],
    })),
  },
  {
    name: 'body-for-the-test',
    breaks: 'no-body-where-none-is-listed',
    what: 'A payload is sent to an operation that takes none.',
    seams: changed('test', () => ({ body: { timeout: 5 } })),
  },
  {
    name: 'snake-case',
    breaks: 'members-spelt-as-listed',
    what: 'A field is spelt in snake case.',
    seams: saying('contact', { firstName: undefined, first_name: 'Erika' }),
  },
  {
    name: 'id-as-text',
    breaks: 'members-have-listed-types',
    what: 'The id of a contact is sent as a string.',
    seams: changed('thanks', ({ body }) => ({ body: { ...body, contactId: String(body?.contactId) } })),
  },
  {
    name: 'one-channel-as-text',
    breaks: 'members-have-listed-types',
    what: 'A single channel is sent as a string instead of a list.',
    seams: saying('ready', { channels: 'whatsapp' }),
  },
  {
    name: 'null-members',
    breaks: 'no-null-members',
    what: 'Fields without a value are null.',
    seams: saying('other-contact', { lastName: null, email: null }),
  },
  {
    name: 'log-without-direction',
    breaks: 'required-members-are-there',
    what: 'A logged message lacks its direction.',
    seams: saying('sms-in', { direction: undefined }),
  },
  {
    name: 'note-without-text',
    breaks: 'required-members-are-there',
    what: 'A note has its text in the title only.',
    seams: saying('note', { text: undefined, title: 'Paid in cash.' }),
  },
  {
    name: 'note-under-another-name-first',
    breaks: 'required-members-have-their-names',
    what: 'The text of a note is in body, and is sent again in text when that is refused.',
    seams: () => ({
      afterwards: async (api, { projectId }) => {
        const note = { method: 'POST', path: '/v1/notes' };
        await api({ ...note, name: 'misnamed', body: { projectId, body: 'Called back at noon.' } });
        await api({ ...note, name: 'renamed', body: { projectId, text: 'Called back at noon.' } });
      },
    }),
  },
  {
    name: 'message-without-text',
    breaks: 'message-has-a-text-or-template',
    what: 'The words of a message are in a field of another name.',
    mayAlso: [never],
    seams: saying('ready', { text: undefined, body: 'Your bicycle is ready.' }),
  },
  {
    name: 'appointment-by-contact',
    breaks: 'appointment-names-phone-and-start',
    what: 'An appointment is made for a contactId.',
    seams: saying('visit', { phone: undefined, contactId: 1 }),
  },
  {
    name: 'subscription-without-events',
    breaks: 'subscription-names-address-and-events',
    what: 'A subscription names no event and expects all of them.',
    seams: saying('subscription', { events: [] }),
  },
  {
    name: 'note-for-nobody',
    breaks: 'names-a-target',
    what: 'A note names no target.',
    seams: saying('note', { contactId: undefined }),
  },
  {
    name: 'message-to-a-project',
    breaks: 'names-a-target',
    what: 'A message is sent to a project.',
    seams: changed('ready', ({ body }, { projectId }) => ({ body: { ...body, contactId: undefined, projectId } })),
  },
  {
    name: 'two-targets',
    breaks: 'names-one-target',
    what: 'A message names both the id and the number of the contact.',
    seams: saying('thanks', { phone: '+4930901821' }),
  },
];

/** Faults of an API client in its requests: keys, addresses, bodies. */
export const clientMutants = [...keys, ...paths, ...effects, ...bodies].map(clientMutant);
