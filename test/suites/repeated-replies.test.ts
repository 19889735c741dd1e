import { describe, expect, it } from 'vitest';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { Answer, Arrival } from '../../harness/wire/observation.ts';
import { judgeTexts } from '../../suites/own-ai-chat/repeated-replies.ts';
import { answered, closedAfter, exchange } from './made-observations.ts';

/** One message with this answer. */
function message(answer: Answer): ChatObservation {
  return { ...exchange(answer), event: {}, replies: {} as ChatObservation['replies'] };
}

/** Whether each of these replies repeats message text. */
function repeats(...replies: (readonly [ChatObservation, Record<string, unknown>])[]): boolean[] {
  const read = replies.map(([observation, value]) => ({ arrival: {} as Arrival, observation, value }));
  return judgeTexts(read).map(({ finding }) => finding !== undefined);
}

describe('message text for one message', () => {
  it('must not come in two replies, or in the answer and in a reply', () => {
    const later = message(answered(202));
    expect(repeats([later, { text: 'Yes.' }], [later, { text: 'No.' }], [later, { text: 'Yes.' }])).toEqual([
      false,
      false,
      true,
    ]);
    const atOnce = message(answered(200, '{"text":"Yes."}'));
    expect(repeats([atOnce, { text: 'Yes.' }], [atOnce, { text: 'No.' }])).toEqual([true, false]);
  });

  it('was not sent by an answer of which the service reads no body', () => {
    expect(repeats([message(answered(202, '{"text":"Yes."}')), { text: 'Yes.' }])).toEqual([false]);
    expect(repeats([message(answered(201, '{"text":"Yes."}')), { text: 'Yes.' }])).toEqual([false]);
    expect(repeats([message(closedAfter(200)), { text: 'Yes.' }])).toEqual([false]);
  });

  it('may come again for another message, or be empty', () => {
    const [one, other] = [message(answered(202)), message(answered(202))];
    expect(repeats([one, { text: 'Yes.' }], [other, { text: 'Yes.' }])).toEqual([false, false]);
    expect(repeats([one, { text: '' }], [one, { action: 'end' }], [one, { text: '' }])).toEqual([false, false, false]);
    expect(repeats([message(answered(200, '{"text":""}')), { text: '' }])).toEqual([false]);
  });
});
