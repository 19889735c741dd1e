import express from 'express';

// Until October 2026 eventType was a number; accept both forms.
const numbers = [
  'IncomingCallLookup',
  'FinishedCall',
  'NewConversation',
  'ConversationPaused',
  'Manual',
  'FormSubmitted',
];
const handlers = new Map([
  ['IncomingCallLookup', lookUp],
  ['NewConversation', lookUp],
]);

/** Every field may be null, missing or new. Read the fields that you need, and ignore the rest. */
function lookUp({ contactData }) {
  const phone = contactData?.phoneNumber;
  if (typeof phone !== 'string') return undefined;
  const contact = { crmContactId: `customer-${phone}` }; // ask your own system; ids are strings
  return { requestContactUpdate: true, contactData: contact, requestProjectUpdate: false };
}

export const app = express();

app.post('/crm', express.json({ limit: '1mb' }), (request, response) => {
  const { eventType } = request.body;
  const handle = handlers.get(typeof eventType === 'number' ? numbers[eventType] : eventType);
  const answer = handle?.(request.body);
  // An unknown event is not an error: there is no data to add.
  if (answer === undefined) return response.sendStatus(204);
  response.json(answer);
});
