import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { Stop, WireExchange } from '../../harness/wire/observation.ts';

/**
 * The finding where the endpoint stopped during this exchange. Throws {@link HarnessFault} `target-stopped` when
 * others were in flight as well, any of which may have stopped it, and `target-unreachable` where a proxy may be the
 * reason.
 */
export function stopFinding(exchange: WireExchange): Finding | undefined {
  const stop = stopOf(exchange);
  if (!stop) return undefined;
  const { origin } = new URL(exchange.request.url);
  if (stop.suspects.length > 1 || stop.viaProxy) throw notAnswered(exchange, stop);
  return {
    expected: 'an answer',
    received: `none: the endpoint stopped while handling ${exchange.label}: the connection closed without an answer, and then nothing listened at ${origin}`,
    hint: 'The log of the endpoint has the exception that ended its process.',
    stopped: true,
  };
}

/** The fault of a check that needs the answer to this exchange, where the endpoint stopped instead. */
export function stopFault(exchange: WireExchange): HarnessFault | undefined {
  const stop = stopOf(exchange);
  return stop && notAnswered(exchange, stop);
}

function notAnswered({ request }: WireExchange, { suspects, viaProxy }: Stop): HarnessFault {
  if (viaProxy) return new HarnessFault('target-unreachable:via-proxy', { url: request.url });
  return new HarnessFault('target-stopped:in-flight', { url: request.url, suspects });
}

/** How the endpoint stopped during this exchange; `undefined` if it did not. */
export function stopOf(exchange: WireExchange): Stop | undefined {
  if (exchange.kind !== 'http' && exchange.kind !== 'call') return undefined;
  if (exchange.answer.outcome === 'closed') return exchange.answer.stop;
  return exchange.kind === 'call' ? exchange.end?.stop : undefined;
}
