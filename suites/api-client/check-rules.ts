import { check } from '../../harness/check.ts';
import { currentRecord } from '../../harness/check-record.ts';
import type { ApiExchange, ClientTraffic } from '../../harness/api-exchange.ts';
import { HarnessFault } from '../../harness/faults.ts';
import type { Finding } from '../../harness/finding.ts';
import { conclude } from '../matchers/expect.ts';
import { notRead } from '../judgement.ts';
import type { ClientRule } from './rules.ts';
import { pathOf, readTraffic } from './traffic.ts';

/**
 * Declares the checks of these rules: each judges all that the client has sent, and the first fault ends it. Rules about
 * the contents of bodies are blocked where one was not read.
 */
export function checkRules(rules: readonly ClientRule[], { ofBodies = false }: { ofBodies?: boolean } = {}): void {
  for (const { requirement, title, needs, judge } of rules) {
    check(requirement, title, async ({ client, notExercised }) => {
      const traffic = readTraffic(await client.traffic());
      const judged = judge(traffic);
      const unread = ofBodies ? traffic.requests.find(({ unread }) => unread !== undefined) : undefined;
      if (judged.length === 0 && !unread) nothingJudged(traffic, needs, notExercised);
      for (const { exchange, finding, beside } of judged) {
        if (beside) currentRecord()?.keep(beside);
        conclude(exchange, finding && placed(finding, exchange));
      }
      if (unread?.unread !== undefined) throw notRead(unread.unread, unread.exchange);
    });
  }
}

/**
 * Ends a check that has nothing to judge; as {@link HarnessFault} `client-failed` when the client broke down, since what
 * it would have sent is not known.
 */
export function nothingJudged(
  { exchanges, failure }: Pick<ClientTraffic, 'exchanges' | 'failure'>,
  needs: string,
  notExercised: (why: string) => never,
): never {
  if (failure !== undefined) throw new HarnessFault('client-failed', failure);
  return notExercised(exchanges.length === 0 ? 'The client sent no request.' : needs);
}

function placed(finding: Finding, exchange: ApiExchange): Finding {
  return { ...finding, received: `${finding.received} in ${exchange.request.method} ${pathOf(exchange)}` };
}
