import type { Observation } from '../../harness/wire/observation.ts';
import { requestedPauseMs } from '../../harness/wire/requested-pause.ts';
import type { Connection } from '../connection.ts';
import { isAccepted } from '../deduplication/effects.ts';
import type { ProbeOutcome } from '../outcome.ts';
import { concurrentEvents, explainFailuresAtOnce } from './explain-failures-at-once.ts';

interface Sent {
  accepted: boolean;
  observation: Observation;
}

/** Tests whether deliveries fail at the same moment that are accepted one after the other, where no time is limited. */
export async function findFailuresAtOnce(connection: Connection): Promise<ProbeOutcome> {
  const seen: string[] = [];
  const most = concurrentEvents(connection);
  const send = async (label: string): Promise<Sent> => {
    const observation = await connection.ask(connection.case().delivery, { label });
    return { accepted: isAccepted(observation), observation };
  };
  const together = async () => {
    const sent = await Promise.all(Array.from({ length: most }, () => send(`one of ${most} concurrent deliveries`)));
    const failed = sent.filter(isFailed).length;
    seen.push(`Of ${most} concurrent deliveries, ${failed === 0 ? 'none' : failed} failed.`);
    return sent;
  };
  const first = await together();
  if (first.some(isFailed)) {
    const alone = async () => {
      const one = await send('one delivery alone');
      seen.push(`One delivery alone was ${one.accepted ? 'accepted' : 'not accepted'}.`);
      return one;
    };
    return { ...(await explainFailuresAtOnce(first, { alone, again: together, isFailed })), passed: [], seen };
  }
  if (first.every(({ accepted }) => accepted)) {
    return { suspects: [], passed: [`${most} concurrent deliveries are accepted.`], seen };
  }
  const notObserved = [
    'Whether deliveries at the same moment are accepted: some got no answer, or a request for a pause.',
  ];
  return { suspects: [], passed: [], seen, notObserved };
}

/** Not accepted, although answered or closed in time: a silence or a request for a pause shows no failure. */
function isFailed({ accepted, observation: { answer } }: Sent): boolean {
  return !accepted && answer.outcome !== 'no-answer' && requestedPauseMs(answer) === undefined;
}
