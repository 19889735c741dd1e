import { createHmac, timingSafeEqual } from 'node:crypto';
import express from 'express';

const secret = process.env.AGENT_SECRET; // the whole secret including whsec_; it is not base64
if (!secret) throw new Error('AGENT_SECRET is not set.'); // anyone could sign with an empty key
const toleranceSeconds = 300;

/** Returns whether the header has a fresh signature of exactly these bytes. Garbage is false, not an exception. */
function isSigned(header, payload) {
  const [, t, v1] = /^t=([0-9]{1,15}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (t === undefined) return false;
  const expected = createHmac('sha256', secret).update(`${t}.`).update(payload).digest();
  const genuine = timingSafeEqual(expected, Buffer.from(v1, 'hex'));
  return genuine && Math.abs(Date.now() / 1000 - Number(t)) <= toleranceSeconds;
}

export const app = express();

// No express.json() before this route: it would replace the signed bytes with a parsed object.
app.post('/chat', express.raw({ type: () => true, limit: '1mb', inflate: false }), (request, response) => {
  const body = request.body ?? Buffer.alloc(0); // undefined if there is no body
  if (!isSigned(request.get('X-Svc-Signature'), body)) return response.sendStatus(401);
  const event = JSON.parse(body.toString('utf8')); // only now
  console.log(`verified ${event.type}`);
  response.sendStatus(204);
});
