import type { ApiClient } from './api-client.ts';
import type { AppointmentBook } from './appointment-book.ts';
import type { BrandedNames } from './branded-names.ts';
import { noteCancellation } from './cancellation-note.ts';
import type { Answer, Handler, Log } from './exchange.ts';
import type { Journal } from './journal.ts';
import { asObject, asText, parseObject } from './json.ts';
import type { JsonObject } from './json.ts';
import { SeenOnce } from './seen-once.ts';
import { isSigned } from './signature.ts';

const EVENT_TYPES: ReadonlySet<unknown> = new Set([
  'appointment.created',
  'appointment.confirmed',
  'appointment.rescheduled',
  'appointment.cancelled',
  'appointment.finished',
  'appointment.reminder_sent',
]);

export interface ApiWebhooksOptions {
  /** Returned once, when the subscription is created. */
  secret: string;
  book: AppointmentBook;
  journal: Journal;
  names: BrandedNames;
  now: () => number;
  log: Log;
  /** Writes a note for each cancelled appointment; without it nothing is written. */
  api?: ApiClient | undefined;
}

/** POST /hooks: keeps the appointments up to date, and notes cancellations. Interface: API webhook events. */
export function apiWebhooks({ secret, book, journal, names, now, log, api }: ApiWebhooksOptions): Handler {
  const seen = new SeenOnce<Answer>();

  return async ({ headers, body }) => {
    const header = headers[names.signature];
    if (!isSigned({ header, payload: body, secret, nowMs: now() })) return { status: 401 };
    const event = parseObject(body);
    if (event === undefined) return { status: 400 };

    // Subscribed types may grow. Anything but 2xx would make a type that we do not need look like a failure.
    if (!EVENT_TYPES.has(event['type'])) return { status: 200 };
    const delivery = asText(headers[names.deliveryId]);
    if (delivery === undefined) return apply(event, '');
    const { outcome, first } = seen.run(delivery, () => apply(event, delivery));
    const { afterwards, ...answer } = await outcome;
    return first && afterwards !== undefined ? { ...answer, afterwards } : answer;
  };

  async function apply(event: JsonObject, delivery: string): Promise<Answer> {
    const appointment = asObject(event['data']);
    if (appointment === undefined) return { status: 400 };
    const change = book.keep(appointment);
    if (change === 'not an appointment') return { status: 400 };
    const id = String(appointment['id']);
    journal.effect({ surface: 'api-webhooks', delivery, did: `${String(event['type'])} ${id}: ${change}` });
    const isNoted = api !== undefined && delivery !== '' && event['type'] === 'appointment.cancelled';
    return isNoted ? { status: 200, afterwards: () => note(api, appointment, delivery) } : { status: 200 };
  }

  async function note(api: ApiClient, appointment: JsonObject, delivery: string): Promise<void> {
    try {
      await noteCancellation(api, appointment, delivery);
    } catch (error) {
      log(`note for appointment ${String(appointment['id'])}: ${error instanceof Error ? error.message : 'failed'}`);
    }
  }
}
