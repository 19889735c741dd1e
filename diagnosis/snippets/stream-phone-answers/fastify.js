import { setTimeout as wait } from 'node:timers/promises';
import fastify from 'fastify';
import { WebSocketServer } from 'ws';

/** Placeholder for your model: yields pieces of an answer as they arrive, and ends when it is cancelled. */
async function* think(text, signal) {
  for (const word of `You said: ${text}`.split(' ')) {
    await wait(30, undefined, { signal });
    yield `${word} `;
  }
}

function takeCall(call) {
  let speaking = new AbortController(); // only of this call
  const send = (frame) => call.send(JSON.stringify(frame));
  const handlers = {
    prompt: async ({ text }) => {
      const { signal } = (speaking = new AbortController());
      for await (const piece of think(text, signal)) {
        signal.throwIfAborted(); // a model may yield one more piece before it checks
        send({ type: 'text', text: piece, last: false });
      }
      signal.throwIfAborted();
      send({ type: 'text', text: '', last: true }); // closes the answer; the empty piece is not spoken
    },
    interrupt: () => speaking.abort(), // no piece of the old answer after this
    'session.ended': () => speaking.abort(), // the service closes
  };
  call.on('error', () => speaking.abort());
  call.on('close', () => speaking.abort());
  call.on('message', async (data) => {
    const frame = JSON.parse(data);
    if (frame.type === 'prompt') speaking.abort(); // one answer at a time
    // session.started needs no answer: the service greets. Ignore unknown types.
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
