import { createHmac, timingSafeEqual } from 'node:crypto';
import fastify from 'fastify';

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

export const app = fastify();

// Keeps bodies as raw bytes. In an app with other routes, do this in a separate plugin.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => done(null, body));

app.post('/chat', async (request, reply) => {
  const body = request.body ?? Buffer.alloc(0); // undefined if there is no body
  if (!isSigned(request.headers['x-svc-signature'], body)) return reply.code(401).send();
  const event = JSON.parse(body.toString('utf8')); // only now
  request.log.info(`verified ${event.type}`);
  return reply.code(204).send();
});
