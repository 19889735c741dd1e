import { randomUUID } from 'node:crypto';
import type { OptionalModule } from '../../specs/optional-packages.ts';
import { queueName, type Job, type JobQueue } from './fleet-store.ts';
import type { RedisClient } from './redis-ledger.ts';

type BullMQ = OptionalModule<'bullmq'>;
type Data = Pick<Job, 'target' | 'night'>;

/** A job whose process died is delivered again however often: the ledger counts the attempts that failed. */
const mostStalls = 1_000_000;
const options = { removeOnComplete: true, removeOnFail: true };

/** A queue of BullMQ. Jobs are fetched one by one: this process decides when it has room for another. */
export class BullmqJobs implements JobQueue, AsyncDisposable {
  readonly #queue: InstanceType<BullMQ['Queue']>;
  readonly #worker: InstanceType<BullMQ['Worker']>;
  readonly #redis: RedisClient;
  readonly #leaseMs: number;

  constructor(
    { Queue, Worker }: BullMQ,
    connection: RedisClient,
    { leaseMs, onError }: { leaseMs: number; onError: (error: Error) => void },
  ) {
    this.#redis = connection;
    this.#leaseMs = leaseMs;
    const shared = { connection, prefix: 'svc-conform' };
    this.#queue = new Queue(queueName, shared);
    this.#worker = new Worker(queueName, null, {
      ...shared,
      autorun: false,
      lockDuration: leaseMs,
      stalledInterval: leaseMs / 2,
      maxStalledCount: mostStalls,
    });
    this.#queue.on('error', onError);
    this.#worker.on('error', onError);
  }

  async start(): Promise<void> {
    await this.#queue.waitUntilReady();
    await this.#worker.waitUntilReady();
    await this.#worker.startStalledCheckTimer();
  }

  async offer(night: string, targets: readonly string[]): Promise<void> {
    await this.#queue.addBulk(
      // A queue has one job with an id.
      targets.map((target) => ({
        name: target,
        data: { target, night },
        opts: { ...options, jobId: `${night}.${target}` },
      })),
    );
  }

  async next(): Promise<Job | undefined> {
    const token = randomUUID();
    const job = await this.#worker.getNextJob(token, { block: false });
    if (!job) return undefined;
    const { target, night } = job.data as Data;
    return {
      target,
      night,
      renew: () => unlessDeliveredAgain(job.extendLock(token, this.#leaseMs)),
      done: () => unlessDeliveredAgain(job.moveToCompleted(null, token, false)),
      putBack: async (afterMs) => {
        const [seconds, microseconds] = (await this.#redis.time()).map(Number) as [number, number];
        const now = seconds * 1000 + Math.floor(microseconds / 1000);
        await unlessDeliveredAgain(job.moveToDelayed(now + Math.max(1, afterMs), token));
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.close(true);
    await this.#queue.close();
  }
}

/** A job whose lock was lost was delivered to another process; then the ledger decides, and there is nothing to do here. */
async function unlessDeliveredAgain(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    // Codes of BullMQ: the job or its lock does not exist, or is not that of this process.
    if (typeof (error as { code?: unknown }).code !== 'number') throw error;
  }
}
