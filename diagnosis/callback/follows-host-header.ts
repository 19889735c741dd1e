import { isJsonObject } from '../../specs/json-object.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import { header } from '../../harness/wire/observation.ts';
import type { Connection } from '../connection.ts';
import type { PreparedEvent } from '../prepared-event.ts';

/** Milliseconds for a request that follows. */
const withinMs = 2_000;
/** Events that have to show it. */
const times = 2;

/**
 * Tests whether the endpoint takes the host of a callback or reply from the headers of the event: they contain another
 * name of the given host, and the request that follows is addressed to that name. Only on this machine: elsewhere a proxy
 * may pass the event, with its token, to another application. Adds what it observes to `seen`.
 */
export async function followsHostHeader(
  connection: Connection,
  { event, box }: PreparedEvent,
  seen: string[],
): Promise<boolean> {
  if (!box || !isJsonObject(event) || connection.remainingMs < times * (withinMs + connection.timeoutMs)) return false;
  const given = new URL(box.url);
  if (![given, new URL(connection.url)].every(({ hostname }) => isLoopback(hostname))) return false;
  const host = `${given.hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${given.port}`;
  const isChat = connection.surface === 'own-ai-chat';
  for (let time = 0; time < times; time++) {
    const again = connection.case({ event: isChat ? { ...event, id: connection.session.ids.event() } : { ...event } });
    const delivery = again.delivery.withHeader('Host', host).withHeader('X-Forwarded-Host', host);
    const label = `an event with ${host} in Host and X-Forwarded-Host`;
    // On a new connection: a proxy may choose the application once for each.
    const { answer } = await connection.ask(delivery, { label, fresh: true });
    if (answer.outcome !== 'answered' || answer.status !== 202) return false;
    const [arrival] = (await again.box?.atLeast(1, { withinMs: Math.min(withinMs, connection.remainingMs) })) ?? [];
    if (arrival) connection.keep(arrival);
    const to = arrival && header(arrival.request, 'host');
    seen.push(`After ${label}, ${to === undefined ? 'nothing arrived' : `a request to ${to} arrived`}.`);
    if (to?.toLowerCase() !== host) return false;
  }
  return true;
}
