import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { ApiClient, ApiError } from './api-client.ts';
import type { ApiClientOptions } from './api-client.ts';
import { CrmRecords } from './crm-records.ts';
import type { Customer } from './crm-records.ts';
import type { Log } from './exchange.ts';
import { mayRepeat, requestFor } from './job-request.ts';
import { sampleJobs } from './jobs.ts';
import type { Job } from './jobs.ts';
import { asInteger, asObject, asText } from './json.ts';
import { SyncState } from './sync-state.ts';
import type { KnownJob } from './sync-state.ts';

const HOOK_EVENTS = [
  'appointment.created',
  'appointment.confirmed',
  'appointment.rescheduled',
  'appointment.cancelled',
];

export interface SyncOptions {
  api: ApiClientOptions;
  /** Address for appointment events, if they are wanted. */
  hooksUrl?: string | undefined;
  /** Default: the example's customers. */
  records?: CrmRecords;
  /** Default: something of each kind for every customer. */
  jobs?: readonly Job[];
  /** Results of earlier rounds; default: none. */
  state?: SyncState;
  /** Milliseconds; default the machine's clock. */
  now?: () => number;
  log?: Log;
}

/**
 * One round of a nightly job: customers become contacts, then their due jobs are done. Refused jobs and those with an
 * unknown outcome are left to a person, and the others continue; when the service accepts no more, they wait for the
 * next round.
 *
 * @returns the number of jobs that failed
 * @throws ApiError when the service cannot be reached or does not accept the key
 */
export async function sync(options: SyncOptions): Promise<number> {
  const {
    hooksUrl,
    records = new CrmRecords(),
    state = new SyncState(),
    now = Date.now,
    log = console.error,
  } = options;
  const customers = records.all();
  const jobs = options.jobs ?? sampleJobs(customers, now());
  const api = new ApiClient(options.api);

  const me = asObject(await api.send({ method: 'GET', path: '/v1/me', repeat: 'harmless' }));
  log(`connected to inbox ${asInteger(me?.['workspaceId']) ?? '?'}`);

  let failed = 0;
  try {
    if (hooksUrl !== undefined) await attempt('subscription', () => subscribe(hooksUrl));
    for (const customer of customers) {
      const { crmContactId } = customer;
      const contactId = await attempt(crmContactId, () => contactIdOf(customer));
      if (contactId === undefined) continue;
      const due = jobs.filter((job) => job.crmContactId === crmContactId && isOpen(state.job(job.id)));
      for (const job of due) await attempt(job.id, () => carryOut(job, customer, contactId));
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    log('the rest is left for the next round');
  }
  return failed;

  /** A postponed request ends the round: every later one would be postponed too. */
  async function attempt<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failed += 1;
      log(`${what} ${error.message}`);
      if (error.ending === 'postponed') throw error;
      return undefined;
    }
  }

  /** From here on, the service's id identifies the customer; a phone number may change hands. */
  async function contactIdOf({ crmContactId, phone, firstName, lastName, serviceConsent }: Customer): Promise<number> {
    const body = { phone, firstName, lastName, serviceConsent };
    const known = state.contact(crmContactId);
    if (known?.sent === JSON.stringify(body)) return known.id;
    const answer = asObject(await api.send({ method: 'POST', path: '/v1/contacts', body, repeat: 'harmless' }));
    const id = asInteger(answer?.['id']);
    if (id === undefined) throw new ApiError('unknown', 'the answer contains no id');
    state.keepContact(crmContactId, { id, sent: JSON.stringify(body) });
    return id;
  }

  async function carryOut(job: Job, customer: Customer, contactId: number): Promise<void> {
    const before = state.job(job.id);
    if (before !== undefined && !mayRepeat(job, before, now())) {
      throw new ApiError('unknown', 'it was sent before; a person has to check whether it was done');
    }
    const begunAt = before?.begunAt ?? now();
    const request = requestFor(job, customer, contactId);
    // Stored first: otherwise, after a crash, it would be unknown that the request may have been processed.
    state.keepJob(job.id, { outcome: 'begun', begunAt });
    try {
      const answer = asObject(await api.send(request));
      state.keepJob(job.id, { outcome: 'done', begunAt });
      // Accepted, but not delivered yet: sending it again would create a second message.
      if (answer?.['waitingForReply'] === true) log(`${job.id} waits until the customer taps or replies`);
    } catch (error) {
      const ending = error instanceof ApiError ? error.ending : 'unknown';
      if (ending === 'refused') state.keepJob(job.id, { outcome: 'refused', begunAt });
      if (ending === 'postponed') state.keepJob(job.id, before);
      throw error;
    }
  }

  /** Once per address: nothing lists or ends subscriptions, and the secret comes with this answer and never again. */
  async function subscribe(url: string): Promise<void> {
    const known = state.subscription(url);
    if (known?.secret !== undefined) return;
    if (known !== undefined)
      throw new ApiError('unknown', 'it was requested before; a person has to check the outcome');
    state.keepSubscription(url, {});
    const body = { url, events: HOOK_EVENTS, description: 'Appointment book' };
    try {
      const answer = asObject(await api.send({ method: 'POST', path: '/v1/webhooks', body, repeat: 'never' }));
      const secret = asText(answer?.['secret']);
      if (secret === undefined) throw new ApiError('unknown', 'the answer contains no secret');
      state.keepSubscription(url, { secret });
    } catch (error) {
      if (error instanceof ApiError && error.ending !== 'unknown') state.keepSubscription(url, undefined);
      throw error;
    }
  }
}

/** A refused job is not repeated unchanged: correct it, and give it a new id. */
function isOpen(known: KnownJob | undefined): boolean {
  return known === undefined || known.outcome === 'begun';
}

async function main(): Promise<void> {
  const { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey, HOOKS_URL, SYNC_STATE } = process.env;
  const hooksUrl = HOOKS_URL || undefined;
  const wrong =
    (!baseUrl && 'SVC_BASE_URL is not set; it is the address of the service, without /v1.') ||
    (!apiKey && 'SVC_API_KEY is not set; it is the API key of the inbox (svc_sk_...).') ||
    (hooksUrl &&
      !SYNC_STATE &&
      'SYNC_STATE is not set; it is the file for the secret, which HOOKS_URL gets only once.');
  if (!baseUrl || !apiKey || wrong) {
    console.error(wrong);
    process.exitCode = 2;
    return;
  }
  try {
    const state = new SyncState(SYNC_STATE || undefined);
    const failed = await sync({ api: { baseUrl, apiKey }, hooksUrl, state });
    console.log(failed === 0 ? 'all is done' : `${failed} failed`);
    process.exitCode = failed === 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

const started = process.argv[1];
if (started !== undefined && existsSync(started) && realpathSync(started) === fileURLToPath(import.meta.url)) {
  await main();
}
