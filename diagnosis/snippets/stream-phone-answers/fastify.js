import { setTimeout as wait } from 'node:timers/promises';
import fastify from 'fastify';
import { WebSocketServer } from 'ws';

/** Stands for your model: gives pieces of an answer as they come, and ends when it is told to stop. */
async function* think(text, signal) {
  for (const word of `You said: ${text}`.split(' ')) {
    await wait(30, undefined, { signal });
    yield `${word} `;
  }
}

function takeCall(call) {
  let speaking = new AbortController(); // of this call alone
  const send = (frame) => call.send(JSON.stringify(frame));
  const handlers = {
    prompt: async ({ text }) => {
      const { signal } = (speaking = new AbortController());
      for await (const piece of think(text, signal)) {
        signal.throwIfAborted(); // a model may give one more piece before it looks
        send({ type: 'text', text: piece, last: false });
      }
      signal.throwIfAborted();
      send({ type: 'text', text: '', last: true }); // closes the answer; the empty piece is not spoken
    },
    interrupt: () => speaking.abort(), // nothing of the old answer after this
    'session.ended': () => speaking.abort(), // the service closes
  };
  call.on('error', () => speaking.abort());
  call.on('close', () => speaking.abort());
  call.on('message', async (data) => {
    const frame = JSON.parse(data);
    if (frame.type === 'prompt') speaking.abort(); // one answer at a time
    // session.started needs no words: the service greets. Types that we do not know are none of our business.
    const handle = Object.hasOwn(handlers, frame.type) && handlers[frame.type];
    if (!handle) return;
    await Promise.resolve(handle(frame)).catch((error) => {
      if (error.name !== 'AbortError') send({ type: 'action', action: 'handover', text: 'One moment, please.' });
    });
  });
}

export const app = fastify();
// Verify the upgrade as well, before it is answered.
new WebSocketServer({ server: app.server, path: '/voice', maxPayload: 64 * 1024 }).on('connection', takeCall);
