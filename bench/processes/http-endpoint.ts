import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Answers 200 to everything once the body is read, after a random time of up to the given milliseconds, and reports the
// actual time from reading the request to writing the answer.
const mostMs = Number(process.argv[2] ?? 0);
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const from = performance.now();
    const answer = () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ heldMs: performance.now() - from }));
    };
    if (mostMs > 0) setTimeout(answer, Math.random() * mostMs);
    else answer();
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
