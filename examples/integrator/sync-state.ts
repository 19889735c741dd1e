import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import { asObject, parseObject } from './json.ts';

/** A contact that the service has, and the data it has received. */
export interface KnownContact {
  id: number;
  /** Body of the last request about it. */
  sent: string;
}

export interface KnownJob {
  /** `begun`: sent, with an unknown outcome. */
  outcome: 'begun' | 'done' | 'refused';
  /** Milliseconds since 1970; start of the validity of the Idempotency-Key. */
  begunAt: number;
}

/** `secret` is missing until the outcome of the subscription is known. */
export interface KnownSubscription {
  secret?: string;
}

/**
 * Replace it with tables of your database: the service's ids next to yours, and started requests, recorded before they
 * are sent. Without a file all is forgotten when the process ends. The file contains secrets, so only its owner may
 * read it, and only one round may use it at a time.
 */
export class SyncState {
  readonly #file: string | undefined;
  readonly #contacts = new Map<string, KnownContact>();
  readonly #jobs = new Map<string, KnownJob>();
  readonly #subscriptions = new Map<string, KnownSubscription>();

  /** @throws when there is a file, but not one of these */
  constructor(file?: string) {
    this.#file = file;
    if (file === undefined || !existsSync(file)) return;
    const saved = parseObject(readFileSync(file));
    fill(this.#contacts, saved?.['contacts'], file);
    fill(this.#jobs, saved?.['jobs'], file);
    fill(this.#subscriptions, saved?.['subscriptions'], file);
  }

  contact(crmContactId: string): KnownContact | undefined {
    return this.#contacts.get(crmContactId);
  }

  keepContact(crmContactId: string, contact: KnownContact): void {
    this.#contacts.set(crmContactId, contact);
    this.#save();
  }

  job(id: string): KnownJob | undefined {
    return this.#jobs.get(id);
  }

  /** `undefined`: removes it, as if it had never been started. */
  keepJob(id: string, job: KnownJob | undefined): void {
    if (job === undefined) this.#jobs.delete(id);
    else this.#jobs.set(id, job);
    this.#save();
  }

  subscription(url: string): KnownSubscription | undefined {
    return this.#subscriptions.get(url);
  }

  keepSubscription(url: string, subscription: KnownSubscription | undefined): void {
    if (subscription === undefined) this.#subscriptions.delete(url);
    else this.#subscriptions.set(url, subscription);
    this.#save();
  }

  #save(): void {
    if (this.#file === undefined) return;
    const saved = {
      contacts: Object.fromEntries(this.#contacts),
      jobs: Object.fromEntries(this.#jobs),
      subscriptions: Object.fromEntries(this.#subscriptions),
    };
    // Atomically, so that a crash leaves the old state or the new one.
    writeFileSync(`${this.#file}.new`, `${JSON.stringify(saved, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

function fill<T>(table: Map<string, T>, saved: unknown, file: string): void {
  const rows = asObject(saved);
  if (rows === undefined) throw new Error(`${file} is not a file of this program.`);
  for (const [id, row] of Object.entries(rows)) table.set(id, row as T);
}
