import express from 'express';

// Until October 2026 eventType was a number; both forms come.
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

/** Every member may be null, missing or new. Take what you need, and leave the rest alone. */
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
  // An event that we do not know is no error: there is nothing to add.
  if (answer === undefined) return response.sendStatus(204);
  response.json(answer);
});
