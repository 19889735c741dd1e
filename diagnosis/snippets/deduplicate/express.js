import express from 'express';

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

export const app = express();

// Verify the signature first. The id is unique per delivery; two can have the same body, contact or time.
app.post('/hooks', express.json({ limit: '1mb' }), async (request, response) => {
  const delivery = request.get('X-Svc-Delivery-Id');
  if (!delivery) return response.sendStatus(400);
  await once(delivery, () => apply(request.body.data));
  response.sendStatus(200);
});
