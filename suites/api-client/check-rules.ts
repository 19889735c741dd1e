import { check } from '../../harness/check.ts';
import { currentRecord } from '../../harness/check-record.ts';
import type { ApiExchange } from '../../harness/api-exchange.ts';
import { HarnessFault } from '../../harness/faults.ts';
import type { Finding } from '../../harness/finding.ts';
import { conclude } from '../matchers/expect.ts';
import type { ClientRule } from './rules.ts';
import { pathOf, readTraffic } from './traffic.ts';

/** Declares the checks of these rules: each judges all that the client has sent, and the first fault ends it. */
export function checkRules(rules: readonly ClientRule[]): void {
  for (const { requirement, title, needs, judge } of rules) {
    check(requirement, title, async ({ client, notExercised }) => {
      const traffic = readTraffic(await client.traffic());
      const judged = judge(traffic);
      // What a client that broke down would have sent is not known.
      if (judged.length === 0 && traffic.failure !== undefined)
        throw new HarnessFault('client-failed', traffic.failure);
      if (judged.length === 0) notExercised(traffic.exchanges.length === 0 ? 'The client sent no request.' : needs);
      for (const { exchange, finding, beside } of judged) {
        if (beside) currentRecord()?.keep(beside);
        conclude(exchange, finding && placed(finding, exchange));
      }
    });
  }
}

function placed(finding: Finding, exchange: ApiExchange): Finding {
  return { ...finding, received: `${finding.received} in ${exchange.request.method} ${pathOf(exchange)}` };
}
