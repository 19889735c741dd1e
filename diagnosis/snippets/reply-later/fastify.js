import fastify from 'fastify';

const apiKey = process.env.SVC_API_KEY; // of the inbox of the assistant; not the secret that signs messages
if (!apiKey) throw new Error('SVC_API_KEY is not set.');
const taken = new Set(); // several processes need a shared one: a unique column of your database

/** Stands for your model, which takes its time. Give yours a time limit. */
async function think(data) {
  return { text: `You wrote: ${data.message?.text ?? ''}`, action: 'none' };
}

/** To exactly the address that came, once. The API key goes there and nowhere else. */
async function sendReply(data) {
  const handOver = { text: '', action: 'handover', note: 'The assistant failed.' };
  const answer = await think(data).catch(() => handOver); // a customer who waits for nothing is worse
  const headers = { 'Content-Type': 'application/json', 'X-Api-Key': apiKey };
  const body = JSON.stringify(answer);
  const signal = AbortSignal.timeout(10_000);
  const sent = await fetch(data.replyUrl, { method: 'POST', headers, body, signal, redirect: 'error' });
  // 409: the conversation is no longer ours, and the answer is dropped.
  if (!sent.ok && sent.status !== 409) throw new Error(`The reply was answered ${sent.status}.`);
}

export const app = fastify();

// Verify the signature first: it vouches for the address that gets the key.
app.post('/chat', async (request, reply) => {
  const { id, type, data } = request.body;
  if (type !== 'message.received' || data?.autoReply?.state !== 'on') return reply.code(204).send(); // stay quiet
  if (!taken.has(id)) {
    taken.add(id); // the same event once more gets a 202 as well, and no second reply
    sendReply(data).catch((error) => request.log.error(error)); // not awaited
  }
  return reply.code(202).send();
});
