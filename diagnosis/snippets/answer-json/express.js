import express from 'express';

const textCharacters = 4000;
const noteCharacters = 500;

/** Cut between characters. slice() alone counts UTF-16 units and may leave half of an emoji, which is no text. */
const cut = (text, characters) => [...text].slice(0, characters).join('');

export const app = express();

// Verify the signature first; then the body is parsed by hand instead.
app.post('/chat', express.json({ limit: '1mb' }), (request, response) => {
  const { type, data } = request.body;
  if (type !== 'message.received' || data?.autoReply?.state !== 'on') return response.sendStatus(204); // stay quiet
  const text = data.message?.text ?? ''; // members that are new, null or missing are no errors
  // response.json sets the type and writes the text as it must be: quotes, line ends and emojis included.
  response.json({
    text: cut(`You wrote: ${text}`, textCharacters), // your model's words
    action: 'none', // none, handover or end: any other word hands the conversation to the team
    note: cut(`Answered by the bot: ${text}`, noteCharacters), // for the team only
  });
});
