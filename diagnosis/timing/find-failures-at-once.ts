import type { Connection } from '../connection.ts';
import { isAccepted } from '../deduplication/effects.ts';
import type { ProbeOutcome } from '../outcome.ts';
import { concurrentEvents, explainFailures } from './find-pool.ts';

/** Tests whether deliveries fail at the same moment that are accepted one after the other, where no time is limited. */
export async function findFailuresAtOnce(connection: Connection): Promise<ProbeOutcome> {
  const seen: string[] = [];
  const most = concurrentEvents(connection);
  const send = async (label: string) => {
    const observation = await connection.ask(connection.case().delivery, { label });
    return { accepted: isAccepted(observation), observation };
  };
  const together = async () => {
    const tried = await Promise.all(Array.from({ length: most }, () => send(`one of ${most} concurrent deliveries`)));
    const failed = tried.filter(({ accepted }) => !accepted).length;
    seen.push(`Of ${most} concurrent deliveries, ${failed === 0 ? 'all' : most - failed} were accepted.`);
    return tried;
  };
  const first = await together();
  const isFailed = ({ accepted }: { accepted: boolean }) => !accepted;
  if (!first.some(isFailed)) return { suspects: [], passed: [`${most} concurrent deliveries are accepted.`], seen };
  const alone = () => send('one delivery alone');
  return { ...(await explainFailures(first, { alone, again: together, isFailed })), passed: [], seen };
}
