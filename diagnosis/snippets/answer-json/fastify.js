import fastify from 'fastify';

const textCharacters = 4000;
const noteCharacters = 500;

/** Cut between characters. slice() alone counts UTF-16 units and may leave half of an emoji, which is no text. */
const cut = (text, characters) => [...text].slice(0, characters).join('');

export const app = fastify();

// Verify the signature first; then the body is parsed by hand instead.
app.post('/chat', async (request, reply) => {
  const { type, data } = request.body;
  if (type !== 'message.received' || data?.autoReply?.state !== 'on') return reply.code(204).send(); // stay quiet
  const text = data.message?.text ?? ''; // members that are new, null or missing are no errors
  // An object that is returned becomes JSON with its type. A string would go out as text/plain.
  return {
    text: cut(`You wrote: ${text}`, textCharacters), // your model's words
    action: 'none', // none, handover or end: any other word hands the conversation to the team
    note: cut(`Answered by the bot: ${text}`, noteCharacters), // for the team only
  };
});
