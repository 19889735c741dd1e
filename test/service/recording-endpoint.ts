import { createHmac } from 'node:crypto';
import { answerText, rawServer } from '../harness/raw-server.ts';
import { credentials, type Addresses } from '../harness/settings-for-tests.ts';

/** One received request: header names unchanged, the body as bytes. */
export interface Recorded {
  path: string;
  method: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** Whether the token or signature was valid. */
  accepted: boolean;
}

export interface RecordingEndpoint extends AsyncDisposable {
  addresses: Required<Pick<Addresses, 'crm' | 'hooks' | 'chat'>>;
  requests: Recorded[];
  /** The accepted requests of one path. */
  taken: (path: '/crm' | '/hooks' | '/chat') => Recorded[];
  /** The answer to accepted requests; default 204. */
  answerWith: (answer: { status: number; body?: string } | undefined) => void;
}

/** Records every request and accepts those with a valid credential. Independent of the harness. */
export async function recordingEndpoint(): Promise<RecordingEndpoint> {
  const requests: Recorded[] = [];
  let answer: { status: number; body?: string } | undefined = { status: 204 };
  const server = await rawServer((socket, { head, body }) => {
    const [first = '', ...lines] = head.split('\r\n');
    const [method = '', path = ''] = first.split(' ');
    const headers = lines.map((line): [string, string] => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    });
    const request = { path, method, headers, body, accepted: false };
    request.accepted = isRight(request);
    requests.push(request);
    if (!request.accepted) socket.write(answerText('401 Unauthorized'));
    else if (answer)
      socket.write(
        answer.status === 204
          ? 'HTTP/1.1 204 No Content\r\n\r\n'
          : answerText(`${answer.status} Some`, {}, answer.body ?? ''),
      );
  });
  return {
    addresses: { crm: `${server.origin}/crm`, hooks: `${server.origin}/hooks`, chat: `${server.origin}/chat` },
    requests,
    taken: (path) => requests.filter((request) => request.path === path && request.accepted),
    answerWith: (other) => (answer = other),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Value of the header with this name, in any letter case; undefined if it is missing or occurs twice. */
export function headerOf({ headers }: Pick<Recorded, 'headers'>, name: string): string | undefined {
  const values = headers.filter(([key]) => key.toLowerCase() === name.toLowerCase());
  return values.length === 1 ? values[0]?.[1] : undefined;
}

export const jsonOf = ({ body }: Pick<Recorded, 'body'>) =>
  JSON.parse(body.toString('utf8')) as Record<string, unknown>;

/** Seconds that t may be off (interface: Limits). */
const toleranceSeconds = 300;

function isRight(request: Recorded): boolean {
  if (request.path === '/crm') return headerOf(request, 'authorization') === `Bearer ${credentials.token}`;
  const secret = request.path === '/hooks' ? credentials.hookSecret : credentials.agentSecret;
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headerOf(request, 'x-svc-signature') ?? '') ?? [];
  if (t === undefined || Math.abs(Date.now() / 1000 - Number(t)) > toleranceSeconds) return false;
  const key = Buffer.from(secret, 'utf8');
  return createHmac('sha256', key).update(`${t}.`).update(request.body).digest('hex') === v1;
}
