import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A request as a receiver sees it during verification. */
export interface Received {
  method: string;
  /** Path and query, as in the request line. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Raw bytes; empty for the upgrade of a call. */
  body: Buffer;
  /** The call id in the header of an upgrade. */
  callId?: string;
}

/** The parts of a header that a verification uses. */
export interface Parts {
  t: string;
  v1: string;
}

/** The steps of a verification as a developer writes them; each may contain a mistake. */
export interface Steps {
  /** Derives the key from the configured secret. */
  key: (secret: string) => string | Buffer;
  /** Finds and parses the signature header. */
  read: (headers: IncomingHttpHeaders) => Parts | undefined;
  /** The body that the verification receives. */
  body: (raw: Buffer) => string | Buffer;
  /** The signed content. */
  content: (t: string, body: string | Buffer, request: Received) => string | Buffer;
  digest: (key: string | Buffer, content: string | Buffer) => Buffer;
  encode: (digest: Buffer) => string;
  compare: (expected: string, given: string) => boolean;
  /** Whether `t` is close enough to the current time. */
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

/** Whether the signature is valid according to these steps. An exception means no. */
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
