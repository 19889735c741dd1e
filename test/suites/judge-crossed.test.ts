import { describe, expect, it } from 'vitest';
import { judgeCrossed } from '../../suites/own-ai-chat/judge-crossed.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { answered, exchange } from './made-observations.ts';

const contacts = ['Ada', 'Grace', 'Mary'] as const;

function reply(text: string, over: Partial<Arrival> = {}): Arrival {
  const { request } = exchange(answered(200));
  return { request: { ...request, body: Buffer.from(JSON.stringify({ text })) }, truncated: false, ...over } as Arrival;
}

/** Three conversations at the same time, each with these replies and an answer that contains this text. */
function conversations(replies: readonly (readonly Arrival[])[], answer = ''): ChatObservation[] {
  return contacts.map((_, at) => ({
    ...exchange(answered(200, JSON.stringify(answer === '' ? {} : { text: answer }))),
    event: {},
    replies: { arrivals: replies[at] ?? [] } as unknown as ChatObservation['replies'],
  }));
}

/** The judgement of the first conversation. */
function judgeFirst(all: readonly ChatObservation[]) {
  const [own, ...others] = contacts;
  const [first] = all;
  if (!first) throw new Error('no conversation');
  return judgeCrossed(first, { own, others, all });
}

describe('one of several conversations at the same time', () => {
  it('has nothing to judge without a reply, even if another one has one', () => {
    expect(judgeFirst(conversations([]))).toBe('nothing');
    expect(judgeFirst(conversations([[], [reply('Hello Grace')]]))).toBe('nothing');
  });

  it('is correct with its own reply, or an answer that names its contact', () => {
    expect(judgeFirst(conversations([[reply('Hello Ada')]]))).toBeUndefined();
    expect(judgeFirst(conversations([[reply('Hello')], [reply('Hello')], [reply('Hello')]]))).toBeUndefined();
    expect(judgeFirst(conversations([], 'Hello Ada'))).toBeUndefined();
  });

  it('must not contain words for the contact of another one, in a reply or in the answer', () => {
    expect(judgeFirst(conversations([[reply('Hello Mary')]]))).toEqual({
      expected: 'words for Ada, the contact of this conversation',
      received: 'words for Mary, the contact of another one',
      part: undefined,
    });
    expect(judgeFirst(conversations([], 'Hello Grace'))).toMatchObject({
      received: 'words for Grace, the contact of another one',
      part: { body: [] },
    });
  });

  it('must not receive the replies of all', () => {
    const three = [reply('1'), reply('2'), reply('3')];
    expect(judgeFirst(conversations([three]))).toMatchObject({
      received: '3 replies at this one and none at the 2 others',
    });
  });

  it('may receive as many replies as there are conversations if another one has one, or one fewer', () => {
    const three = [reply('1'), reply('2'), reply('3')];
    expect(judgeFirst(conversations([three, [], [reply('4')]]))).toBeUndefined();
    expect(judgeFirst(conversations([three.slice(1)]))).toBeUndefined();
  });

  it('is not judged by a reply of which only the beginning was read', () => {
    expect(() => judgeFirst(conversations([[reply('1', { truncated: true })]]))).toThrow(/only the beginning was read/);
  });
});
