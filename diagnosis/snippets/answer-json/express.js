import express from 'express';

const textCharacters = 4000;
const noteCharacters = 500;

/** Truncate between characters. slice() counts UTF-16 units and may leave half of an emoji, which is not valid text. */
const cut = (text, characters) => [...text].slice(0, characters).join('');

export const app = express();

// Verify the signature first; in that case, parse the raw body yourself.
app.post('/chat', express.json({ limit: '1mb' }), (request, response) => {
  const { type, data } = request.body;
  if (type !== 'message.received' || data?.autoReply?.state !== 'on') return response.sendStatus(204); // stay quiet
  const text = data.message?.text ?? ''; // fields that are new, null or missing are not errors
  // response.json sets the type and escapes the text correctly, including quotes, line breaks and emojis.
  response.json({
    text: cut(`You wrote: ${text}`, textCharacters), // output of your model
    action: 'none', // none, handover or end: any other word hands the conversation to the team
    note: cut(`Answered by the bot: ${text}`, noteCharacters), // for the team only
  });
});
