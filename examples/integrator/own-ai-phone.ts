import { STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer } from 'ws';

import type { BrandedNames } from './branded-names.ts';
import { asText } from './json.ts';
import { PhoneCall } from './phone-call.ts';
import type { PhoneCallOptions } from './phone-call.ts';
import { isSigned } from './signature.ts';

/** Maximum size of a frame (interface: Limits). A longer one ends the connection. */
const MAX_FRAME_BYTES = 64 * 1024;
/** After this much silence the system probes the other side, so that no dead call stays open forever. */
const KEEP_ALIVE_MS = 30_000;

export interface OwnAiPhoneOptions extends PhoneCallOptions {
  /** The assistant's secret, `whsec_` included. */
  secret: string;
  names: BrandedNames;
  now: () => number;
}

export interface OwnAiPhone {
  /** Accepts or refuses a call. For the `upgrade` event of a server. */
  takeCall(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Numbers only: this must not grow with every frame. */
  state(): { open: number; taken: number };
  /** Hands every open call to the team and closes it. */
  leaveCalls(): void;
  /** Closes all open connections. */
  cutCalls(): void;
}

/** WebSocket /voice: one connection is one call. Interface: Own-AI phone frames; Authentication. */
export function ownAiPhone({ secret, names, now, ...options }: OwnAiPhoneOptions): OwnAiPhone {
  // Compression would let a small frame become a large one and costs memory per call; speech as text gains nothing.
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES });
  const open = new Set<PhoneCall>();
  let taken = 0;

  function takeCall(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!isGenuine(request)) return refuseUpgrade(socket, 401);
    request.socket.setKeepAlive(true, KEEP_ALIVE_MS);
    server.handleUpgrade(request, socket, head, (connection) => {
      const call = new PhoneCall(connection, options);
      taken += 1;
      open.add(call);
      connection.once('close', () => open.delete(call));
    });
  }

  /** The call id is signed, so one without it cannot be genuine. Header bytes come as Latin-1 characters. */
  function isGenuine({ headers }: IncomingMessage): boolean {
    const callId = asText(headers[names.callId]);
    const header = headers[names.signature];
    return callId !== undefined && isSigned({ header, payload: Buffer.from(callId, 'latin1'), secret, nowMs: now() });
  }

  return {
    takeCall,
    state: () => ({ open: open.size, taken }),
    leaveCalls: () => open.forEach((call) => call.leave()),
    cutCalls: () => open.forEach((call) => call.cut()),
  };
}

/** Answers an upgrade request with a plain HTTP status. No upgrade happens, and the socket has no error listener. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  // A refused client may be gone already, which is not our error.
  socket.on('error', () => undefined);
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
