import { createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { WebSocket, WebSocketServer } from 'ws';

interface Skill {
  id: number;
  key: string;
  kind: 'forward' | 'alert';
}

interface Reply {
  text: string;
  action: 'none' | 'handover' | 'end';
  note?: string;
  executeSkills?: string[];
}

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};
const crmToken = setting('CRM_TOKEN');
const hookSecret = setting('HOOK_SECRET');
const agentSecret = setting('AGENT_SECRET');
const baseUrl = setting('SVC_BASE_URL');
const apiKey = setting('SVC_API_KEY');

// The CRM: customers by phone number, case numbers by project.
const customers = new Map([
  [
    '+4930901820',
    { crmContactId: 'C-1001', firstName: 'Erika', lastName: 'Beispiel', crmAiInfo: 'Customer since 2019.' },
  ],
]);
const cases = new Map<number, string>();

const equal = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Checks `t=<unix seconds>,v1=<hex HMAC-SHA256(secret, t + '.' + content)>`. */
function isSigned(header: string | undefined, content: Buffer | string, secret: string): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/i.exec(header ?? '') ?? [];
  if (t === undefined || v1 === undefined || Math.abs(Date.now() / 1000 - Number(t)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${t}.`).update(content).digest('hex');
  return equal(v1.toLowerCase(), expected);
}

/** Calls API v1 until it is accepted: the key makes a retry harmless. */
async function callApi(url: string, body: unknown, idempotencyKey?: string): Promise<void> {
  for (let attempt = 1; attempt <= 6; attempt++) {
    let pause = 250 * 2 ** attempt;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Api-Key': apiKey,
          ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      });
      await response.body?.cancel();
      if (response.ok) return;
      if (response.status !== 429 && response.status < 500) return console.error(`${url}: ${response.status}`);
      pause = Math.max(pause, 1000 * Number(response.headers.get('Retry-After') ?? 0));
    } catch (error) {
      // It may have been processed, so without a key it could have two effects.
      if (!idempotencyKey) return console.error(url, error);
    }
    await sleep(pause);
  }
  console.error(`${url}: gave up`);
}

const seen = new Set<string>();
function isFirst(id: string): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  setTimeout(() => seen.delete(id), 24 * 60 * 60 * 1000).unref();
  return true;
}

function decide(text: string, skills: Skill[]): Reply {
  const forward = skills.find(({ kind }) => kind === 'forward');
  if (/sales/i.test(text) && forward)
    return { text: 'I put you through.', action: 'none', executeSkills: [forward.key] };
  if (/person|colleague/i.test(text))
    return { text: 'A colleague takes over.', action: 'handover', note: 'Asked for a person.' };
  if (/goodbye/i.test(text)) return { text: 'Goodbye!', action: 'end' };
  if (/everything/i.test(text))
    return { text: 'We repair bicycles of every make, and we sell new ones. '.repeat(6), action: 'none' };
  return { text: 'We are open from nine to five, Monday to Friday.', action: 'none' };
}

const app = express();
app.disable('x-powered-by');

const hasToken: RequestHandler = (req, res, next) => {
  if (equal(req.get('Authorization') ?? '', `Bearer ${crmToken}`)) next();
  else res.sendStatus(401);
};

app.post('/crm', hasToken, express.json({ limit: '1mb' }), (req, res) => {
  const { eventType, contactData, projectData } = req.body ?? {};
  switch (eventType) {
    case 'IncomingCallLookup':
    case 'NewConversation':
    case 0:
    case 2: {
      const customer = customers.get(contactData?.phoneNumber);
      if (!customer) return res.sendStatus(204);
      return res.json({
        requestContactUpdate: true,
        contactData: customer,
        requestProjectUpdate: false,
        projectData: null,
      });
    }
    case 'FinishedCall':
    case 'ConversationPaused':
    case 1:
    case 3: {
      const projectId = projectData?.svcProjectId;
      if (projectId === undefined) return res.sendStatus(204);
      if (!cases.has(projectId)) cases.set(projectId, `CASE-${1000 + cases.size}`);
      return res.json({
        requestContactUpdate: false,
        contactData: null,
        requestProjectUpdate: true,
        projectData: { crmProjectId: cases.get(projectId) },
      });
    }
    default:
      return res.sendStatus(204);
  }
});

/** The signature covers the bytes that arrived, so they are kept until it has been checked. */
const signed = (secret: string): RequestHandler[] => [
  express.raw({ type: () => true, limit: '4mb' }),
  (req, res, next) => {
    if (!Buffer.isBuffer(req.body) || !isSigned(req.get('X-Svc-Signature'), req.body, secret))
      return res.sendStatus(401);
    req.body = JSON.parse(req.body.toString('utf8'));
    next();
  },
];

app.post('/hooks', signed(hookSecret), (req: Request, res: Response) => {
  const { id, type, data } = req.body;
  const deliveryId = req.get('X-Svc-Delivery-Id') ?? id;
  if (/^appointment\.(confirmed|rescheduled|cancelled)$/.test(type) && isFirst(deliveryId)) {
    const note = { projectId: data.projectId, title: 'Appointment', text: `${data.title}, ${data.start}: ${type}` };
    void callApi(`${baseUrl}/v1/notes`, note, deliveryId);
  }
  res.sendStatus(200);
});

app.post('/chat', signed(agentSecret), (req: Request, res: Response) => {
  const { type, id, data } = req.body;
  if (type !== 'message.received' || data.autoReply?.state !== 'on') return res.sendStatus(204);
  if (!isFirst(id)) return res.sendStatus(204);
  if (/quote/i.test(data.message.text)) {
    res.sendStatus(202);
    void sleep(300).then(() => callApi(data.replyUrl, { text: 'The repair costs 80 euros.', action: 'none' }));
    return;
  }
  res.json(decide(data.message.text, data.skills ?? []));
});

app.use((error: Error & { status?: number }, _req: Request, res: Response, _next: NextFunction) => {
  res.sendStatus(error instanceof SyntaxError ? 400 : (error.status ?? 500));
});

function takeCall(call: WebSocket): void {
  let skills: Skill[] = [];
  let speech = new AbortController();
  const send = (frame: object) => call.readyState === WebSocket.OPEN && call.send(JSON.stringify(frame));

  async function speak(text: string): Promise<void> {
    speech.abort();
    const { signal } = (speech = new AbortController());
    for (const piece of text.match(/\S+\s*/g) ?? []) {
      if (signal.aborted) return;
      send({ type: 'text', text: piece, last: false });
      await sleep(50);
    }
    if (!signal.aborted) send({ type: 'text', text: '', last: true });
  }

  call.on('message', (data: Buffer) => {
    let frame;
    try {
      frame = JSON.parse(data.toString());
    } catch {
      return;
    }
    switch (frame?.type) {
      case 'session.started':
        skills = frame.skills ?? [];
        if (frame.resumed === 'handover_failed') void speak('My colleagues are busy right now. How can I help?');
        break;
      case 'prompt': {
        const { text, action, note, executeSkills } = decide(frame.text, skills);
        if (executeSkills) {
          speech.abort();
          send({ type: 'skill', executeSkills });
        } else if (action !== 'none') {
          speech.abort();
          send({ type: 'action', action, text, note });
        } else {
          void speak(text);
        }
        break;
      }
      case 'skill.result':
        if (!frame.ok) void speak('There is no answer at the moment. May I help you?');
        break;
      case 'interrupt':
      case 'session.ended':
        speech.abort();
        break;
    }
  });
  call.on('close', () => speech.abort());
  call.on('error', (error) => console.error(error.message));
}

const server = app.listen(Number(process.env['PORT'] ?? 3000), () => console.log('listening'));

const calls = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 });
server.on('upgrade', (req, socket, head) => {
  socket.on('error', () => socket.destroy());
  const callId = req.headers['x-svc-call-id'];
  const signature = req.headers['x-svc-signature'];
  if (req.url !== '/voice' || typeof callId !== 'string' || !isSigned(String(signature), callId, agentSecret)) {
    socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    return;
  }
  calls.handleUpgrade(req, socket, head, takeCall);
});
