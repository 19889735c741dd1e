import type { IncomingMessage } from 'node:http';
import type { Answer, Answered } from './observation.ts';

/** Status of a successful upgrade (RFC 6455, 4.2.2). */
export const switchingProtocols = 101;

/** Whether an upgrade succeeded. */
export function isConnected(answer: Answer): boolean {
  return answer.outcome === 'answered' && answer.status === switchingProtocols;
}

/** Whether there is certainly no call after an upgrade: it was rejected, or did not reach the endpoint. */
export function hasNoCall(answer: Answer): boolean {
  return answer.outcome === 'unreachable' || (answer.outcome === 'answered' && !isConnected(answer));
}

/** Maximum bytes read of the body of a rejection, and the timeout for reading it. */
const maxRefusalBytes = 16_384;
const refusalTimeoutMs = 1_000;

/** The answer to an upgrade, with headers as received. */
export function toAnswered(status: number, message: IncomingMessage | undefined, body = Buffer.alloc(0)): Answered {
  const raw = message?.rawHeaders ?? [];
  const headers = Array.from({ length: Math.floor(raw.length / 2) }, (_, at): [string, string] => [
    raw[2 * at] ?? '',
    raw[2 * at + 1] ?? '',
  ]);
  return { outcome: 'answered', status, headers, body, bodyBytes: body.length, truncated: false };
}

/** Reads the rejection of an upgrade, with its body within the timeout and the bound. */
export function readRefusal(response: IncomingMessage): Promise<Answered> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = () => {
      clearTimeout(timer);
      response.destroy();
      resolve(toAnswered(response.statusCode ?? 0, response, Buffer.concat(chunks).subarray(0, maxRefusalBytes)));
    };
    // Only the status is judged; an endless body does not matter.
    const timer = setTimeout(finish, refusalTimeoutMs);
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes >= maxRefusalBytes) finish();
    });
    response.once('end', finish).once('error', finish).once('close', finish);
  });
}
