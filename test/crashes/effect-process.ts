/** An endpoint in a separate process that adds a note for each event before it answers: API webhooks and CRM webhook. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { credentials } from '../harness/settings-for-tests.ts';

/** Storage of processed ids. */
export type EffectConduct =
  /** In memory, which a crash loses. */
  | 'memory'
  /** In memory, but each note has the Idempotency-Key of its delivery. */
  | 'key'
  /** In a file, before the note. */
  | 'file'
  /** In files, before the note; all processes share them. */
  | 'shared'
  /** In memory; it answers before it adds the note. */
  | 'late';

const [conduct, port, file = ''] = process.argv.slice(2) as [EffectConduct, string, string?];
const toleranceSeconds = 300;

const known = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);

/** Whether this delivery is the first with its id; stores the id. */
function isNew(id: string): boolean {
  if (conduct === 'shared') return isFirst(id);
  if (known.has(id)) return false;
  known.add(id);
  if (conduct === 'file') appendFileSync(file, `${id}\n`);
  return true;
}

/** The same for all processes: only one of them can create the file. */
function isFirst(id: string): boolean {
  try {
    writeFileSync(`${file}-${createHash('sha256').update(id).digest('hex')}`, '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

async function addNote(id: string, note: object): Promise<void> {
  await fetch(`${process.env['SVC_BASE_URL']}/v1/notes`, {
    method: 'POST',
    headers: {
      'X-Api-Key': credentials.apiKey,
      'Content-Type': 'application/json',
      ...(conduct === 'key' && { 'Idempotency-Key': id }),
    },
    body: JSON.stringify(note),
  });
}

function isSigned({ headers }: IncomingMessage, body: Buffer): boolean {
  const header = headers['x-svc-signature'];
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(typeof header === 'string' ? header : '') ?? [];
  if (t === '' || Math.abs(Date.now() / 1000 - Number(t)) > toleranceSeconds) return false;
  const expected = createHmac('sha256', credentials.hookSecret).update(`${t}.`).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(v1, 'hex'));
}

interface HookEvent {
  type: string;
  data: { id: number; projectId: number };
}

interface CrmEvent {
  eventType: string;
  callbackUrl: string;
  contactData?: { phoneNumber?: string } | null;
}

/** The id and the note of an event, and the status of its answer. */
function read(request: IncomingMessage, body: Buffer): { status: number; id?: string; note?: object } {
  if (request.url === '/hooks') {
    if (!isSigned(request, body)) return { status: 401 };
    const { type, data } = JSON.parse(body.toString()) as HookEvent;
    const id = String(request.headers['x-svc-delivery-id']);
    return { status: 200, id, note: { projectId: data.projectId, text: `${type} of appointment ${data.id}` } };
  }
  if (request.headers.authorization !== `Bearer ${credentials.token}`) return { status: 401 };
  const { eventType, callbackUrl, contactData } = JSON.parse(body.toString()) as CrmEvent;
  if (eventType !== 'FinishedCall') return { status: 204 };
  return { status: 204, id: callbackUrl, note: { phone: contactData?.phoneNumber, text: 'A call was finished.' } };
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { status, id, note } = read(request, Buffer.concat(chunks));
    const answer = () => void response.writeHead(status).end();
    if (id !== undefined) console.log(process.pid, 'got', id);
    const act = async () => {
      if (id !== undefined && note && isNew(id)) await addNote(id, note);
    };
    if (conduct === 'late') answer();
    void act().then(conduct === 'late' ? undefined : answer);
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(process.pid, 'listens'));
