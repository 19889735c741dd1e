import type { Mailbox } from '../harness/wire/mailbox.ts';
import type { SignedDelivery } from '../harness/wire/signed-delivery.ts';

/** One event before it is sent. */
export interface PreparedEvent {
  /** The event that is sent. */
  event: Record<string, unknown>;
  /** Signed correctly, or with the correct bearer token, until changed. */
  delivery: SignedDelivery;
  /** Receives its callback or replies; `undefined` if nothing can follow. */
  box: Mailbox | undefined;
}
