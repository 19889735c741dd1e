import { createHash } from 'node:crypto';
import type { OptionalModule } from '../../specs/optional-packages.ts';
import { queueName, type Job, type JobQueue } from './fleet-store.ts';

/** An instance of pg-boss. */
export type PgBossInstance = InstanceType<OptionalModule<'pg-boss'>['PgBoss']>;
type Data = Pick<Job, 'target' | 'night'>;

/** A job whose process died is delivered again however often: the ledger counts the attempts that failed. */
const mostRetries = 1_000_000;
/** Longer than any check: a job ends with its heartbeats. */
const expireSeconds = 24 * 3_600;

/** A queue of pg-boss. Jobs are fetched one by one: this process decides when it has room for another. */
export class PgBossJobs implements JobQueue {
  readonly #boss: PgBossInstance;

  constructor(boss: PgBossInstance) {
    this.#boss = boss;
  }

  /**
   * Creates the queue if it does not exist.
   *
   * @param heartbeatSeconds after which a job without a heartbeat is delivered to another process
   */
  async prepare(heartbeatSeconds: number): Promise<void> {
    await this.#boss.createQueue(queueName, {
      retryLimit: mostRetries,
      heartbeatSeconds,
      expireInSeconds: expireSeconds,
    });
  }

  async offer(night: string, targets: readonly string[]): Promise<void> {
    // Jobs whose id is in the queue are ignored.
    await this.#boss.insert(
      queueName,
      targets.map((target) => ({ id: jobId(night, target), data: { target, night } })),
    );
  }

  async next(): Promise<Job | undefined> {
    const [job] = await this.#boss.fetch<Data>(queueName, { includeMetadata: true });
    if (!job) return undefined;
    const { target, night } = job.data;
    // Nothing happens to a job that was delivered again.
    const attempt = { id: job.id, retryCount: job.retryCount };
    const remove = () => this.#boss.deleteJob(queueName, attempt);
    return {
      target,
      night,
      renew: async () => void (await this.#boss.touch(queueName, attempt)),
      done: async () => void (await remove()),
      putBack: async (afterMs) => {
        await remove();
        // An interval, so that it follows the clock of PostgreSQL.
        const startAfter = `${afterMs / 1000} seconds`;
        // If this process dies in between, another one offers the target again.
        await this.#boss.insert(queueName, [{ id: job.id, data: job.data, startAfter }]);
      },
    };
  }
}

/** The same id for the same target and night: a UUID. */
function jobId(night: string, target: string): string {
  const hex = createHash('sha256').update(`${night} ${target}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
