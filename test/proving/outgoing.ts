import { request } from 'node:http';

/** One request to the service. */
export interface Outgoing {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

/** Sends it and returns the status; 0 without an answer. */
export function send({ url, method, headers, body }: Outgoing): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = request(
      url,
      { method, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, agent: false },
      (answer) => {
        answer.resume();
        answer.on('error', () => resolve(0));
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    outgoing.on('error', () => resolve(0));
    outgoing.end(body);
  });
}
