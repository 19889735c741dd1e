import { HarnessFault } from '../harness/faults.ts';
import { Inbox } from '../harness/inbox.ts';
import type { ResolvedConfig } from '../harness/settings.ts';
import { UsageError } from './usage-error.ts';

/** Listens once where callbacks and replies are to arrive. Throws {@link UsageError} when that address is not free. */
export async function tryServiceAddress({ service }: ResolvedConfig): Promise<void> {
  try {
    const inbox = await Inbox.open(service);
    await inbox[Symbol.asyncDispose]();
  } catch (error) {
    if (!(error instanceof HarnessFault) || error.code !== 'inbox-not-started') throw error;
    throw new UsageError(
      `${error.message} The config sets this by service.host and service.port; without a port, any free one is taken.`,
      { cause: error },
    );
  }
}
