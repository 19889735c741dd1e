import { WebSocketServer } from 'ws';

// Answers each prompt after a random time of up to the given milliseconds, and reports the actual time from reading the
// prompt to writing the answer.
const mostMs = Number(process.argv[2] ?? 0);
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    const from = performance.now();
    const frame = JSON.parse(data.toString('utf8')) as { type?: string; text?: string };
    if (frame.type !== 'prompt') return;
    const answer = () => {
      const heldMs = performance.now() - from;
      socket.send(JSON.stringify({ type: 'text', text: frame.text, last: true, heldMs }));
    };
    if (mostMs > 0) setTimeout(answer, Math.random() * mostMs);
    else answer();
  });
});
server.on('listening', () => {
  process.stdout.write(`ws://127.0.0.1:${(server.address() as { port: number }).port}/\n`);
});
