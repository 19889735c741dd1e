import { HarnessFault } from '../harness/checks/faults.ts';
import { RateLimited } from './rate-limited.ts';
import type { Found } from './outcome.ts';

/** Deliveries within a minute that one conversation with a customer may cause. */
const conversationDeliveries = 12;

/** The cause if the endpoint stopped instead of answering, which prevents any other check. */
export function causeOfStop(error: unknown): Found | undefined {
  // A limit that a single conversation reaches is a cause; a higher one concerns only the tests.
  const isOwn = error instanceof RateLimited && !error.isAfterInvalid;
  if (isOwn && error.deliveries <= conversationDeliveries) {
    return { id: 'http/rate-limited', summary: error.message };
  }
  const isStop = error instanceof HarnessFault && error.code === 'target-stopped';
  return isStop ? { id: 'http/crashes', summary: error.message } : undefined;
}
