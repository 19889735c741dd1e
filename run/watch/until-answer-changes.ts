import { setTimeout as delay } from 'node:timers/promises';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { unbrandedReport } from '../../reports/model/brand-report.ts';
import type { DiagnosedSurface, Exchange, Report } from '../../specs/generated/types.ts';
import { isEndpointSurface } from '../../specs/surfaces.ts';
import { replayChoice, surfaceOfExchange } from '../replay/replay-choice.ts';
import { replayExchange } from '../replay/replay-exchange.ts';

/** Milliseconds between two requests at first: an edit of code takes longer. */
const firstPauseMs = 2_000;
/** Milliseconds between two requests after a while, because each may cost something. */
const longestPauseMs = 15_000;
/** Maximum number of exchanges to try until one is answered in the same way again; that one is repeated. */
const mostTried = 3;
/** Number of different answers after which an exchange counts as varying: a single one may come from a reload. */
const mostDifferent = 2;

type Replay = (...args: Parameters<typeof replayExchange>) => Promise<{ outcome: string }>;

/**
 * Resolves when the endpoint answers a request that failed a check in another way: with another status, fields or types, or
 * within the limit. The request is repeated now and then, unless the config has `limits`, a tunnel would have to be open, or
 * the answer varies anyway. Rejects when `signal` aborts.
 */
export async function untilAnswerChanges(
  branded: Report,
  config: ResolvedConfig,
  signal: AbortSignal,
  pauseMs: number = firstPauseMs,
  replay: Replay = replayExchange,
): Promise<void> {
  const report = unbrandedReport(branded);
  const isAllowed = config.limits === undefined && config.service.tunnel === undefined;
  const tried = isAllowed ? failedExchanges(report).slice(0, mostTried) : [];
  const outcomeOf = async ({ exchange, surface }: FailedExchange) =>
    await replay(exchange, surface, report, config, signal).then(
      ({ outcome }) => outcome,
      () => 'not-tried',
    );
  const waiting = tried.map((failed) => ({ failed, isSteady: false, differed: 0 }));
  for (let nextMs = pauseMs; ; nextMs = Math.min(nextMs * 2, longestPauseMs)) {
    signal.throwIfAborted();
    const one = waiting.shift();
    if (!one) break;
    const outcome = await outcomeOf(one.failed);
    if (outcome === 'different' && one.isSteady) return;
    if (outcome === 'same') one.isSteady = true;
    if (outcome === 'different') one.differed += 1;
    // An endpoint that reloads answers nothing for a while, so nothing is known then.
    if (one.isSteady) waiting.unshift(one);
    else if (one.differed < mostDifferent) waiting.push(one);
    await delay(nextMs, undefined, { signal });
  }
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

interface FailedExchange {
  exchange: Exchange;
  surface: DiagnosedSurface;
}

/** The last request of each check that failed or was blocked, each once. A call costs more than a request. */
function failedExchanges(report: Report): FailedExchange[] {
  const { checks } = replayChoice(report, undefined);
  const ids = new Set(checks.flatMap(({ evidence }) => evidence.at(-1) ?? []));
  return report.exchanges.flatMap((exchange) => {
    const surface = surfaceOfExchange(report, exchange);
    if (!ids.has(exchange.id) || exchange.kind !== 'http' || surface === undefined) return [];
    return isEndpointSurface(surface) ? [{ exchange, surface }] : [];
  });
}
