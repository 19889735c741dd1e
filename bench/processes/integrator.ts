import { setTimeout as delay } from 'node:timers/promises';
import { think } from '../../examples/integrator/assistant-rules.ts';
import { optionsFromEnvironment } from '../../examples/integrator/environment.ts';
import { startIntegrator } from '../../examples/integrator/server.ts';

// The example integrator; with an AI that takes so many milliseconds for each answer in chat, or to speak it.
const chatMs = Number(process.argv[2] ?? 0);
const speechMs = Number(process.argv[3] ?? 0);
/** Words that the example speaks in one piece. */
const wordsPerPiece = 8;
/** Makes every answer long enough for several pieces. */
const filler = 'Is there anything else that I can do for you, or would you like me to repeat what I have just said?';

const { url } = await startIntegrator({
  ...optionsFromEnvironment(process.env),
  log: () => undefined,
  ...((chatMs > 0 || speechMs > 0) && {
    think: async (message, skills, signal) => {
      if (chatMs > 0) await delay(chatMs, undefined, { signal });
      const thought = await think(message, skills, signal);
      if (speechMs === 0) return thought;
      const text = `${thought.answer.text} ${filler}`;
      const pieces = Math.ceil(text.split(/\s+/).length / wordsPerPiece);
      return { ...thought, answer: { ...thought.answer, text }, pieceEveryMs: speechMs / (pieces - 1) };
    },
  }),
});
process.stdout.write(`${url}\n`);
