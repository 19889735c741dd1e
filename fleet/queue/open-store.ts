import { HarnessFault } from '../../harness/checks/faults.ts';
import { requirePackages } from '../../harness/checks/require-packages.ts';
import { isEnvReference, readEnvReference } from '../../specs/env-reference.ts';
import { leaseMs } from '../ledger.ts';
import type { FleetStore, JobQueue } from './fleet-store.ts';
import { openPostgres } from './open-postgres.ts';
import { openRedis } from './open-redis.ts';
import { repeatUnreachable, unreachable, type Waiting } from './while-unreachable.ts';

const redis = { packages: ['bullmq', 'ioredis'], open: openRedis } as const;
const postgres = { packages: ['pg-boss'], open: openPostgres } as const;
const stores = { 'redis:': redis, 'rediss:': redis, 'postgres:': postgres, 'postgresql:': postgres } as const;

/**
 * Opens the database of a fleet.
 *
 * @param given its address, or `env:NAME` with the variable that contains it
 * @param lease milliseconds for which a claim excludes others
 * @throws HarnessFault `package-missing`, `queue-address` or `queue-unreachable`; none shows a password
 */
export async function openStore(given: string, lease = leaseMs): Promise<FleetStore> {
  const url = addressOf(given);
  const { packages, open } = stores[url.protocol as keyof typeof stores];
  requirePackages(...packages);
  const waiting = { address: `${url.protocol}//${url.host}`, forMs: leaseMs };
  try {
    const store = await open(url.href, lease);
    return {
      jobs: repeatedJobs(store.jobs, waiting),
      ledger: repeatUnreachable(store.ledger, waiting),
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    };
  } catch (error) {
    throw error instanceof HarnessFault ? error : unreachable(error, waiting);
  }
}

function repeatedJobs(jobs: JobQueue, waiting: Waiting): JobQueue {
  const queue = repeatUnreachable(jobs, waiting);
  return {
    offer: (night, targets) => queue.offer(night, targets),
    next: async () => {
      const job = await queue.next();
      return job && repeatUnreachable(job, waiting);
    },
  };
}

function addressOf(given: string): URL {
  const read = isEnvReference(given) ? readEnvReference(given, process.env) : { value: given };
  if (!('value' in read)) throw new HarnessFault('queue-address:variable', { reference: given });
  const url = URL.canParse(read.value) ? new URL(read.value) : undefined;
  if (url && url.protocol in stores) {
    if (!isEnvReference(given) && url.password !== '') throw new HarnessFault('queue-address:password');
    return url;
  }
  throw new HarnessFault('queue-address:scheme', { received: url?.protocol ?? 'other text' });
}
