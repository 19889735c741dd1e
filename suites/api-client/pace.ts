import { apiKeyOf } from '../../harness/wire/agent-replies.ts';
import { limits } from '../../specs/limits.ts';
import { isDocument } from './paths.ts';
import type { ClientRule, JudgedRequest } from './rules.ts';
import type { ClientRequest, ReadTraffic } from './traffic.ts';

const minuteMs = 60_000;
/** Milliseconds by which evenly sent requests may arrive closer together. */
const jitterMs = 1_000;
const noRequest = 'The client sent no request with an API key.';

/** Rules about how many requests a key makes (interface: Limits). */
export const paceRules: readonly ClientRule[] = [
  {
    requirement: 'api-client/at-most-60-requests-a-minute',
    title: 'a key makes at most 60 requests a minute on average',
    needs: noRequest,
    // The interface does not state how the service counts. With calendar minutes or a token bucket, any span may
    // contain up to twice the limit; no way of counting permits more.
    judge: eachSeries((series) => {
      const most = limits.apiRequestsPerMinute;
      for (const [from, first] of series.entries()) {
        for (let to = from + most; to < series.length; to++) {
          const ms = (series[to]?.exchange.serviceTimeMs ?? 0) - first.exchange.serviceTimeMs;
          const minutes = Math.max(1, Math.ceil(ms / minuteMs));
          const count = to - from + 1;
          if (count > most * (minutes + 1)) return { at: to, count, ms };
        }
      }
      return undefined;
    }),
  },
  {
    requirement: 'api-client/at-most-60-in-any-minute',
    title: 'no minute has more than 60 requests of a key',
    needs: noRequest,
    judge: eachSeries((series) => {
      const most = limits.apiRequestsPerMinute;
      for (const [from, first] of series.entries()) {
        const to = from + most;
        const ms = (series[to]?.exchange.serviceTimeMs ?? Infinity) - first.exchange.serviceTimeMs;
        if (ms < minuteMs - jitterMs) return { at: to, count: most + 1, ms };
      }
      return undefined;
    }),
  },
];

interface Excess {
  /** Index of the request that was one too many. */
  at: number;
  count: number;
  ms: number;
}

/** Judges the requests of each key in each round, in the order in which they came. */
function eachSeries(judge: (series: readonly ClientRequest[]) => Excess | undefined): ClientRule['judge'] {
  return (traffic) =>
    seriesOf(traffic).map((series): JudgedRequest => {
      const excess = judge(series);
      const last = series.at(excess?.at ?? -1)?.exchange;
      if (!last) throw new RangeError('expected a series with requests, received an empty one');
      if (!excess) return { exchange: last };
      return {
        exchange: last,
        finding: {
          expected: `at most ${limits.apiRequestsPerMinute} requests a minute with one key`,
          received: `${excess.count} within ${(excess.ms / 1000).toFixed(1)} s, this one the last of them`,
          hint: 'Limit all calls with the key in one place, and wait when it is used up.',
        },
      };
    });
}

function seriesOf({ requests }: ReadTraffic): ClientRequest[][] {
  const series = new Map<string, ClientRequest[]>();
  for (const request of requests) {
    const key = apiKeyOf(request.exchange.request);
    // Without the key it is not known whose requests these are.
    if (
      key === undefined ||
      request.exchange.credentials === 'hidden' ||
      !request.path.startsWith('/v1/') ||
      isDocument(request.path)
    )
      continue;
    const name = `${request.exchange.round} ${key}`;
    const own = series.get(name);
    if (own) own.push(request);
    else series.set(name, [request]);
  }
  return [...series.values()];
}
