import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TransportSeams } from '../proving/wire.ts';

type Header = 'authorization' | 'x-svc-signature';

/** What precedes the credentials of a request on a connection that had valid ones. */
const mark = 'known connection: ';

/** Checks the credentials in this header only until they were valid once on the connection. */
export function checkingOncePerConnection(header: Header): {
  transport: Pick<TransportSeams, 'beforeBody'>;
  accepts: (value: string | undefined, isValid: (value: string | undefined) => boolean) => boolean;
} {
  const known = new WeakSet<Socket>();
  const sockets = new Map<string, Socket>();
  return {
    transport: {
      beforeBody: ({ headers, socket }: IncomingMessage) => {
        const value = headers[header] ?? '';
        if (known.has(socket)) headers[header] = `${mark}${String(value)}`;
        else sockets.set(String(value), socket);
        return undefined;
      },
    },
    accepts: (value, isValid) => {
      if (value?.startsWith(mark) === true) return true;
      const socket = sockets.get(value ?? '');
      const accepted = isValid(value);
      if (accepted && socket) known.add(socket);
      return accepted;
    },
  };
}
