import type { DatabaseSync } from 'node:sqlite';
import type * as Sqlite from 'node:sqlite';
import {
  leaseMs,
  lostResult,
  mostAttempts,
  mostFailures,
  type Certified,
  type Claim,
  type ClaimKey,
  type Ledger,
  type LedgerEntry,
  type NightResult,
  type NotCertified,
  type ReleasedState,
  type SentTraffic,
} from './ledger.ts';

/** Milliseconds to wait while another process writes. */
const busyMs = 10_000;

const schema = `
PRAGMA synchronous = FULL;
PRAGMA busy_timeout = ${busyMs};
CREATE TABLE IF NOT EXISTS certifications (
  target TEXT NOT NULL,
  night TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  token INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'claimed', 'complete', 'failed')),
  lease_until INTEGER,
  messages INTEGER NOT NULL DEFAULT 0,
  calls INTEGER NOT NULL DEFAULT 0,
  version TEXT,
  digest TEXT,
  result TEXT,
  PRIMARY KEY (target, night)
) STRICT;
CREATE INDEX IF NOT EXISTS certifications_of_night ON certifications (night);
CREATE TABLE IF NOT EXISTS causes (
  night TEXT NOT NULL,
  target TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (key, night, target)
) STRICT;`;

interface Row {
  target: string;
  night: string;
  attempt: number;
  failures: number;
  token: number;
  state: 'open' | 'claimed' | 'complete' | 'failed';
  lease_until: number | null;
  messages: number;
  calls: number;
  result: string | null;
}

/** Opens the ledger in a file of SQLite, which several processes of one machine may share. */
export async function openLedger(file: string): Promise<Ledger> {
  const { DatabaseSync } = await sqlite();
  const database = new DatabaseSync(file, { timeout: busyMs });
  database.exec(schema);
  return new SqliteLedger(database);
}

/** Loads node:sqlite without the warning that Node 22 prints about it. */
async function sqlite(): Promise<typeof Sqlite> {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = ((warning: string | Error, ...rest: [string?]) => {
    if (rest[0] !== 'ExperimentalWarning') emitWarning(warning, ...rest);
  }) as typeof emitWarning;
  try {
    return await import('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

class SqliteLedger implements Ledger {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  claim(target: string, night: string, now: number): Claim | undefined {
    return this.exclusively(() => {
      const row = this.#row(target, night);
      const isClaimed = row?.state === 'claimed' && (row.lease_until ?? 0) > now;
      if (isClaimed || (row && row.state !== 'open' && row.state !== 'claimed')) return undefined;
      if (row?.state === 'claimed' && row.attempt >= mostAttempts) {
        this.#finish(row, lostResult);
        return undefined;
      }
      const { token } = this.#get('SELECT coalesce(max(token), 0) + 1 AS token FROM certifications') as Row;
      const attempt = (row?.attempt ?? 0) + 1;
      this.#run(
        `INSERT INTO certifications (target, night, attempt, token, state, lease_until) VALUES (?, ?, ?, ?, 'claimed', ?)
         ON CONFLICT (target, night) DO UPDATE SET attempt = excluded.attempt, token = excluded.token,
           state = excluded.state, lease_until = excluded.lease_until`,
        [target, night, attempt, token, now + leaseMs],
      );
      return { target, night, attempt, token, sent: { messages: row?.messages ?? 0, calls: row?.calls ?? 0 } };
    });
  }

  renew(claim: ClaimKey, { messages, calls }: SentTraffic, now: number): boolean {
    return this.#update(claim, 'lease_until = ?, messages = ?, calls = ?', [now + leaseMs, messages, calls]);
  }

  finished(night: string): string[] {
    const rows = this.#all('SELECT target FROM certifications WHERE night = ? AND result IS NOT NULL', [night]);
    return rows.map(({ target }) => target);
  }

  complete(claim: ClaimKey, result: Certified): boolean {
    return this.exclusively(() => {
      if (!this.#finish(claim, result)) return false;
      this.#addCauses(claim, result);
      return true;
    });
  }

  release(claim: ClaimKey, { messages, calls }: SentTraffic, failure?: string): ReleasedState {
    return this.exclusively(() => {
      const failures = (this.#row(claim.target, claim.night)?.failures ?? 0) + (failure === undefined ? 0 : 1);
      if (failure !== undefined && failures >= mostFailures) {
        return this.#finish(claim, { state: 'failed', reason: failure }) ? 'failed' : 'superseded';
      }
      const change = `state = 'open', lease_until = NULL, failures = ?, messages = ?, calls = ?`;
      const isOurs = this.#update(claim, change, [failures, messages, calls]);
      return isOurs ? 'open' : 'superseded';
    });
  }

  entries(night: string): LedgerEntry[] {
    return this.#all('SELECT * FROM certifications WHERE night = ?', [night]).map(entryOf);
  }

  withToken(target: string, token: number): LedgerEntry | undefined {
    const row = this.#get('SELECT * FROM certifications WHERE target = ? AND token = ?', [target, token]);
    return row && entryOf(row);
  }

  results(until: string): NightResult[] {
    const sql = `SELECT night, result ->> 'verdict' AS verdict, count(*) AS count FROM certifications
      WHERE night <= ? AND result IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`;
    return this.#all(sql, [until]) as unknown as NightResult[];
  }

  causesByNight(key: string, until: string): ReadonlyMap<string, number> {
    const sql = 'SELECT night, count(*) AS count FROM causes WHERE key = ? AND night <= ? GROUP BY night';
    const rows = this.#all(sql, [key, until]) as unknown as NightResult[];
    return new Map(rows.map(({ night, count }) => [night, count]));
  }

  lastOfOtherVersion(target: string, night: string, version: string): LedgerEntry | undefined {
    const sql = `SELECT * FROM certifications WHERE target = ? AND night < ? AND version <> ? AND result IS NOT NULL
      ORDER BY night DESC LIMIT 1`;
    const row = this.#get(sql, [target, night, version]);
    return row && entryOf(row);
  }

  add(entries: readonly LedgerEntry[]): LedgerEntry | undefined {
    return this.exclusively(() => {
      const isOther = ({ target, night, result }: LedgerEntry) => {
        const own = this.#row(target, night);
        const known = own && entryOf(own).result;
        // The same report from two places is one certification.
        return known && result && JSON.stringify(known) !== JSON.stringify(result);
      };
      const conflict = entries.find(isOther);
      if (!conflict) for (const entry of entries) this.#addEntry(entry);
      return conflict;
    });
  }

  #addEntry(entry: LedgerEntry): void {
    const { target, night, attempt, token, result } = entry;
    if (!result) return;
    this.#run(
      `INSERT INTO certifications (target, night, attempt, token, state) VALUES (?, ?, ?, ?, 'claimed')
       ON CONFLICT (target, night) DO UPDATE SET attempt = excluded.attempt, token = excluded.token, state = 'claimed'
         WHERE result IS NULL`,
      [target, night, attempt, token],
    );
    if (this.#finish(entry, result)) this.#addCauses(entry, result);
  }

  exclusively<Result>(change: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = change();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #finish(claim: ClaimKey, result: Certified | NotCertified): boolean {
    const [version, digest] = result.state === 'complete' ? [result.version, result.digest] : [null, null];
    const values = [result.state, version, digest, JSON.stringify(result)];
    return this.#update(claim, 'state = ?, lease_until = NULL, version = ?, digest = ?, result = ?', values);
  }

  #addCauses({ target, night }: Omit<ClaimKey, 'token'>, result: Certified | NotCertified): void {
    for (const { key } of result.state === 'complete' ? result.causes : []) {
      this.#run('INSERT OR IGNORE INTO causes (night, target, key) VALUES (?, ?, ?)', [night, target, key]);
    }
  }

  /** Changes the entry of a valid claim; `false` if another claim or a result has replaced it. */
  #update({ target, night, token }: ClaimKey, change: string, values: readonly (string | number | null)[]): boolean {
    const sql = `UPDATE certifications SET ${change} WHERE target = ? AND night = ? AND token = ? AND state = 'claimed'`;
    return this.#run(sql, [...values, target, night, token]) === 1;
  }

  #row(target: string, night: string): Row | undefined {
    return this.#get('SELECT * FROM certifications WHERE target = ? AND night = ?', [target, night]);
  }

  #get(sql: string, values: readonly (string | number)[] = []): Row | undefined {
    return this.#database.prepare(sql).get(...values) as unknown as Row | undefined;
  }

  #all(sql: string, values: readonly string[]): Row[] {
    return this.#database.prepare(sql).all(...values) as unknown as Row[];
  }

  #run(sql: string, values: readonly (string | number | null)[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }
}

function entryOf({ target, night, attempt, token, state, lease_until, result }: Row): LedgerEntry {
  return {
    target,
    night,
    attempt,
    token,
    result: result === null ? undefined : (JSON.parse(result) as Certified | NotCertified),
    leaseUntil: state === 'claimed' ? (lease_until ?? undefined) : undefined,
  };
}
