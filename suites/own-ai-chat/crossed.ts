import { parseJson } from '../../harness/json.ts';
import type { Finding } from '../../harness/finding.ts';
import type { ChatObservation } from '../../harness/own-ai-chat.ts';

/**
 * Whether what came to one of several conversations belongs to it: no words for another one's contact (`others` are
 * the names of those), and not the replies that the others lack. `nothing` when nothing came that could tell.
 */
export function crossed(
  observation: ChatObservation,
  others: readonly string[],
  all: readonly ChatObservation[],
): Finding | undefined | 'nothing' {
  const { arrivals } = observation.replies;
  const texts = [...arrivals.map(({ request }) => textOf(request.body)), answerText(observation)];
  const foreign = others.find((marker) => texts.some((text) => text.includes(marker)));
  if (foreign !== undefined) {
    return {
      expected: `words for the contact of this conversation`,
      received: `words for ${foreign}, the contact of another one`,
    };
  }
  const starved = all.filter(({ replies }) => replies.arrivals.length === 0);
  if (arrivals.length > 1 && starved.length > 0) {
    return {
      expected: 'one reply at the replyUrl of each conversation',
      received: `${arrivals.length} replies at one and none at ${starved.length} others`,
      hint: 'Keep the replyUrl with the event it came in, not in a variable that all events share.',
    };
  }
  return arrivals.length > 0 || texts.some((text) => text !== '') ? undefined : 'nothing';
}

function answerText({ answer }: ChatObservation): string {
  return answer.outcome === 'answered' && answer.status === 200 ? textOf(answer.body) : '';
}

function textOf(body: Uint8Array): string {
  const parsed = parseJson(body);
  return 'error' in parsed ? '' : JSON.stringify(parsed.value);
}
