import { existsSync, realpathSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { ApiClient, ApiRefusal } from './api-client.ts';
import { CrmRecords } from './crm-records.ts';
import type { Log } from './exchange.ts';

export interface SyncOptions {
  baseUrl: string;
  apiKey: string;
  /** Where appointment events are to go, where they are wanted. */
  hooksUrl?: string | undefined;
  /** Default: the customers that come with this example. */
  records?: CrmRecords;
  /** Default: the machine's clock, in milliseconds. */
  now?: () => number;
  log?: Log;
}

/**
 * One round of a nightly job: customers become contacts, each gets the message, the note and the appointment that are
 * due, and what went by mail is logged. What cannot be done is told, and the rest goes on.
 *
 * @returns the number of customers for whom something could not be done
 */
export async function sync(options: SyncOptions): Promise<number> {
  const { baseUrl, apiKey, hooksUrl, records = new CrmRecords(), now = Date.now, log = console.error } = options;
  const api = new ApiClient({ baseUrl, apiKey });
  const me = await api.send<{ workspaceName: string }>({ method: 'GET', path: '/v1/me', repeat: 'harmless' });
  log(`connected to ${me.workspaceName}`);
  if (hooksUrl !== undefined) await subscribe(api, hooksUrl, log);
  const day = new Date(now()).toISOString().slice(0, 10);
  let failed = 0;
  for (const customer of records.all()) {
    try {
      // From here on the id stands for the customer; a phone number may change hands.
      const { id: contactId } = await api.send<{ id: number }>({
        method: 'POST',
        path: '/v1/contacts',
        body: {
          phone: customer.phone,
          firstName: customer.firstName,
          lastName: customer.lastName,
          serviceConsent: true,
        },
        repeat: 'harmless',
      });
      const intent = (what: string) => ({ idempotencyKey: keyOf(`${what} ${customer.crmContactId} ${day}`) });
      await api.send({
        method: 'POST',
        path: '/v1/messages',
        body: {
          contactId,
          text: `Good morning, ${customer.firstName}! Your order has arrived.`,
          purpose: 'service',
          channels: ['whatsapp', 'sms'],
        },
        repeat: intent('order'),
      });
      await api.send({
        method: 'POST',
        path: '/v1/notes',
        body: { contactId, title: `Customer ${customer.crmContactId}`, text: customer.aiInfo },
        repeat: intent('note'),
      });
      await api.send({
        method: 'POST',
        path: '/v1/messages/log',
        body: {
          contactId,
          direction: 'out',
          channel: 'email',
          subject: 'Your invoice',
          text: 'The invoice went out by mail.',
          occurredAt: new Date(now()).toISOString(),
          // The same mail is logged once, however often this runs.
          externalId: `invoice-${customer.crmContactId}-${day}`,
        },
        repeat: 'harmless',
      });
      await api.send({
        method: 'POST',
        path: '/v1/appointments',
        body: {
          phone: customer.phone,
          start: inDays(now(), 7),
          durationMinutes: 30,
          title: 'Collection',
          kind: 'in_person',
          confirmed: false,
          externalId: `collection-${customer.crmContactId}-${day}`,
          metadata: { source: 'sync' },
        },
        repeat: 'never',
      });
    } catch (error) {
      failed += 1;
      const reason = error instanceof Error ? error.message : 'unknown';
      log(`${customer.crmContactId}: ${error instanceof ApiRefusal ? 'refused' : 'left for the next run'}: ${reason}`);
    }
  }
  return failed;
}

/** Once per address: its secret comes with this response and never again, so it goes where secrets are kept. */
async function subscribe(api: ApiClient, url: string, log: Log): Promise<void> {
  const { secret } = await api.send<{ secret: string }>({
    method: 'POST',
    path: '/v1/webhooks',
    body: { url, events: ['appointment.confirmed', 'appointment.cancelled'], description: 'Appointment book' },
    repeat: 'never',
  });
  log(`subscribed; keep the secret of ${String(secret.length)} characters`);
}

/** The same intent has the same key in every run of the day. A key is no place for names or numbers of customers. */
function keyOf(intent: string): string {
  return createHash('sha256').update(intent).digest('hex');
}

/** Ten o'clock UTC, some days from now. */
function inDays(now: number, days: number): string {
  return `${new Date(now + days * 86_400_000).toISOString().slice(0, 10)}T10:00:00Z`;
}

async function main(): Promise<void> {
  const { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey, HOOKS_URL: hooksUrl } = process.env;
  if (!baseUrl || !apiKey) {
    console.error(`${baseUrl ? 'SVC_API_KEY' : 'SVC_BASE_URL'} is not set; see README.md.`);
    process.exitCode = 2;
    return;
  }
  try {
    process.exitCode = (await sync({ baseUrl, apiKey, hooksUrl })) > 0 ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

const started = process.argv[1];
if (started !== undefined && existsSync(started) && realpathSync(started) === fileURLToPath(import.meta.url)) {
  await main();
}
