import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { credentials } from '../harness/settings-for-tests.ts';

/** One call as the AI received it. */
export interface RecordedCall {
  path: string;
  method: string;
  /** Headers of the upgrade, names unchanged. */
  headers: [name: string, value: string][];
  /** Frames of the service, as text. */
  frames: string[];
  /** The end of the connection. */
  closed?: { code: number };
}

/** Answers one frame of the service: sends a string or bytes unchanged, any other value as JSON. */
export type Answers = (frame: Record<string, unknown>, say: (frame: object | string) => void) => void;

export interface RecordingPhone extends AsyncDisposable {
  url: string;
  /** Upgrades with a valid signature. */
  calls: RecordedCall[];
  /** Upgrades that were refused. */
  refused: number;
  /** Sets the reaction of the AI to each frame from now on; default: none. */
  answerWith: (answers: Answers) => void;
}

/** An AI on the phone that records everything and accepts valid signatures. Independent of the harness. */
export async function recordingPhone(): Promise<RecordingPhone> {
  let answers: Answers = () => undefined;
  const http = createServer();
  const server = new WebSocketServer({ noServer: true });
  const phone: RecordingPhone = {
    url: '',
    calls: [],
    refused: 0,
    answerWith: (other) => (answers = other),
    async [Symbol.asyncDispose]() {
      for (const socket of server.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined);
    if (!isRight(request)) {
      phone.refused++;
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    server.handleUpgrade(request, socket, head, (connection) => phone.calls.push(record(connection, request)));
  });
  const record = (connection: WebSocket, { url = '', method = '', rawHeaders }: IncomingMessage): RecordedCall => {
    const headers = rawHeaders.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
    );
    const call: RecordedCall = { path: url, method, headers, frames: [] };
    connection.on('error', () => undefined);
    connection.on('close', (code) => (call.closed = { code }));
    connection.on('message', (data: Buffer) => {
      const text = data.toString('utf8');
      call.frames.push(text);
      answers(JSON.parse(text) as Record<string, unknown>, (frame) => {
        connection.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
      });
    });
    return call;
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  phone.url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/voice?tenant=7`;
  return phone;
}

/** Seconds that t may be off (interface: Limits). */
const toleranceSeconds = 300;

function isRight({ headers }: IncomingMessage): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-svc-signature'])) ?? [];
  if (t === undefined || Math.abs(Date.now() / 1000 - Number(t)) > toleranceSeconds) return false;
  const signed = `${t}.${String(headers['x-svc-call-id'])}`;
  return createHmac('sha256', Buffer.from(credentials.agentSecret, 'utf8')).update(signed).digest('hex') === v1;
}
