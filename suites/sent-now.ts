import { utcTimestamp } from '../harness/checks/samples.ts';

/**
 * A generated event whose envelope says that it is sent now, as that of the service does: an endpoint may refuse old
 * events. The times within its data keep their values.
 */
export function sentNow<Event extends { createdAt: string } | { timestampUtc: string }>(event: Event): Event {
  const now = utcTimestamp(Date.now());
  return { ...event, ...('createdAt' in event ? { createdAt: now } : { timestampUtc: now }) };
}
