import { requirePackage } from '../../harness/checks/require-packages.ts';
import { BullmqJobs } from './bullmq-jobs.ts';
import type { FleetStore } from './fleet-store.ts';
import { RedisLedger } from './redis-ledger.ts';

/** Milliseconds between attempts to reach Redis again; commands wait for it. */
const reconnectMs = 1_000;

/** Opens the queue and the ledger of a fleet in Redis. Rejects if it cannot be reached. */
export async function openRedis(url: string, leaseMs: number): Promise<FleetStore> {
  const { Redis } = await requirePackage('ioredis');
  const bullmq = await requirePackage('bullmq');
  let isReady = false;
  let last: Error | undefined;
  const onError = (error: Error) => (last = error);
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    retryStrategy: () => (isReady ? reconnectMs : null),
  });
  redis.on('error', onError);
  let jobs: BullmqJobs | undefined;
  const close = async () => {
    // Without a connection, there is no use in waiting for it.
    if (redis.status !== 'ready') redis.disconnect();
    await jobs?.[Symbol.asyncDispose]().catch(onError);
    redis.disconnect();
  };
  try {
    await redis.connect();
    isReady = true;
    jobs = new BullmqJobs(bullmq, redis, { leaseMs, onError });
    await jobs.start();
    return { jobs, ledger: new RedisLedger(redis, leaseMs), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close().catch(() => undefined);
    throw last ?? error;
  }
}
