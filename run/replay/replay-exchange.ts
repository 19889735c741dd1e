import { aborted } from 'node:util';
import { Connection, OutOfTime } from '../../diagnosis/connection.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { DiagnosedSurface, Exchange, Report } from '../../specs/generated/types.ts';
import { NotSendable, type Replayed } from './replay-result.ts';
import { replayCall } from './replay-call.ts';
import { replayRequest } from './replay-request.ts';

/** Milliseconds for one exchange and its effects: a dialogue of some sentences, or an early callback. */
const exchangeMs = 120_000;

/**
 * Sends one exchange of a report again, freshly signed, and compares the result with the record. Rejects when `signal`
 * aborts.
 */
export async function replayExchange(
  exchange: Exchange,
  surface: DiagnosedSurface,
  report: Report,
  config: ResolvedConfig,
  signal: AbortSignal = new AbortController().signal,
): Promise<Replayed> {
  const base = { id: exchange.id, kind: 'exchange' } as const;
  const was = describeResult(exchange);
  try {
    assertSendable(exchange, report);
    await using connection = await Connection.open(surface, config, { seed: report.seed, withinMs: exchangeMs });
    const replaying = exchange.call
      ? replayCall(exchange, exchange.call, connection, report)
      : replayRequest(exchange, report, connection);
    // After an abort its result, or the error of the closed connection, is not needed.
    replaying.catch(() => undefined);
    const compared = await Promise.race([replaying, rejectionOf(signal, connection)]);
    const other = compared.filter((one) => one.was !== one.now);
    if (other.length > 0) {
      const describe = (side: 'was' | 'now') => other.map((one) => `${one.what}: ${one[side]}`).join('; ');
      return { ...base, outcome: 'different', was: describe('was'), now: describe('now') };
    }
    const same = compared.map(({ what }) => what).join(', ');
    return { ...base, outcome: 'same', was, now: `the same (${same})` };
  } catch (error) {
    if (error instanceof OutOfTime) {
      return { ...base, outcome: 'not-tried', was, now: `it did not end within ${exchangeMs / 1000} s` };
    }
    if (!(error instanceof NotSendable) && !(error instanceof HarnessFault)) throw error;
    // The recorded request was accepted, so a refusal is a different answer.
    const isRefused = error instanceof HarnessFault && error.code === 'control-failed';
    return { ...base, outcome: isRefused ? 'different' : 'not-tried', was, now: error.message };
  }
}

async function rejectionOf(signal: AbortSignal, connection: Connection): Promise<never> {
  await aborted(signal, connection);
  throw signal.reason;
}

function assertSendable({ kind, request }: Exchange, { anonymized }: Report): void {
  if (kind !== 'http' && kind !== 'call') {
    throw new NotSendable('the endpoint sent this request itself: replay the delivery before it, or a check');
  }
  if (anonymized === true) {
    throw new NotSendable('the report is anonymised and does not contain the original request: replay the check');
  }
  if (request.headers.some(([, value = '']) => value.endsWith('…'))) {
    throw new NotSendable('a header in the record is cut: replay the check');
  }
}

function describeResult({ outcome, response, detail }: Exchange): string {
  return response ? `status ${response.status}` : (detail ?? outcome);
}
