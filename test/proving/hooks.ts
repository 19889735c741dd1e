import type { Journal } from './journal.ts';
import { rememberForever, type Once } from './once.ts';
import { verify, type Verify } from './signature.ts';
import type { Answer, Handler, Incoming } from './wire.ts';

/** A signed appointment event as far as a handler reads it. */
export interface HookEvent {
  id: string;
  type: string;
  createdAt: string;
  workspaceId: number;
  data: Record<string, unknown>;
}

/** Everything that the receiver of appointment events decides. */
export interface HookSeams {
  /** Runs before the signature is verified. */
  early(journal: Journal, request: Incoming): void;
  verify: Verify;
  refusal(header: string | undefined): Answer;
  /** Inspects the verified delivery before its effect; may throw or refuse it. */
  read(event: HookEvent, request: Incoming): Answer | undefined;
  once: Once;
  effect(journal: Journal, event: HookEvent, deliveryId: string): void | Promise<void>;
  accepted(event: HookEvent): Answer;
}

export const hookTypes = [
  'appointment.created',
  'appointment.confirmed',
  'appointment.rescheduled',
  'appointment.cancelled',
  'appointment.finished',
  'appointment.reminder_sent',
];

export function correctHooks(): HookSeams {
  return {
    early: () => undefined,
    verify,
    refusal: () => ({ status: 401 }),
    read: () => undefined,
    once: rememberForever(),
    effect: (journal, { type, data }, deliveryId) => {
      if (hookTypes.includes(type)) journal.add(`${type} of ${String(data.id)} by ${deliveryId}`);
    },
    accepted: () => ({ status: 200 }),
  };
}

export function hookHandler(seams: HookSeams, secret: string, journal: Journal): Handler {
  return async (request) => {
    const header = single(request.headers['x-svc-signature']);
    seams.early(journal, request);
    if (!seams.verify(header, request.body, secret)) return seams.refusal(header);
    const event = JSON.parse(request.body.toString('utf8')) as HookEvent;
    const deliveryId = single(request.headers['x-svc-delivery-id']) ?? '';
    const objection = seams.read(event, request);
    if (objection !== undefined) return objection;
    return await seams.once(deliveryId, async () => {
      await seams.effect(journal, event, deliveryId);
      return seams.accepted(event);
    });
  };
}

/** The value of a header that occurs once. */
export function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
