import fastify from 'fastify';

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
  if (!sent.ok) throw new Error(`The callback was answered ${sent.status}.`);
}

export const app = fastify();

app.post('/crm', async (request, reply) => {
  const event = request.body;
  if (!taken.has(event.callbackUrl)) {
    taken.add(event.callbackUrl); // a repetition of the event also gets a 202, and no second callback
    callBack(event).catch((error) => request.log.error(error)); // not awaited
  }
  return reply.code(202).send();
});
