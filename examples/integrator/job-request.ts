import { createHash } from 'node:crypto';

import type { ApiRequest } from './api-client.ts';
import type { Customer } from './crm-records.ts';
import type { Job } from './jobs.ts';
import type { JsonObject } from './json.ts';
import type { KnownJob } from './sync-state.ts';

/** Milliseconds for which an Idempotency-Key is relied on: 24 hours, less one hour for a slow round. */
const KEY_VALID_MS = 23 * 60 * 60 * 1000;

/** Whether the service would recognise a repeated job that may have been done. */
export function mayRepeat({ kind }: Job, { begunAt }: KnownJob, now: number): boolean {
  switch (kind) {
    case 'message':
    case 'note':
      return now - begunAt < KEY_VALID_MS;
    case 'mail':
      return true;
    // Duplicates are indistinguishable, and none can be read. Once subscribed, appointment.created contains the externalId.
    case 'appointment':
      return false;
  }
}

/** The request that a job is. It says the same in every round: all of it comes from the job. */
export function requestFor(job: Job, { crmContactId, phone }: Customer, contactId: number): ApiRequest {
  const post = (path: string, body: JsonObject, repeat: ApiRequest['repeat']): ApiRequest => {
    return { method: 'POST', path, body, repeat };
  };
  const { id: externalId } = job;
  switch (job.kind) {
    case 'message': {
      const { text } = job;
      // A promotional message is sent as `marketing`; after a 403 it is not sent at all.
      const body = { contactId, text, purpose: 'service', channels: ['whatsapp', 'sms'] };
      return post('/v1/messages', body, { idempotencyKey: keyOf(job) });
    }
    case 'note': {
      const { title, text } = job;
      return post('/v1/notes', { contactId, title, text }, { idempotencyKey: keyOf(job) });
    }
    case 'mail': {
      const { subject, text } = job;
      const occurredAt = inUtc(job.sentAt);
      const body = { contactId, direction: 'out', channel: 'email', subject, text, occurredAt, externalId };
      return post('/v1/messages/log', body, 'harmless');
    }
    case 'appointment': {
      const { title, durationMinutes } = job;
      const start = inUtc(job.start);
      const when = { start, durationMinutes, title, kind: 'in_person', confirmed: false };
      return post('/v1/appointments', { phone, ...when, externalId, metadata: { crmContactId } }, 'never');
    }
  }
}

/** The same for every attempt in every round, another for every job, and without names and numbers of customers. */
function keyOf({ kind, id }: Job): string {
  return createHash('sha256').update(`${kind} ${id}`).digest('hex');
}

function inUtc(time: string): string {
  return new Date(time).toISOString();
}
