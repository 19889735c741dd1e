/**
 * `serve-node.ts TOPIC=PATH...`: serves each snippet below /TOPIC, answers 503 for one that does not start, and prints
 * the port.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const servers = new Map<string, Server>();
for (const arg of process.argv.slice(2)) {
  const [, topic = '', path = ''] = /^([\w-]+)=(.+)$/.exec(arg) ?? [];
  try {
    const { app, server } = await import(path);
    if (app?.ready) await app.ready();
    servers.set(topic, server ?? app.server ?? createServer(app));
  } catch (error) {
    console.error(error);
  }
}

/** Passes a request to the server of its topic, with the path that this server would see alone. */
function serverOf(request: IncomingMessage): Server | undefined {
  const [, topic = '', rest = ''] = /^\/([\w-]+)(\/.*)$/.exec(request.url ?? '') ?? [];
  request.url = rest;
  return servers.get(topic);
}

const front = createServer((request, response) => {
  const server = serverOf(request);
  if (server) server.emit('request', request, response);
  else response.writeHead(503).end();
});
front.on('upgrade', (request, socket, head) => {
  const server = serverOf(request);
  if (server) server.emit('upgrade', request, socket, head);
  else socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n');
});
front.listen(0, '127.0.0.1', () => console.log(`port ${(front.address() as AddressInfo).port}`));
