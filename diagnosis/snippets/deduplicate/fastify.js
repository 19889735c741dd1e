import fastify from 'fastify';

const crmUrl = process.env.CRM_URL; // your own system
const done = new Map(); // delivery id to outcome; in a database: a unique column, written with the effect

async function apply(appointment) {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(appointment);
  // With a timeout: concurrent deliveries wait for it.
  const signal = AbortSignal.timeout(10_000);
  const kept = await fetch(`${crmUrl}/appointments`, { method: 'POST', headers, body, signal });
  if (!kept.ok) throw new Error(`The appointment was not kept: ${kept.status}.`);
}

/** Runs the work for a key once; concurrent and later calls get the same outcome. */
function once(key, work) {
  // Stores promises, not results: otherwise a second delivery could slip in between "not seen" and "done".
  if (!done.has(key)) {
    const outcome = work();
    done.set(key, outcome);
    outcome.catch(() => done.delete(key)); // a failed delivery can be repeated
  }
  return done.get(key);
}

export const app = fastify();

// Verify the signature first. The id is unique per delivery; two can have the same body, contact or time.
app.post('/hooks', async (request, reply) => {
  const delivery = request.headers['x-svc-delivery-id'];
  if (!delivery) return reply.code(400).send();
  await once(delivery, () => apply(request.body.data));
  return reply.code(200).send();
});
