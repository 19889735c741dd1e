/** An endpoint in a separate process, which can really crash: API webhooks, chat and phone on plain node:http and ws. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { WebSocketServer } from 'ws';
import { credentials } from '../harness/settings-for-tests.ts';

/** Behaviour of the process. */
export type Conduct =
  /** Compares signatures with timingSafeEqual without checking their lengths: another length ends the process. */
  | 'crashes'
  /** The same comparison with a test of the lengths. */
  | 'plain'
  /** Closes kept-alive connections a moment after each answer. */
  | 'closes-idle'
  /** Closes the connection with each answer. */
  | 'closes-each'
  /** Stops listening after some deliveries, ends idle connections, and listens again after a moment. */
  | 'restarts'
  /** Ends with the delivery after so many, whichever that is. */
  | 'wears-out'
  /** Ends at a key that a caller presses. */
  | 'ends-at-a-key'
  /** Answers chat later, and ends when its reply is refused. */
  | 'ends-at-a-refused-reply'
  /** Resets the connection of a delivery with an invalid signature, and keeps running. */
  | 'resets'
  /** Ignores the signals that ask a process to end. */
  | 'ignores-signals';

/** Deliveries between two restarts, and milliseconds of each restart. */
const deliveriesPerRun = 25;
const restartMs = 150;
/** Deliveries that a process handles before it ends. */
const deliveriesOfALife = 30;
const toleranceSeconds = 300;

const [conduct, port] = process.argv.slice(2) as [Conduct, string];

function isAuthentic(request: IncomingMessage, signed: Buffer | string, secret: string): boolean {
  const header = request.headers['x-svc-signature'];
  const [, t = '', v1 = ''] = /^t=(\d+),v1=(.*)$/.exec(typeof header === 'string' ? header : '') ?? [];
  if (t === '' || signed.length === 0) return false;
  if (Math.abs(Date.now() / 1000 - Number(t)) > toleranceSeconds) return false;
  const expected = Buffer.from(createHmac('sha256', secret).update(`${t}.`).update(signed).digest('hex'));
  const received = Buffer.from(v1);
  if (conduct !== 'crashes' && expected.length !== received.length) return false;
  return timingSafeEqual(expected, received);
}

let deliveries = 0;

function countDelivery(): void {
  if (conduct !== 'restarts' || ++deliveries % deliveriesPerRun !== 0) return;
  // A connection with a pending request ends with the answer. The process keeps its memory, which no requirement
  // concerns.
  server.close(() => setTimeout(() => server.listen(Number(port), '127.0.0.1'), restartMs));
}

async function replyLater(body: Buffer): Promise<void> {
  const { data } = JSON.parse(body.toString()) as { data?: { replyUrl: string } };
  if (!data) return;
  const { ok } = await fetch(data.replyUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': 'svc_sk_any' },
    body: '{"text":"Hello again."}',
  });
  if (!ok) process.exit(9);
}

const server: Server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (conduct === 'wears-out' && deliveries++ === deliveriesOfALife) process.exit(9);
    const body = Buffer.concat(chunks);
    const secret = request.url === '/hooks' ? credentials.hookSecret : credentials.agentSecret;
    const authentic = isAuthentic(request, body, secret);
    if (!authentic && conduct === 'resets') {
      request.socket.resetAndDestroy();
      return;
    }
    if (authentic && request.url === '/chat' && conduct === 'ends-at-a-refused-reply') void replyLater(body);
    const ending = conduct === 'closes-each' || !server.listening;
    const headers: Record<string, string> = ending ? { Connection: 'close' } : {};
    const text = authentic && request.url === '/chat' ? '{"text":"Hello.","action":"none"}' : '';
    const status = authentic ? (text === '' && request.url === '/chat' ? 204 : 200) : 401;
    response.writeHead(status, headers).end(text);
    if (conduct === 'closes-idle') setTimeout(() => server.closeIdleConnections(), 1);
    countDelivery();
  });
});

const calls = new WebSocketServer({ noServer: true });
server.on('upgrade', (request, socket, head) => {
  const callId = request.headers['x-svc-call-id'];
  const id = typeof callId === 'string' ? callId : '';
  if (!isAuthentic(request, id, credentials.agentSecret)) {
    if (conduct === 'resets') socket.destroy();
    else socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    return;
  }
  calls.handleUpgrade(request, socket, head, (call) => {
    call.on('error', () => undefined);
    call.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { type: string };
      if (frame.type === 'prompt') call.send(JSON.stringify({ type: 'text', text: 'Hello.', last: true }));
      if (frame.type === 'session.ended') call.close();
      if (frame.type === 'dtmf' && conduct === 'ends-at-a-key') process.exit(9);
    });
  });
});

server.listen(Number(port), '127.0.0.1', () => process.send?.('listening'));
process.once('disconnect', () => process.exit());
if (conduct === 'ignores-signals')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
