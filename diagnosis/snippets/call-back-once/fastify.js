import fastify from 'fastify';

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
  if (!sent.ok) throw new Error(`The callback was answered ${sent.status}.`);
}

export const app = fastify();

app.post('/crm', async (request, reply) => {
  const event = request.body;
  if (!taken.has(event.callbackUrl)) {
    taken.add(event.callbackUrl); // the same event once more gets a 202 as well, and no second callback
    callBack(event).catch((error) => request.log.error(error)); // not awaited
  }
  return reply.code(202).send();
});
