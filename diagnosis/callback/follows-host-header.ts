import { isJsonObject } from '../../specs/json-object.ts';
import type { Connection } from '../connection.ts';
import type { PreparedEvent } from '../prepared-event.ts';

/** Milliseconds for a request that follows: shorter than the wait before it, in which none arrived. */
const withinMs = 2_000;
/** Events that have to show it. */
const times = 2;

/**
 * Tests whether the endpoint takes the host of a callback or reply from the headers of the event: with the host of the
 * given URL in them, a request arrives, which it did not for the same event before.
 */
export async function followsHostHeader(connection: Connection, { event, box }: PreparedEvent): Promise<boolean> {
  if (!box || !isJsonObject(event) || connection.remainingMs < times * withinMs + connection.timeoutMs) return false;
  const { host } = new URL(box.url);
  const isChat = connection.surface === 'own-ai-chat';
  for (let time = 0; time < times; time++) {
    const again = connection.case({ event: isChat ? { ...event, id: connection.session.ids.event() } : { ...event } });
    const delivery = again.delivery.withHeader('Host', host).withHeader('X-Forwarded-Host', host);
    // On a new connection: a proxy may choose the application once for each.
    const { answer } = await connection.ask(delivery, {
      label: 'an event with the host of the given URL in Host and X-Forwarded-Host',
      fresh: true,
    });
    if (answer.outcome !== 'answered' || answer.status !== 202) return false;
    const arrivals = await again.box?.atLeast(1, { withinMs: Math.min(withinMs, connection.remainingMs) });
    if (!arrivals?.length) return false;
  }
  return true;
}
