import type { IncomingMessage } from 'node:http';

/**
 * The interface states no size for requests of the service. This leaves ample room for 30 turns of history with every
 * character escaped, and bounds the memory that a stranger can make us use before the signature is checked.
 */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Reads the body as the bytes that arrived. `undefined` when there are more than `maxBytes`; nothing is kept then.
 *
 * @throws when the sender goes away before the body is complete
 */
export async function readRawBody(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving a plain `for await` early destroys the socket, and with it the 413.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
