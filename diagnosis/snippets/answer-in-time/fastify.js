import fastify from 'fastify';

const crmUrl = process.env.CRM_URL; // your own system
const limitMs = 1500; // of the 2 seconds that a caller waits; the rest is for the network
const nothingToAdd = { requestContactUpdate: false, requestProjectUpdate: false };

async function lookUp(event) {
  const phone = encodeURIComponent(event.contactData?.phoneNumber ?? '');
  const found = await fetch(`${crmUrl}/customer-number?phone=${phone}`);
  if (!found.ok) return nothingToAdd;
  return { ...nothingToAdd, requestContactUpdate: true, contactData: { crmContactId: await found.text() } };
}

export const app = fastify();

app.post('/crm', async (request, reply) => {
  const answer = lookUp(request.body).catch(() => nothingToAdd);
  const late = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
  const inTime = await Promise.race([answer, late]);
  if (inTime) return inTime;

  // 202 is a promise: exactly one callback follows within 5 minutes, also when nothing was found.
  const headers = { 'Content-Type': 'application/json' };
  const callBack = (found) => fetch(request.body.callbackUrl, { method: 'POST', headers, body: JSON.stringify(found) });
  answer.then(callBack).catch((error) => request.log.error(error)); // not awaited
  return reply.code(202).send();
});
