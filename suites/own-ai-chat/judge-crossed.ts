import { requireRead } from '../answer-bodies.ts';
import { bodyOfArrival, unreadBody } from '../json-object.ts';
import { notReadFault } from '../not-read-fault.ts';
import { ContactMarks } from '../../harness/checks/contact-marks.ts';
import { parseJson } from '../../harness/checks/json.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';

/** Facts about the other conversations that are open at the same time. */
export interface OpenConversations {
  /** Name of this conversation's contact, and those of the others'. */
  own: string;
  others: readonly string[];
  all: readonly ChatObservation[];
}

/**
 * Judges whether the replies to one of several conversations belong to it: no words for another one's contact, and not
 * the replies of all of them. `nothing` when nothing came to judge.
 */
export function judgeCrossed(
  observation: ChatObservation,
  { own, others, all }: OpenConversations,
): Finding | undefined | 'nothing' {
  const { replies } = observation;
  const foreign = judgeForeignNames(observation, own, others);
  if (foreign) return foreign;
  for (const arrival of replies.arrivals) {
    const unread = unreadBody(bodyOfArrival(arrival));
    if (unread) throw notReadFault(unread.unread, arrival);
  }
  requireRead(200, [observation]);
  const { length } = replies.arrivals;
  // Silence is permitted, and one may be answered in several replies: only as many as there are conversations are proof.
  if (length >= all.length && hasOnlyReplies(observation, all)) {
    return {
      expected: 'the reply to each conversation at its own replyUrl',
      received: `${length} replies at this one and none at the ${othersOf(observation, all).length} others`,
      hint: 'Keep the replyUrl with the event it came in, not in a variable that all events share.',
    };
  }
  return length > 0 || textsOf(observation).some((text) => text.includes(own)) ? undefined : 'nothing';
}

/**
 * Whether a conversation has several replies and the others have none: a failure if it stays so, but one may be answered
 * much earlier than the others.
 */
export function hasOnlyReplies(observation: ChatObservation, all: readonly ChatObservation[]): boolean {
  return (
    observation.replies.arrivals.length > 1 &&
    othersOf(observation, all).every(({ replies }) => replies.arrivals.length === 0)
  );
}

function othersOf({ replies }: ChatObservation, all: readonly ChatObservation[]): ChatObservation[] {
  return all.filter((other) => other.replies !== replies);
}

/**
 * The finding about an answer or a reply that names the contact of another conversation. `own` is `undefined` for a
 * contact without a name.
 */
export function judgeForeignNames(
  observation: ChatObservation,
  own: string | undefined,
  others: readonly string[],
): Finding | undefined {
  const texts = textsOf(observation);
  const foreign = others.find((marker) => texts.some((text) => text.includes(marker)));
  if (foreign === undefined) return undefined;
  return {
    expected: `words for ${own === undefined ? 'a contact without a name' : `${own}, the contact of this conversation`}`,
    received: `words for ${foreign}, the contact of another one`,
    part: textOfAnswer(observation.answer).includes(foreign) ? { body: [] } : undefined,
  };
}

/** The first answer or reply of the run with data of a contact that its event does not contain, and the finding about it. */
export function findForeignContact({
  chat,
  sample,
}: Pick<CheckKit, 'chat' | 'sample'>): { observation: ChatObservation; finding: Finding } | undefined {
  const marks = new ContactMarks(sample);
  for (const contact of chat.contacts) marks.add({ data: { contact } });
  for (const observation of chat.delivered) {
    const event = JSON.stringify(observation.event);
    const foreign = textsOf(observation).flatMap((text) => marks.foreignIn(text, event) ?? [])[0];
    if (foreign === undefined) continue;
    const finding = {
      expected: 'nothing about the contacts of other conversations',
      received: `${JSON.stringify(foreign)}, which belongs to another contact`,
    };
    return { observation, finding };
  }
  return undefined;
}

function textsOf({ replies, answer }: ChatObservation): string[] {
  return [...replies.arrivals.map(({ request }) => textOf(request.body)), textOfAnswer(answer)];
}

function textOfAnswer(answer: ChatObservation['answer']): string {
  return answer.outcome === 'answered' && answer.status === 200 ? textOf(answer.body) : '';
}

function textOf(body: Uint8Array): string {
  const parsed = parseJson(body);
  return 'error' in parsed ? '' : JSON.stringify(parsed.value);
}
