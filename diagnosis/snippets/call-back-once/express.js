import express from 'express';

const taken = new Set(); // several processes need a shared store: a unique column in your database

const nothingToAdd = { requestContactUpdate: false, requestProjectUpdate: false };

async function findAnswer(event) {
  const id = event.projectData?.svcProjectId;
  if (id == null) return nothingToAdd; // not one case for all events without a project
  const projectData = { crmProjectId: `case-${id}` }; // ask your own system; ids are strings
  return { ...nothingToAdd, requestProjectUpdate: true, projectData };
}

/** To the unchanged address, including its query. No token: it must not leave the endpoint. */
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
  if (taken.has(event.callbackUrl)) return; // a repetition of the event: its callback is already on its way
  taken.add(event.callbackUrl);
  callBack(event).catch((error) => console.error('The callback had no answer.', error.cause));
});
