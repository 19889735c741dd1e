import { createHmac, timingSafeEqual } from 'node:crypto';
import fastify from 'fastify';

const secret = process.env.AGENT_SECRET; // all of it, whsec_ included; it is not base64
if (!secret) throw new Error('AGENT_SECRET is not set.'); // an empty key would be everybody's key
const toleranceSeconds = 300;

/** Whether the header holds a fresh signature of exactly these bytes. Rubbish is false, never an exception. */
function isSigned(header, payload) {
  const [, t, v1] = /^t=([0-9]{1,15}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (t === undefined) return false;
  const expected = createHmac('sha256', secret).update(`${t}.`).update(payload).digest();
  const genuine = timingSafeEqual(expected, Buffer.from(v1, 'hex'));
  return genuine && Math.abs(Date.now() / 1000 - Number(t)) <= toleranceSeconds;
}

export const app = fastify();

// Bodies stay the bytes that came. In an app with other routes, do this in a plugin of its own.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => done(null, body));

app.post('/chat', async (request, reply) => {
  const body = request.body ?? Buffer.alloc(0); // undefined where nothing was sent
  if (!isSigned(request.headers['x-svc-signature'], body)) return reply.code(401).send();
  const event = JSON.parse(body.toString('utf8')); // only now
  request.log.info(`verified ${event.type}`);
  return reply.code(204).send();
});
