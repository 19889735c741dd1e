import { check } from '../../harness/checks/check.ts';
import { currentRecord } from '../../harness/checks/check-record.ts';
import type { ApiExchange, ClientTraffic } from '../../harness/client/api-exchange.ts';
import { provokedRetries } from '../../harness/checks/provoked-retries.ts';
import type { Session } from '../../harness/checks/session.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import { conclude } from '../matchers/expect.ts';
import { notReadFault } from '../not-read-fault.ts';
import { aboutRetries, judgeObserved } from './observed-rules.ts';
import type { ClientRule, JudgedRequest } from './rules.ts';
import { pathOf, readTraffic } from './traffic.ts';

/**
 * Declares the checks of these rules: each judges all that the endpoint has sent during the run, and all that the client
 * of the config has sent, and the first fault ends it. For the client, rules about the contents of bodies are blocked
 * where one was not read, and all of them where not every request was kept.
 */
export function checkRules(rules: readonly ClientRule[], { ofBodies = false }: { ofBodies?: boolean } = {}): void {
  for (const rule of rules) {
    check(rule.requirement, rule.title, async ({ client, inbox, session, settings, notExercised }) => {
      // Both kinds of traffic take seconds, and neither depends on the other.
      client.begin();
      if (client.isStarted && settings.only.length === 0) provokedRetries(session).catch(() => undefined);
      const isJudged = [judgeRun(rule, client.observed(inbox)), await judgeRetries(rule, session)];
      const hasObserved = isJudged.includes(true);
      if (client.isStarted) {
        const endUnlessObserved = (why: string) => (hasObserved ? undefined : notExercised(why));
        judgeTraffic(rule, await client.traffic(), { ofBodies, notExercised: endUnlessObserved });
      } else if (!hasObserved) {
        notExercised('During the run, the endpoint sent no request to API v1 to which this rule applies.');
      }
    });
  }
}

/** Judges the requests of the endpoint during the run. Returns whether there was something to judge. */
function judgeRun(rule: ClientRule, sent: ClientTraffic): boolean {
  if (sent.exchanges.length === 0) return false;
  const judged = judgeObserved(rule, readTraffic(sent));
  const record = currentRecord();
  if (record && judged.length > 0) record.source = 'observed';
  concludeAll(judged);
  return judged.length > 0;
}

/** Judges the retries of the endpoint. Returns whether there was something to judge. */
async function judgeRetries(rule: ClientRule, session: Session): Promise<boolean> {
  if (!aboutRetries.has(rule.requirement)) return false;
  const traffic = await provokedRetries(session);
  const judged = traffic.flatMap((sent) => rule.judge(readTraffic(sent))).filter(({ open }) => open === undefined);
  const record = currentRecord();
  if (record && judged.length > 0) record.source = 'observed';
  concludeAll(judged);
  return judged.length > 0;
}

/** Judges what a client sent by one rule, as a check does. */
export function judgeTraffic(
  { needs, judge }: ClientRule,
  sent: ClientTraffic,
  { ofBodies = false, notExercised }: { ofBodies?: boolean; notExercised: (why: string) => void },
): void {
  const traffic = readTraffic(sent);
  const judged = judge(traffic);
  const record = currentRecord();
  const unread = ofBodies ? traffic.requests.find(({ unread }) => unread !== undefined) : undefined;
  if (judged.length === 0 && !unread) return endUnjudged(traffic, needs, notExercised);
  // Both kinds of traffic were judged, and each alone decides.
  if (record) record.source = undefined;
  concludeAll(judged);
  if (unread?.unread !== undefined) throw notReadFault(unread.unread, unread.exchange);
  const undecided = judged.find(({ open }) => open !== undefined);
  if (undecided?.open !== undefined) {
    record?.decideBy(undecided.exchange);
    throw new HarnessFault('still-open:request', { reason: undecided.open });
  }
  if (traffic.omitted !== undefined) throw new HarnessFault('not-read:omitted', { omitted: traffic.omitted });
}

function concludeAll(judged: readonly JudgedRequest[]): void {
  for (const { exchange, finding, beside, open } of judged) {
    if (open !== undefined) continue;
    if (beside) currentRecord()?.keep(beside);
    conclude(exchange, finding && placed(finding, exchange));
  }
}

/**
 * Ends a check that has nothing to judge; as {@link HarnessFault} `client-failed` when the client broke down, since what
 * it would have sent is not known, and as `not-read` when not all of it was kept.
 */
export function endUnjudged(
  { exchanges, failure, omitted }: Pick<ClientTraffic, 'exchanges' | 'failure' | 'omitted'>,
  needs: string,
  notExercised: (why: string) => void,
): void {
  if (failure !== undefined) throw new HarnessFault('client-failed', { failure });
  if (omitted !== undefined) throw new HarnessFault('not-read:omitted', { omitted: omitted });
  notExercised(exchanges.length === 0 ? 'The client sent no request.' : needs);
}

function placed(finding: Finding, exchange: ApiExchange): Finding {
  return { ...finding, received: `${finding.received} in ${exchange.request.method} ${pathOf(exchange)}` };
}
