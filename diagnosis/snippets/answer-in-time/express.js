import express from 'express';

const crmUrl = process.env.CRM_URL; // your own system
const limitMs = 1500; // of the 2 seconds that a caller waits; the rest is for the network
const lookUpMs = 5000; // without it, a hanging system prevents the callback
const nothingToAdd = { requestContactUpdate: false, requestProjectUpdate: false };
const works = new Map(); // by callbackUrl; several processes need a shared store, for example a table in your database

async function lookUp(event) {
  const phone = encodeURIComponent(event.contactData?.phoneNumber ?? '');
  const signal = AbortSignal.timeout(lookUpMs);
  const found = await fetch(`${crmUrl}/customer-number?phone=${phone}`, { signal });
  if (!found.ok) return nothingToAdd;
  return { ...nothingToAdd, requestContactUpdate: true, contactData: { crmContactId: await found.text() } };
}

export const app = express();

app.post('/crm', express.json({ limit: '1mb' }), async (request, response) => {
  const { callbackUrl } = request.body;
  // A repetition of the event joins the first: it gets the same answer, and no second callback.
  const work = works.get(callbackUrl) ?? { answer: lookUp(request.body).catch(() => nothingToAdd), isPromised: false };
  works.set(callbackUrl, work);
  const late = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
  const inTime = await Promise.race([work.answer, late]);
  if (inTime && !work.isPromised) return response.json(inTime);

  response.sendStatus(202); // a promise: exactly one callback follows within 5 minutes, even if nothing was found
  if (work.isPromised) return;
  work.isPromised = true;
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(await work.answer);
  await fetch(callbackUrl, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) }).catch(console.error);
});
