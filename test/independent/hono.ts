import { timingSafeEqual, webcrypto } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve, upgradeWebSocket } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { WebSocketServer } from 'ws';

const { PORT = '3000', CRM_TOKEN, HOOK_SECRET, AGENT_SECRET, SVC_BASE_URL, SVC_API_KEY } = process.env;
if (!CRM_TOKEN || !HOOK_SECRET || !AGENT_SECRET || !SVC_BASE_URL || !SVC_API_KEY)
  throw new Error('incomplete environment');

type Parsed = ReturnType<typeof JSON.parse>;

const utf8 = new TextEncoder();
const hmacKey = (secret: string) =>
  webcrypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
const hookKey = await hmacKey(HOOK_SECRET);
const agentKey = await hmacKey(AGENT_SECRET);

async function isSigned(header: string | undefined, content: Uint8Array, key: webcrypto.CryptoKey): Promise<boolean> {
  const t = header?.match(/(?:^|,)\s*t=(\d+)\s*(?:,|$)/)?.[1];
  const v1 = header?.match(/(?:^|,)\s*v1=([0-9a-f]{64})\s*(?:,|$)/)?.[1];
  if (!t || !v1 || Math.abs(Date.now() / 1000 - Number(t)) > 300) return false;
  const signedContent = Buffer.concat([utf8.encode(`${t}.`), content]);
  return await webcrypto.subtle.verify('HMAC', key, Buffer.from(v1, 'hex'), signedContent);
}

/** Parses the event from the signed bytes. */
const signed = (key: webcrypto.CryptoKey) =>
  createMiddleware<{ Variables: { event: Parsed } }>(async (c, next) => {
    const body = new Uint8Array(await c.req.arrayBuffer());
    if (!(await isSigned(c.req.header('X-Svc-Signature'), body, key))) throw new HTTPException(401);
    try {
      c.set('event', JSON.parse(new TextDecoder().decode(body)));
    } catch {
      throw new HTTPException(400, { message: 'invalid JSON' });
    }
    await next();
  });

const bearer = (token: string) =>
  createMiddleware(async (c, next) => {
    const given = utf8.encode(c.req.header('Authorization') ?? '');
    const expected = utf8.encode(`Bearer ${token}`);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new HTTPException(401);
    await next();
  });

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(new URL(path, SVC_BASE_URL), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${SVC_API_KEY}`, ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  });
}

async function writeNote(note: object, idempotencyKey: string): Promise<void> {
  for (const seconds of [1, 2, 4, 8, 16, 32]) {
    const response = await post('/v1/notes', note, { 'Idempotency-Key': idempotencyKey }).catch(() => undefined);
    if (response?.ok) return;
    if (response && response.status !== 429 && response.status < 500) {
      return console.error('note refused', response.status, await response.text());
    }
    await sleep(1000 * Math.max(seconds, Number(response?.headers.get('Retry-After') ?? 0)));
  }
  console.error('note not written');
}

const crm = new Map([
  ['+4930901820', { crmContactId: '77', firstName: 'Łukasz', lastName: 'Żółć', crmAiInfo: 'Owns a 🚲.' }],
]);
const callbacks = new Set<string>();
const deliveries = new Set<string>();

/** Opens the case in a slow backend, then answers with its number. */
async function openCase(callbackUrl: string, projectId: number): Promise<void> {
  await sleep(200);
  const answer = {
    requestContactUpdate: false,
    requestProjectUpdate: true,
    projectData: { crmProjectId: `P${projectId}` },
  };
  await fetch(callbackUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(answer),
  });
}

function think(text: string, skills: { key: string; kind: string }[]) {
  const skill = skills.find(({ kind }) => kind === 'forward');
  if (/sales/i.test(text) && skill) return { text: '', skill: skill.key };
  if (/person/i.test(text))
    return { text: 'One moment, please.', action: 'handover', note: 'The customer wants a person.' };
  if (/goodbye/i.test(text)) return { text: 'Thank you, goodbye.', action: 'end' };
  return { text: /everything/i.test(text) ? 'We began in 1990 with one small shop. '.repeat(8) : 'From nine to five.' };
}

const app = new Hono();

app.post('/crm', bearer(CRM_TOKEN), bodyLimit({ maxSize: 1024 * 1024 }), async (c) => {
  const event = await c.req.json().catch(() => {
    throw new HTTPException(400, { message: 'invalid JSON' });
  });
  const kind =
    ['IncomingCallLookup', 'FinishedCall', 'NewConversation', 'ConversationPaused'][event.eventType] ?? event.eventType;
  if (kind === 'IncomingCallLookup' || kind === 'NewConversation') {
    const contactData = crm.get(event.contactData?.phoneNumber);
    return contactData
      ? c.json({ requestContactUpdate: true, contactData, requestProjectUpdate: false })
      : c.body(null, 204);
  }
  if ((kind === 'FinishedCall' || kind === 'ConversationPaused') && event.projectData) {
    if (!callbacks.has(event.callbackUrl)) {
      callbacks.add(event.callbackUrl);
      openCase(event.callbackUrl, event.projectData.svcProjectId).catch(console.error);
    }
    return c.body(null, 202);
  }
  return c.body(null, 204);
});

app.post('/hooks', bodyLimit({ maxSize: 4 * 1024 * 1024 }), signed(hookKey), (c) => {
  const { type, data } = c.var.event;
  const id = c.req.header('X-Svc-Delivery-Id') ?? c.var.event.id;
  if (['appointment.created', 'appointment.cancelled'].includes(type) && !deliveries.has(id)) {
    deliveries.add(id);
    const text = `${type === 'appointment.created' ? 'New' : 'Cancelled'}: ${data.title} at ${data.startLocal}`;
    void writeNote({ contactId: data.contactId, text }, `note-${id}`);
  }
  return c.json({ received: true });
});

app.post('/chat', bodyLimit({ maxSize: 4 * 1024 * 1024 }), signed(agentKey), (c) => {
  const { type, data } = c.var.event;
  if (type !== 'message.received') return c.body(null, 204);
  if (data.autoReply.state !== 'on') return c.body(null, 204);
  const { id } = c.var.event;
  if (/quote/i.test(data.message.text)) {
    if (deliveries.has(id)) return c.body(null, 202);
    deliveries.add(id);
    sleep(300)
      .then(() => post(data.replyUrl, { text: 'That costs 80 euros.' }))
      .then((response) => response.ok || console.error('reply', response.status))
      .catch(console.error);
    return c.body(null, 202);
  }
  const { skill, action = 'none', note = '', text } = think(data.message.text, data.skills);
  return c.json({ text: skill ? 'I connect you.' : text, action, note, ...(skill && { executeSkills: [skill] }) });
});

app.get(
  '/voice',
  createMiddleware(async (c, next) => {
    const callId = c.req.header('X-Svc-Call-Id');
    const isCall =
      callId !== undefined && (await isSigned(c.req.header('X-Svc-Signature'), utf8.encode(callId), agentKey));
    if (!isCall) throw new HTTPException(401);
    await next();
  }),
  upgradeWebSocket(() => {
    let skills: { key: string; kind: string }[] = [];
    let turn = 0; // an interruption or the end of the call starts a new one
    let speech = Promise.resolve();

    async function speak(text: string, send: (frame: object) => void) {
      const mine = turn;
      for (const word of text.split(/(?<= )/)) {
        if (turn !== mine) return;
        send({ type: 'text', text: word, last: false });
        await sleep(40);
      }
      if (turn === mine) send({ type: 'text', text: '', last: true });
    }

    return {
      onMessage({ data }, ws) {
        const send = (frame: object) => ws.readyState === 1 && ws.send(JSON.stringify(frame));
        const say = (text: string) => void (speech = speech.then(() => speak(text, send)));
        let frame;
        try {
          frame = JSON.parse(String(data));
        } catch {
          return;
        }
        if (frame.type === 'session.started') {
          skills = frame.skills ?? [];
          if (frame.resumed) say('My colleagues are busy. ');
        } else if (frame.type === 'prompt') {
          const { text, skill, action, note } = think(frame.text, skills);
          if (skill || action) turn += 1;
          if (skill) send({ type: 'skill', executeSkills: [skill], announcement: 'I connect you.' });
          else if (action) send({ type: 'action', action, text, ...(note && { note }) });
          else say(text);
        } else if (frame.type === 'skill.result' && frame.ok === false) {
          say('That did not work. ');
        } else if (frame.type === 'interrupt' || frame.type === 'session.ended') {
          turn += 1;
        }
      },
      onClose() {
        turn += 1;
      },
    };
  }),
);

// The types differ from those of ws only under exactOptionalPropertyTypes.
type WebSocketServerLike = NonNullable<Parameters<typeof serve>[0]['websocket']>['server'];
const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 });
serve(
  {
    fetch: app.fetch,
    port: Number(PORT),
    websocket: { server: sockets as unknown as WebSocketServerLike },
  },
  ({ port }) => console.log(`listening on ${port}`),
);
