import { createHash, timingSafeEqual } from 'node:crypto';
import fastify from 'fastify';

const token = process.env.WEBHOOK_TOKEN;
if (!token) throw new Error('WEBHOOK_TOKEN is not set.'); // otherwise "Bearer undefined" would be accepted

const hash = (text) => createHash('sha256').update(text).digest();
const expected = hash(`Bearer ${token}`);

export const app = fastify();

// onRequest runs before the body is read. The whole header, in constant time: hashes have the same length.
const hasToken = async (request, reply) => {
  if (!timingSafeEqual(hash(request.headers.authorization ?? ''), expected)) return reply.code(401).send();
};

app.post('/crm', { onRequest: hasToken }, async (request, reply) => reply.code(204).send());
