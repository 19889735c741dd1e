import { createHash, timingSafeEqual } from 'node:crypto';
import express from 'express';

const token = process.env.WEBHOOK_TOKEN;
if (!token) throw new Error('WEBHOOK_TOKEN is not set.'); // otherwise "Bearer undefined" would be accepted

const hash = (text) => createHash('sha256').update(text).digest();
const expected = hash(`Bearer ${token}`);

/** Compares the whole header in constant time: hashes always have the same length. */
function hasToken(request, response, next) {
  if (timingSafeEqual(hash(request.get('Authorization') ?? ''), expected)) return next();
  response.sendStatus(401);
}

export const app = express();
app.post('/crm', hasToken, express.json({ limit: '1mb' }), (request, response) => {
  response.sendStatus(204);
});
