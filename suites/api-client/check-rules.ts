import { check } from '../../harness/checks/check.ts';
import { currentRecord } from '../../harness/checks/check-record.ts';
import type { ApiExchange, ClientTraffic } from '../../harness/client/api-exchange.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import { conclude } from '../matchers/expect.ts';
import { notReadFault } from '../judgement.ts';
import type { ClientRule } from './rules.ts';
import { pathOf, readTraffic } from './traffic.ts';

/**
 * Declares the checks of these rules: each judges all that the client has sent, and the first fault ends it. Rules about
 * the contents of bodies are blocked where one was not read, and all of them where not every request was kept.
 */
export function checkRules(rules: readonly ClientRule[], { ofBodies = false }: { ofBodies?: boolean } = {}): void {
  for (const rule of rules) {
    check(rule.requirement, rule.title, async ({ client, notExercised }) => {
      judgeTraffic(rule, await client.traffic(), { ofBodies, notExercised });
    });
  }
}

/** Judges what a client sent by one rule, as a check does. */
export function judgeTraffic(
  { needs, judge }: ClientRule,
  sent: ClientTraffic,
  { ofBodies = false, notExercised }: { ofBodies?: boolean; notExercised: (why: string) => never },
): void {
  const traffic = readTraffic(sent);
  const judged = judge(traffic);
  const unread = ofBodies ? traffic.requests.find(({ unread }) => unread !== undefined) : undefined;
  if (judged.length === 0 && !unread) nothingJudged(traffic, needs, notExercised);
  for (const { exchange, finding, beside, open } of judged) {
    if (open !== undefined) continue;
    if (beside) currentRecord()?.keep(beside);
    conclude(exchange, finding && placed(finding, exchange));
  }
  if (unread?.unread !== undefined) throw notReadFault(unread.unread, unread.exchange);
  const undecided = judged.find(({ open }) => open !== undefined);
  if (undecided?.open !== undefined) {
    currentRecord()?.decideBy(undecided.exchange);
    throw new HarnessFault('still-open:request', { reason: undecided.open });
  }
  if (traffic.leftOut !== undefined) throw new HarnessFault('not-read:omitted', { omitted: traffic.leftOut });
}

/**
 * Ends a check that has nothing to judge; as {@link HarnessFault} `client-failed` when the client broke down, since what
 * it would have sent is not known, and as `not-read` when not all of it was kept.
 */
export function nothingJudged(
  { exchanges, failure, leftOut }: Pick<ClientTraffic, 'exchanges' | 'failure' | 'leftOut'>,
  needs: string,
  notExercised: (why: string) => never,
): never {
  if (failure !== undefined) throw new HarnessFault('client-failed', { failure });
  if (leftOut !== undefined) throw new HarnessFault('not-read:omitted', { omitted: leftOut });
  return notExercised(exchanges.length === 0 ? 'The client sent no request.' : needs);
}

function placed(finding: Finding, exchange: ApiExchange): Finding {
  return { ...finding, received: `${finding.received} in ${exchange.request.method} ${pathOf(exchange)}` };
}
