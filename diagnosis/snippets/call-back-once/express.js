import express from 'express';

const taken = new Set(); // several processes need a shared one: a unique column of your database

async function findAnswer(event) {
  const crmProjectId = `case-${event.projectData?.svcProjectId ?? 'new'}`; // ask your own system
  return { requestContactUpdate: false, requestProjectUpdate: true, projectData: { crmProjectId } };
}

/** To exactly the address that came, its query included. No token: it is not ours to give away. */
async function callBack(event) {
  const answer = await findAnswer(event).catch(() => ({ requestContactUpdate: false, requestProjectUpdate: false }));
  const headers = { 'Content-Type': 'application/json' };
  const sent = await fetch(event.callbackUrl, { method: 'POST', headers, body: JSON.stringify(answer) });
  if (!sent.ok) console.error(`The callback was answered ${sent.status}.`);
}

export const app = express();

app.post('/crm', express.json({ limit: '1mb' }), (request, response) => {
  const event = request.body;
  response.sendStatus(202);
  if (taken.has(event.callbackUrl)) return; // the same event once more: its callback is on the way already
  taken.add(event.callbackUrl);
  callBack(event).catch((error) => console.error('The callback had no answer.', error.cause));
});
