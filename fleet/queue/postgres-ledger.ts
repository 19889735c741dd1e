import type { OptionalModule } from '../../specs/optional-packages.ts';
import {
  lostResult,
  mostAttempts,
  mostFailures,
  type Certified,
  type Claim,
  type ClaimKey,
  type LedgerEntry,
  type NotCertified,
  type ReleasedState,
  type SentTraffic,
} from '../ledger.ts';
import { keptSeconds, reportsKeptSeconds, type ReportFiles, type SharedLedger } from './fleet-store.ts';

/** Runs statements, as pg-boss does. */
export type PostgresDatabase = ReturnType<InstanceType<OptionalModule<'pg-boss'>['PgBoss']>['getDb']>;

/** Name of the schema, next to that of pg-boss. */
export const ledgerSchema = 'svc_conform';
/** Number of the lock under which the schema is created: any that nothing else uses. */
const creationLock = 7_826_312;

const creation = `
BEGIN;
SELECT pg_advisory_xact_lock(${creationLock});
CREATE SCHEMA IF NOT EXISTS ${ledgerSchema};
CREATE SEQUENCE IF NOT EXISTS ${ledgerSchema}.tokens;
CREATE TABLE IF NOT EXISTS ${ledgerSchema}.certifications (
  target text NOT NULL,
  night text NOT NULL,
  attempt integer NOT NULL DEFAULT 1,
  failures integer NOT NULL DEFAULT 0,
  token bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'claimed', 'complete', 'failed')),
  lease_until timestamptz,
  messages integer NOT NULL DEFAULT 0,
  calls integer NOT NULL DEFAULT 0,
  -- As text: the bytes of a result are compared.
  result text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (night, target)
);
CREATE TABLE IF NOT EXISTS ${ledgerSchema}.reports (
  target text NOT NULL,
  night text NOT NULL,
  name text NOT NULL,
  content bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (night, target, name)
);
DELETE FROM ${ledgerSchema}.certifications WHERE created_at < now() - interval '${keptSeconds} seconds';
DELETE FROM ${ledgerSchema}.reports WHERE created_at < now() - interval '${reportsKeptSeconds} seconds';
COMMIT`;

const certifications = `${ledgerSchema}.certifications`;
/** The entry of a valid claim; its parts are the first three parameters. */
const ofClaim = `target = $1 AND night = $2 AND token = $3 AND state = 'claimed'`;
/** The claim of the entry `c` is over, and was not given back. */
const isOver = `c.state = 'claimed' AND c.lease_until < clock_timestamp()`;

interface Row {
  target: string;
  attempt: number;
  token: string;
  messages: number;
  calls: number;
  result: string | null;
}

/** The ledger of several machines in PostgreSQL. Each statement is a transaction. */
export class PostgresLedger implements SharedLedger {
  readonly #database: PostgresDatabase;
  /** The end of a lease that begins now. */
  readonly #lease: string;

  constructor(database: PostgresDatabase, leaseMs: number) {
    this.#database = database;
    this.#lease = `clock_timestamp() + interval '${leaseMs} milliseconds'`;
  }

  /** Creates what does not exist, and removes old entries. */
  async prepare(): Promise<void> {
    await this.#database.executeSql(creation);
  }

  async claim(target: string, night: string): Promise<Claim | 'finished' | 'claimed'> {
    const [row] = await this.#rows<Row>(
      `INSERT INTO ${certifications} AS c (target, night, token, state, lease_until)
       VALUES ($1, $2, nextval('${ledgerSchema}.tokens'), 'claimed', ${this.#lease})
       ON CONFLICT (night, target) DO UPDATE SET attempt = c.attempt + 1, token = excluded.token, state = 'claimed',
         lease_until = excluded.lease_until
       WHERE c.state = 'open' OR (${isOver} AND c.attempt < ${mostAttempts})
       RETURNING attempt, token, messages, calls`,
      [target, night],
    );
    if (row) {
      const { attempt, token, messages, calls } = row;
      return { target, night, attempt, token: Number(token), sent: { messages, calls } };
    }
    await this.#rows(
      `UPDATE ${certifications} AS c SET state = 'failed', lease_until = NULL, result = $3
       WHERE target = $1 AND night = $2 AND ${isOver} AND attempt >= ${mostAttempts}`,
      [target, night, JSON.stringify(lostResult)],
    );
    const sql = `SELECT result FROM ${certifications} WHERE target = $1 AND night = $2`;
    const [known] = await this.#rows<Row>(sql, [target, night]);
    return known && known.result !== null ? 'finished' : 'claimed';
  }

  async renew({ target, night, token }: ClaimKey, { messages, calls }: SentTraffic): Promise<boolean> {
    const sql = `UPDATE ${certifications} SET lease_until = ${this.#lease}, messages = $4, calls = $5 WHERE ${ofClaim} RETURNING 1`;
    return (await this.#rows(sql, [target, night, token, messages, calls])).length === 1;
  }

  async complete({ target, night, token }: ClaimKey, result: Certified, report: ReportFiles): Promise<boolean> {
    const rows = await this.#rows(
      `WITH completed AS (
         UPDATE ${certifications} SET state = 'complete', lease_until = NULL, result = $4 WHERE ${ofClaim} RETURNING 1
       ), stored AS (
         INSERT INTO ${ledgerSchema}.reports (target, night, name, content)
         SELECT $1, $2, file.name, file.content FROM completed, unnest($5::text[], $6::bytea[]) AS file (name, content)
       )
       SELECT 1 FROM completed
       UNION ALL
       -- The answer to the same statement was lost with the connection.
       SELECT 1 FROM ${certifications} WHERE target = $1 AND night = $2 AND token = $3 AND state = 'complete'`,
      [target, night, token, JSON.stringify(result), [...report.keys()], [...report.values()]],
    );
    return rows.length === 1;
  }

  async release(
    { target, night, token }: ClaimKey,
    { messages, calls }: SentTraffic,
    failure?: string,
  ): Promise<ReleasedState> {
    const result: NotCertified | undefined = failure === undefined ? undefined : { state: 'failed', reason: failure };
    const [row] = await this.#rows<{ state: ReleasedState }>(
      `UPDATE ${certifications} SET lease_until = NULL, messages = $4, calls = $5,
         failures = failures + CASE WHEN $6::text IS NULL THEN 0 ELSE 1 END,
         state = CASE WHEN $6 IS NOT NULL AND failures + 1 >= ${mostFailures} THEN 'failed' ELSE 'open' END,
         result = CASE WHEN $6 IS NOT NULL AND failures + 1 >= ${mostFailures} THEN $6 END
       WHERE ${ofClaim} RETURNING state`,
      [target, night, token, messages, calls, result ? JSON.stringify(result) : null],
    );
    return row?.state ?? 'superseded';
  }

  async finished(night: string): Promise<string[]> {
    const sql = `SELECT target FROM ${certifications} WHERE night = $1 AND result IS NOT NULL`;
    return (await this.#rows<Row>(sql, [night])).map(({ target }) => target);
  }

  async entries(night: string): Promise<LedgerEntry[]> {
    const sql = `SELECT target, attempt, token, result FROM ${certifications} WHERE night = $1 AND result IS NOT NULL`;
    return (await this.#rows<Row>(sql, [night])).map(({ target, attempt, token, result }) => ({
      target,
      night,
      attempt,
      token: Number(token),
      result: JSON.parse(result ?? 'null') as Certified | NotCertified,
      leaseUntil: undefined,
    }));
  }

  async nights(): Promise<string[]> {
    const rows = await this.#rows<{ night: string }>(`SELECT DISTINCT night FROM ${certifications}`);
    return rows.map(({ night }) => night);
  }

  async report(target: string, night: string): Promise<ReportFiles> {
    const sql = `SELECT name, content FROM ${ledgerSchema}.reports WHERE target = $1 AND night = $2`;
    const rows = await this.#rows<{ name: string; content: Buffer }>(sql, [target, night]);
    return new Map(rows.map(({ name, content }) => [name, content]));
  }

  async #rows<T>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    return (await this.#database.executeSql(sql, [...values])).rows as T[];
  }
}
