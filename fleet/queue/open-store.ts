import { HarnessFault } from '../../harness/checks/faults.ts';
import { requirePackages } from '../../harness/checks/require-packages.ts';
import { isEnvReference, readEnvReference } from '../../specs/env-reference.ts';
import { leaseMs } from '../ledger.ts';
import type { FleetStore } from './fleet-store.ts';
import { openPostgres } from './open-postgres.ts';
import { openRedis } from './open-redis.ts';

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
  try {
    return await open(url.href, lease);
  } catch (error) {
    if (error instanceof HarnessFault) throw error;
    // A connection that was tried at several addresses of a host has no message.
    const { message, code } = error as NodeJS.ErrnoException;
    const reason = message === '' ? String(code) : message;
    throw new HarnessFault('queue-unreachable', { address: `${url.protocol}//${url.host}`, reason }, { cause: error });
  }
}

function addressOf(given: string): URL {
  const read = isEnvReference(given) ? readEnvReference(given, process.env) : { value: given };
  if (!('value' in read)) throw new HarnessFault('queue-address:variable', { reference: given });
  const url = URL.canParse(read.value) ? new URL(read.value) : undefined;
  if (url && url.protocol in stores) return url;
  throw new HarnessFault('queue-address:scheme', { received: url?.protocol ?? 'other text' });
}
