import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Answers 200 to everything once the body is read: what a measurement is beside, not what is measured.
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
