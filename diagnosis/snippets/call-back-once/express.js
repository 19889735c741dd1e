import express from 'express';

const taken = new Set(); // several processes need a shared one: a unique column of your database

const nothingToAdd = { requestContactUpdate: false, requestProjectUpdate: false };

async function findAnswer(event) {
  const id = event.projectData?.svcProjectId;
  if (id == null) return nothingToAdd; // not one case for all that have no project
  const projectData = { crmProjectId: `case-${id}` }; // ask your own system; ids are strings
  return { ...nothingToAdd, requestProjectUpdate: true, projectData };
}

/** To exactly the address that came, its query included. No token: it is not ours to give away. */
async function callBack(event) {
  const answer = await findAnswer(event).catch(() => nothingToAdd);
  const headers = { 'Content-Type': 'application/json' };
  const signal = AbortSignal.timeout(10_000);
  const sent = await fetch(event.callbackUrl, { method: 'POST', headers, body: JSON.stringify(answer), signal });
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
