import { requirePackage } from '../../harness/checks/require-packages.ts';
import type { FleetStore } from './fleet-store.ts';
import { PgBossJobs } from './pg-boss-jobs.ts';
import { PostgresLedger } from './postgres-ledger.ts';

/** Connections of one process. */
const mostConnections = 4;
/** Seconds that pg-boss requires at least of the heartbeats of a job. */
const leastHeartbeatSeconds = 10;

/** Name of the schema of pg-boss: that of its default may belong to another program. */
const queueSchema = 'svc_conform_queue';

/** Opens the queue and the ledger of a fleet in PostgreSQL. Rejects if it cannot be reached. */
export async function openPostgres(url: string, leaseMs: number): Promise<FleetStore> {
  const { PgBoss } = await requirePackage('pg-boss');
  const heartbeatSeconds = Math.max(leastHeartbeatSeconds, Math.ceil(leaseMs / 1000));
  const superviseSeconds = heartbeatSeconds / 2;
  const boss = new PgBoss({
    connectionString: url,
    schema: queueSchema,
    application_name: 'svc-conform fleet',
    max: mostConnections,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  // A statement that needs an answer rejects.
  boss.on('error', () => undefined);
  const stop = () => boss.stop({ graceful: false });
  try {
    await boss.start();
    const jobs = new PgBossJobs(boss);
    const ledger = new PostgresLedger(boss.getDb(), leaseMs);
    await jobs.prepare(heartbeatSeconds);
    await ledger.prepare();
    return { jobs, ledger, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}
