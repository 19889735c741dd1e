import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';

/** One request as it is sent. */
export interface WireCall {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string | Buffer;
}

/** The received answer. */
export interface ApiAnswer {
  /** 0: no answer. */
  status: number;
  /** The body as a JSON object; empty for any other body. */
  body: Record<string, unknown>;
  /** Seconds of Retry-After; 0 without it. */
  retryAfter: number;
}

/** How a request is sent. */
export interface WireManner {
  /** Default: a connection for each request. */
  agent?: Agent;
  /** Sends the body in chunks of this many bytes, without its length. */
  chunkBytes?: number;
  /** Milliseconds after which it gives up waiting and closes the connection. */
  timeoutMs?: number;
}

const noAnswer: ApiAnswer = { status: 0, body: {}, retryAfter: 0 };

const keepAliveAgent = new Agent({ keepAlive: true });

/** Sends a request on a connection that is kept for the next one. */
export function exchange(wire: WireCall): Promise<ApiAnswer> {
  return exchangeBy(wire, { agent: keepAliveAgent });
}

/** Sends a request with these options. Never rejects: without an answer the status is 0. */
export function exchangeBy(
  { method, url, headers, body }: WireCall,
  { agent, chunkBytes, timeoutMs }: WireManner,
): Promise<ApiAnswer> {
  return new Promise((resolve) => {
    const length = Buffer.byteLength(body);
    const outgoing = request(
      url,
      {
        method,
        agent: agent ?? false,
        headers: [
          ...headers,
          ...(length > 0 && chunkBytes === undefined ? [['Content-Length', String(length)] as const] : []),
          ['Host', new URL(url).host],
        ].flat(),
      },
      (answer) => void readAnswer(answer).then(resolve),
    );
    outgoing.on('error', () => resolve(noAnswer));
    if (timeoutMs !== undefined) outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error('timed out')));
    writeBody(outgoing, Buffer.from(body), chunkBytes);
  });
}

function writeBody(outgoing: ClientRequest, body: Buffer, chunkBytes: number | undefined): void {
  if (chunkBytes === undefined) {
    outgoing.end(body);
    return;
  }
  for (let at = 0; at < body.length; at += chunkBytes) outgoing.write(body.subarray(at, at + chunkBytes));
  outgoing.end();
}

async function readAnswer(answer: IncomingMessage): Promise<ApiAnswer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    return noAnswer;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: answer.statusCode ?? 0,
    body: objectIn(text),
    retryAfter: Number(answer.headers['retry-after'] ?? 0),
  };
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
