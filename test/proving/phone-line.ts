import { WebSocketServer } from 'ws';
import { single } from './hooks.ts';
import type { Journal } from './journal.ts';
import { PhoneCall } from './phone-call.ts';
import type { PhoneSeams } from './phone.ts';
import { refuseUpgrade, type Upgrade } from './wire.ts';

/** Verifies the upgrades of calls and makes a {@link PhoneCall} of each accepted one. */
export function phoneUpgrade(seams: PhoneSeams, secret: string, journal: Journal): Upgrade {
  const server = new WebSocketServer({ ...seams.server, noServer: true, clientTracking: false });
  return async (request, socket, head) => {
    const header = single(request.headers['x-svc-signature']);
    const callId = seams.callIdOf(request);
    seams.arrived(journal, callId);
    const isRight = () => callId !== undefined && seams.verify(header, Buffer.from(callId, 'utf8'), secret);
    const refusal = seams.isVerified(request) && !isRight() ? seams.refusal(header) : await seams.admit(request);
    if (socket.destroyed) return;
    if (refusal !== undefined) refuseUpgrade(socket, refusal);
    else {
      seams.accepted(journal, callId);
      server.handleUpgrade(request, socket, head, (open) => new PhoneCall(callId ?? '', request, open, seams));
    }
  };
}
