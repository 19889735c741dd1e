import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Answers 200 to everything once the body is read. It is the baseline, not the subject.
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
