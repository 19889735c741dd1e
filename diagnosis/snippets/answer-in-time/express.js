import express from 'express';

const crmUrl = process.env.CRM_URL; // your own system
const limitMs = 1500; // of the 2 seconds that a caller waits; the rest is for the network
const nothingToAdd = { requestContactUpdate: false, requestProjectUpdate: false };

async function lookUp(event) {
  const phone = encodeURIComponent(event.contactData?.phoneNumber ?? '');
  const found = await fetch(`${crmUrl}/customer-number?phone=${phone}`);
  if (!found.ok) return nothingToAdd;
  return { ...nothingToAdd, requestContactUpdate: true, contactData: { crmContactId: await found.text() } };
}

export const app = express();

app.post('/crm', express.json({ limit: '1mb' }), async (request, response) => {
  const answer = lookUp(request.body).catch(() => nothingToAdd);
  const late = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
  const inTime = await Promise.race([answer, late]);
  if (inTime) return response.json(inTime);

  response.sendStatus(202); // a promise: exactly one callback follows within 5 minutes, also when nothing was found
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(await answer);
  await fetch(request.body.callbackUrl, { method: 'POST', headers, body }).catch(console.error);
});
