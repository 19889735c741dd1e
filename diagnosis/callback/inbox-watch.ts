import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Inbox } from '../../harness/wire/inbox.ts';

/** First byte of a TLS handshake (RFC 8446, 5.1), and the major version behind it. */
const tlsHandshake = [0x16, 0x03] as const;

/** A request to the port of the inbox, whatever its path. */
export interface InboxRequest {
  method: string;
  /** Path and query as written. */
  target: string;
}

/** Records everything that arrives at the port of the inbox, including invalid requests. */
export class InboxWatch implements Disposable {
  readonly requests: InboxRequest[] = [];
  /** Data that is not HTTP: the beginning of TLS, or anything else, with the error code of the parser. */
  readonly garbled: { isTls: boolean; code: string }[] = [];
  readonly #server: Inbox['service']['app']['server'];

  constructor(inbox: Inbox) {
    this.#server = inbox.service.app.server;
    this.#server.on('request', this.#onRequest);
    this.#server.on('clientError', this.#onGarbled);
  }

  #onRequest = ({ method = '', url = '' }: IncomingMessage): void => {
    this.requests.push({ method, target: url });
  };

  #onGarbled = (error: Error & { code?: string; rawPacket?: Buffer }, socket: Pick<Socket, 'destroy'>): void => {
    const { code = '', rawPacket } = error;
    // A closed connection is not an invalid request.
    if (code === 'ECONNRESET' || code === 'HPE_INVALID_EOF_STATE') return;
    const isTls = tlsHandshake.every((byte, at) => rawPacket?.[at] === byte);
    this.garbled.push({ isTls, code });
    // Without another listener this one has to close the connection.
    if (this.#server.listenerCount('clientError') === 1) socket.destroy();
  };

  [Symbol.dispose](): void {
    this.#server.off('request', this.#onRequest);
    this.#server.off('clientError', this.#onGarbled);
  }
}
