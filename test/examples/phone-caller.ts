import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { WebSocket } from 'ws';

export const AGENT_SECRET = 'whsec_YWdlbnQ=';
export const NOW_MS = Date.UTC(2026, 9, 11, 12);
export const T = NOW_MS / 1000;

/** Milliseconds within which an expected frame arrives, also on a busy machine. */
const PATIENCE_MS = 8_000;

export type Frame = Record<string, unknown>;

export const SALES = { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null };
export const URGENT = { id: 2, key: 'urgent', name: 'Urgent', kind: 'alert', announcement: null };

export const sign = (
  callId: string,
  secret = AGENT_SECRET,
  t: number | string = T,
  payload = `${String(t)}.${callId}`,
) => `t=${String(t)},v1=${createHmac('sha256', secret).update(payload).digest('hex')}`;

export const sessionStarted = (callId: string, fields: Frame = {}): Frame => ({
  type: 'session.started',
  protocol: '2026-10-11',
  callId,
  callSid: 'CA1',
  projectId: 70,
  workspaceId: 1,
  agentId: 2,
  from: '+4930901820',
  to: '+4989123456',
  language: 'en-US',
  contact: { id: 7, name: 'Erika Beispiel' },
  skills: [SALES, URGENT],
  ...fields,
});

/** Plays the service in one call: sends the given frames and records the received ones. */
export class PhoneCaller {
  readonly socket: WebSocket;
  readonly heard: Frame[] = [];
  readonly #events = new EventEmitter();
  readonly closed: Promise<{ code: number }>;
  #read = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      this.heard.push(JSON.parse((data as Buffer).toString()) as Frame);
      this.#events.emit('heard');
    });
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.on('close', (code) => resolve({ code })));
  }

  send(...frames: Frame[]): void {
    for (const frame of frames) this.socket.send(JSON.stringify(frame));
  }

  prompt(text: string): void {
    this.send({ type: 'prompt', text });
  }

  /** The next frame that has not been read yet. */
  async next(): Promise<Frame> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (this.heard.length <= this.#read) await once(this.#events, 'heard', { signal });
    return this.heard[this.#read++] as Frame;
  }

  async take(count: number): Promise<Frame[]> {
    const frames: Frame[] = [];
    while (frames.length < count) frames.push(await this.next());
    return frames;
  }

  /** The frames of the next answer, up to the one that ends it: the last piece, an action or a skill. */
  async answer(): Promise<Frame[]> {
    const frames: Frame[] = [];
    do frames.push(await this.next());
    while (frames.at(-1)?.['type'] === 'text' && frames.at(-1)?.['last'] !== true);
    return frames;
  }

  /** Resolves when the AI has handled all earlier frames and its immediate answers have arrived. */
  async settled(): Promise<void> {
    this.socket.ping();
    await once(this.socket, 'pong', { signal: AbortSignal.timeout(PATIENCE_MS) });
  }

  /** Returns the received frames that no call has returned yet. */
  untaken(): Frame[] {
    const frames = this.heard.slice(this.#read);
    this.#read = this.heard.length;
    return frames;
  }
}

export interface Dialled {
  callId?: string;
  headers?: Record<string, string | string[]>;
}

const upgradeHeaders = (callId: string) => ({
  'x-svc-call-id': callId,
  'x-svc-signature': sign(callId),
  'x-svc-agent-protocol': '2026-10-11',
});

/** Dials until the connection is established. No frame is sent. */
export async function dial(url: string, { callId = 'call_1', headers = upgradeHeaders(callId) }: Dialled = {}) {
  const socket = new WebSocket(url, { headers, perMessageDeflate: true });
  const caller = new PhoneCaller(socket);
  await once(socket, 'open', { signal: AbortSignal.timeout(PATIENCE_MS) });
  return caller;
}

/** Dials and starts the session. */
export async function call(url: string, fields: Frame = {}, callId = 'call_1'): Promise<PhoneCaller> {
  const caller = await dial(url, { callId });
  caller.send(sessionStarted(callId, fields));
  return caller;
}

/** The HTTP status of the answer to the upgrade; 101 if it is accepted. */
export async function statusOfUpgrade(url: string, headers: Record<string, string | string[]>): Promise<number> {
  const socket = new WebSocket(url, { headers });
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('unexpected-response', (_, response) => {
      socket.terminate();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', reject);
  });
}
