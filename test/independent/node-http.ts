import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';

const env = (name: string): string => process.env[name] ?? fail(`${name} is missing`);
const fail = (message: string): never => {
  throw new Error(message);
};
const token = env('CRM_TOKEN');
const secrets = { hooks: env('HOOK_SECRET'), agent: env('AGENT_SECRET') };
const api = { url: env('SVC_BASE_URL'), key: env('SVC_API_KEY') };
const maxBody = 4 * 1024 * 1024;

type Parsed = ReturnType<typeof JSON.parse>;

class HttpError extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Without this option, leaving the loop would destroy the socket before the answer is sent.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > maxBody) throw new HttpError(413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer): Parsed {
  try {
    const value = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // answered below
  }
  throw new HttpError(400);
}

function sendJson(res: ServerResponse, status: number, body?: object): void {
  if (body === undefined) res.writeHead(status).end();
  else res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

function isSigned(header: string | string[] | undefined, content: Buffer | string, secret: string): boolean {
  if (typeof header !== 'string') return false;
  let t = '';
  let v1 = '';
  for (const part of header.split(',')) {
    if (part.startsWith('t=')) t = part.slice(2);
    if (part.startsWith('v1=')) v1 = part.slice(3);
  }
  const age = Date.now() / 1000 - Number.parseInt(t, 10);
  if (!/^\d+$/.test(t) || Math.abs(age) > 300) return false;
  return sameText(v1, createHmac('sha256', secret).update(t).update('.').update(content).digest('hex'));
}

interface Job {
  path: string;
  body: object;
  key: string;
  attempt: number;
}

/** Sends one write at a time, so that a rate limit of the service stops all of them. */
const jobs: Job[] = [];
let isSending = false;
async function work(): Promise<void> {
  if (isSending) return;
  isSending = true;
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const response = await fetch(`${api.url}${job.path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Api-Key': api.key, 'Idempotency-Key': job.key },
      body: JSON.stringify(job.body),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    const isTransient = response === undefined || response.status === 429 || response.status >= 500;
    if (!isTransient || job.attempt === 8) {
      if (!response?.ok) console.error('given up', job.path, response?.status);
      continue;
    }
    const pause = Number(response?.headers.get('retry-after')) || Math.min(30, 0.5 * 2 ** job.attempt);
    await new Promise((resume) => setTimeout(resume, pause * 1000));
    jobs.unshift({ ...job, attempt: job.attempt + 1 });
  }
  isSending = false;
}

const people: Record<string, object> = {
  '+4930901820': {
    crmContactId: 'a8f3',
    firstName: 'Ana',
    lastName: 'Núñez',
    company: 'Núñez SL',
    crmAiInfo: 'Prefers mornings.',
  },
};

function handleCrm(event: Parsed): [number, object?] {
  switch (event.eventType) {
    case 0:
    case 2:
    case 'IncomingCallLookup':
    case 'NewConversation': {
      const phone = event.contactData?.phoneNumber;
      if (typeof phone !== 'string' || !Object.hasOwn(people, phone)) return [204];
      return [200, { requestContactUpdate: true, contactData: people[phone] }];
    }
    case 1:
    case 3:
    case 'FinishedCall':
    case 'ConversationPaused':
      if (!event.projectData) return [204];
      return [
        200,
        { requestProjectUpdate: true, projectData: { crmProjectId: `2026-${event.projectData.svcProjectId}` } },
      ];
    default:
      return [204];
  }
}

const known = new Set<string>();
function handleHook(event: Parsed, deliveryId: string): void {
  if (known.has(deliveryId)) return;
  known.add(deliveryId);
  const { projectId, title, start } = event.data ?? {};
  if (!String(event.type).startsWith('appointment.') || !Number.isInteger(projectId)) return;
  const body = { projectId, title: event.type.slice('appointment.'.length), text: `${title} (${start} UTC)` };
  jobs.push({ path: '/v1/notes', body, key: deliveryId, attempt: 0 });
  void work();
}

function respond(text: string, skills: { key: string }[] = []) {
  const wanted = skills.find(({ key }) => key && text.toLowerCase().includes(key));
  if (wanted) return { text: 'Right away.', executeSkills: [wanted.key] };
  if (/person/i.test(text)) return { text: 'A colleague will be with you shortly.', action: 'handover' };
  if (/goodbye/i.test(text)) return { text: 'Goodbye.', action: 'end' };
  if (/everything/i.test(text)) return { text: Array.from({ length: 60 }, (_, n) => `Service ${n + 1}.`).join(' ') };
  return { text: 'We are open on weekdays from nine to five.' };
}

const server = createServer((req, res) => {
  handle(req, res).catch((error: unknown) => {
    const status = error instanceof HttpError ? error.status : 500;
    if (status === 500) console.error(error);
    if (res.headersSent) return res.destroy();
    if (status === 413) res.setHeader('Connection', 'close');
    sendJson(res, status);
  });
});

async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'POST') return sendJson(res, req.url === '/health' ? 200 : 405);
  const body = await readBody(req);
  if (req.url === '/crm') {
    if (!sameText(req.headers.authorization ?? '', `Bearer ${token}`)) throw new HttpError(401);
    return sendJson(res, ...handleCrm(parse(body)));
  }
  const secret = req.url === '/hooks' ? secrets.hooks : req.url === '/chat' ? secrets.agent : undefined;
  if (secret === undefined) throw new HttpError(404);
  if (!isSigned(req.headers['x-svc-signature'], body, secret)) throw new HttpError(401);
  const event = parse(body);
  if (req.url === '/hooks') {
    handleHook(event, String(req.headers['x-svc-delivery-id'] ?? event.id));
    return sendJson(res, 200);
  }
  if (event.type !== 'message.received' || event.data.autoReply?.state !== 'on') return sendJson(res, 204);
  if (!event.data.message.text) return sendJson(res, 204);
  sendJson(res, 200, respond(event.data.message.text, event.data.skills));
}

function converse(call: WebSocket): void {
  let skills: { key: string }[] = [];
  let rest: string[] = [];
  const send = (frame: object) => {
    if (call.readyState === call.OPEN) call.send(JSON.stringify(frame));
  };
  const timer = setInterval(() => {
    const piece = rest.shift();
    if (piece !== undefined) send({ type: 'text', text: piece, last: rest.length === 0 });
  }, 50);
  const say = (text: string) => {
    rest = text.match(/\S+\s*/g) ?? [];
  };
  call.on('close', () => clearInterval(timer));
  call.on('error', () => call.terminate());
  call.on('message', (data) => {
    let frame: Parsed;
    try {
      frame = JSON.parse((data as Buffer).toString());
    } catch {
      return;
    }
    if (frame.type === 'session.started') {
      skills = frame.skills ?? [];
      if (frame.resumed) say('The call was not picked up. What can I do for you?');
    }
    if (frame.type === 'interrupt' || frame.type === 'session.ended') rest = [];
    if (frame.type === 'skill.result' && !frame.ok) say('There is no answer.');
    if (frame.type !== 'prompt') return;
    const { text, executeSkills, action } = respond(frame.text, skills);
    if (!executeSkills && !action) return say(text);
    rest = [];
    send(executeSkills ? { type: 'skill', executeSkills } : { type: 'action', action, text });
  });
}

const sockets = new WebSocketServer({ noServer: true, maxPayload: 256 * 1024 });
server.on('upgrade', (req, socket, head) => {
  socket.on('error', () => socket.destroy());
  const callId = req.headers['x-svc-call-id'];
  if (req.url === '/voice' && callId && isSigned(req.headers['x-svc-signature'], String(callId), secrets.agent)) {
    sockets.handleUpgrade(req, socket, head, converse);
  } else {
    socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  }
});

server.requestTimeout = 30_000;
server.listen(Number(process.env['PORT'] ?? 3000), () => console.log('listening'));
