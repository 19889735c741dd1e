import { formatMs } from '../format-ms.ts';
import type { Answer } from '../../harness/wire/observation.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';

/** Describes an answer for evidence. */
export function describeAnswer(answer: Answer): string {
  if (answer.outcome === 'answered') return isConnected(answer) ? 'a connection' : `status ${answer.status}`;
  if (answer.outcome === 'no-answer') return `no answer within ${formatMs(answer.afterMs)}`;
  return `no connection (${answer.detail})`;
}
