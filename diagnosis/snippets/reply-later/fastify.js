import fastify from 'fastify';

const apiKey = process.env.SVC_API_KEY; // API key of the assistant's inbox; not the secret that signs messages
if (!apiKey) throw new Error('SVC_API_KEY is not set.');
const taken = new Set(); // several processes need a shared store: a unique column in your database

/** Placeholder for your slow model. Give yours a timeout. */
async function think(data) {
  return { text: `You wrote: ${data.message?.text ?? ''}`, action: 'none' };
}

/** To the unchanged address, once. The API key goes only there. */
async function sendReply(data) {
  const handOver = { text: '', action: 'handover', note: 'The assistant failed.' };
  const answer = await think(data).catch(() => handOver); // a customer who waits in vain is worse
  const headers = { 'Content-Type': 'application/json', 'X-Api-Key': apiKey };
  const body = JSON.stringify(answer);
  const signal = AbortSignal.timeout(10_000);
  const sent = await fetch(data.replyUrl, { method: 'POST', headers, body, signal, redirect: 'error' });
  // 409: the AI no longer has the conversation, so the answer is dropped.
  if (!sent.ok && sent.status !== 409) throw new Error(`The reply was answered ${sent.status}.`);
}

export const app = fastify();

// Verify the signature first: it authenticates the address that gets the key.
app.post('/chat', async (request, reply) => {
  const { id, type, data } = request.body;
  if (type !== 'message.received' || data?.autoReply?.state !== 'on') return reply.code(204).send(); // stay quiet
  if (!taken.has(id)) {
    taken.add(id); // a repetition of the event also gets a 202, and no second reply
    sendReply(data).catch((error) => request.log.error(error)); // not awaited
  }
  return reply.code(202).send();
});
