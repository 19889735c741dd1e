import { createHash, timingSafeEqual } from 'node:crypto';
import fastify from 'fastify';

const token = process.env.WEBHOOK_TOKEN;
if (!token) throw new Error('WEBHOOK_TOKEN is not set.'); // or "Bearer undefined" would open the door

const hash = (text) => createHash('sha256').update(text).digest();
const expected = hash(`Bearer ${token}`);

export const app = fastify();

// onRequest comes before the body is read. The whole header, in constant time: hashes are of one length.
const hasToken = async (request, reply) => {
  if (!timingSafeEqual(hash(request.headers.authorization ?? ''), expected)) return reply.code(401).send();
};

app.post('/crm', { onRequest: hasToken }, async (request, reply) => reply.code(204).send());
