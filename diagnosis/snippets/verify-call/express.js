import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';
import { WebSocketServer } from 'ws';

const secret = process.env.AGENT_SECRET; // the whole secret including whsec_; it is not base64
if (!secret) throw new Error('AGENT_SECRET is not set.'); // anyone could sign with an empty key
const toleranceSeconds = 300;

/** Returns whether the upgrade is signed, over the call id from the header, not over the empty body. */
function isSigned({ headers }) {
  const callId = headers['x-svc-call-id'];
  const [, t, v1] = /^t=([0-9]{1,15}),v1=([0-9a-f]{64})$/.exec(headers['x-svc-signature'] ?? '') ?? [];
  if (!callId || t === undefined) return false;
  const expected = createHmac('sha256', secret).update(`${t}.${callId}`).digest();
  const genuine = timingSafeEqual(expected, Buffer.from(v1, 'hex'));
  return genuine && Math.abs(Date.now() / 1000 - Number(t)) <= toleranceSeconds;
}

const app = express();
const calls = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
calls.on('connection', (call) => call.on('error', console.error)); // speak here

export const server = createServer(app);
// Express does not see upgrades. Reject here, before the connection is open, instead of closing it later.
server.on('upgrade', (request, socket, head) => {
  if (request.url.split('?')[0] === '/voice' && isSigned(request)) {
    return calls.handleUpgrade(request, socket, head, (call) => calls.emit('connection', call, request));
  }
  socket.on('error', () => socket.destroy());
  socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
});
