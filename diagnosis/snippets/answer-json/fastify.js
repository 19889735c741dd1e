import fastify from 'fastify';

const textCharacters = 4000;
const noteCharacters = 500;

/** Truncate between characters. slice() counts UTF-16 units and may leave half of an emoji, which is not valid text. */
const cut = (text, characters) => [...text].slice(0, characters).join('');

export const app = fastify();

// Verify the signature first; in that case, parse the raw body yourself.
app.post('/chat', async (request, reply) => {
  const { type, data } = request.body;
  if (type !== 'message.received' || data?.autoReply?.state !== 'on') return reply.code(204).send(); // stay quiet
  const text = data.message?.text ?? ''; // fields that are new, null or missing are not errors
  // Fastify sends a returned object as JSON with its type. A string would be sent as text/plain.
  return {
    text: cut(`You wrote: ${text}`, textCharacters), // output of your model
    action: 'none', // none, handover or end: any other word hands the conversation to the team
    note: cut(`Answered by the bot: ${text}`, noteCharacters), // for the team only
  };
});
