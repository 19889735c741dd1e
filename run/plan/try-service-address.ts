import { HarnessFault } from '../../harness/checks/faults.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { assertCallbackRoute } from '../../harness/wire/callback-address.ts';

/**
 * Tests the address at which we receive the requests of these surfaces. Throws {@link HarnessFault} when it is not free, and
 * `HarnessFault` `public-url-astray` when `service.publicUrl` does not lead to it.
 */
export async function tryServiceAddress(config: ResolvedConfig, surfaces: readonly string[]): Promise<void> {
  try {
    await assertCallbackRoute(config, surfaces);
  } catch (error) {
    if (!(error instanceof HarnessFault) || error.code !== 'inbox-not-started') throw error;
    throw new HarnessFault('service-not-started:inbox', { reason: error.message }, { cause: error });
  }
}
