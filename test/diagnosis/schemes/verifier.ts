import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A request as a receiver has it in its hands when it verifies. */
export interface Received {
  method: string;
  /** Path and query, as in the request line. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Raw bytes; of the upgrade of a call none. */
  body: Buffer;
  /** Of the upgrade of a call: what its header says. */
  callId?: string;
}

/** The part of a header that is used. */
export interface Parts {
  t: string;
  v1: string;
}

/** The steps of a verification as a developer writes them; each can be done wrongly. */
export interface Steps {
  /** What the configured secret is turned into. */
  key: (secret: string) => string | Buffer;
  /** Finds the signature header and takes it apart. */
  read: (headers: IncomingHttpHeaders) => Parts | undefined;
  /** What the body is when the verification gets it. */
  body: (raw: Buffer) => string | Buffer;
  /** What is signed. */
  content: (t: string, body: string | Buffer, request: Received) => string | Buffer;
  digest: (key: string | Buffer, content: string | Buffer) => Buffer;
  encode: (digest: Buffer) => string;
  compare: (expected: string, given: string) => boolean;
  /** Whether the time is near enough. */
  fresh: (t: string) => boolean;
}

export function join(...pieces: (string | Buffer)[]): Buffer {
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece)));
}

export function same(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** `name=value` pairs between commas, as the interface has them. */
export function pairs(header: string, between = ',', is = '='): Parts | undefined {
  const found = new Map(
    header.split(between).map((pair): [string, string] => {
      const at = pair.indexOf(is);
      return [pair.slice(0, at).trim(), pair.slice(at + is.length).trim()];
    }),
  );
  const [t, v1] = [found.get('t'), found.get('v1')];
  return t === undefined || v1 === undefined ? undefined : { t, v1 };
}

export function one(header: string | string[] | undefined): string {
  return Array.isArray(header) ? (header[0] ?? '') : (header ?? '');
}

export const rightSteps: Steps = {
  key: (secret) => secret,
  read: (headers) => pairs(one(headers['x-svc-signature'])),
  body: (raw) => raw,
  content: (t, body) => join(`${t}.`, body),
  digest: (key, content) => createHmac('sha256', key).update(content).digest(),
  encode: (digest) => digest.toString('hex'),
  compare: same,
  fresh: (t) => Math.abs(Date.now() / 1000 - Number(t)) <= 300,
};

/** Whether the signature fits, by these steps. What throws does not fit. */
export function verifies(changed: Partial<Steps>, secret: string, request: Received): boolean {
  const steps = { ...rightSteps, ...changed };
  try {
    const parts = steps.read(request.headers);
    if (parts === undefined || !steps.fresh(parts.t) || request.callId === '') return false;
    const body = request.callId === undefined ? steps.body(request.body) : request.callId;
    const content = steps.content(parts.t, body, request);
    return steps.compare(steps.encode(steps.digest(steps.key(secret), content)), parts.v1);
  } catch {
    return false;
  }
}
