import { describe, expect, it } from 'vitest';
import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { collectAnswers, contentOfAnswer } from '../../suites/own-ai-chat/collect-answers.ts';
import { playConversation } from '../../suites/own-ai-chat/conversation.ts';
import { stopOf } from '../../suites/matchers/endpoint-stop.ts';
import { openWorld } from '../harness/open-world.ts';
import { answerText } from '../harness/raw-server.ts';

function contentOf(body: object) {
  const bytes = Buffer.from(JSON.stringify(body));
  const answer = { outcome: 'answered', status: 200, headers: [], body: bytes, bodyBytes: bytes.length };
  const { content, textElsewhere } = contentOfAnswer({
    answer: { ...answer, truncated: false },
  } as unknown as ChatObservation);
  return { content, textElsewhere };
}

describe('the content of an answer', () => {
  it('shows where its text is, if it has another name', () => {
    expect(contentOf({ action: 'none', reply: 'Yes, at ten.' }).textElsewhere).toMatch(/reply/);
  });

  it('shows nothing of other fields that have another name', () => {
    expect(contentOf({ text: '', Action: 'end', Note: 'n' }).textElsewhere).toBeUndefined();
  });

  it('is an answer where a skill is named, and nothing where the list of skills is empty', () => {
    expect(contentOf({ executeSkills: ['urgent'] }).content).toBe('answer');
    expect(contentOf({ executeSkills: [] }).content).toBe('nothing');
  });
});

describe.concurrent('an AI that stops during a conversation', () => {
  /** The conversation and the answers of a run in which the AI stops at its second message. */
  const stoppingAfter = async (body: string) => {
    await using world = await openWorld((socket, _, count) => {
      if (count === 1) socket.write(answerText('200 OK', { 'Content-Type': 'application/json' }, body));
      else void world.endpoint[Symbol.asyncDispose]();
    });
    const { session } = world;
    const { chat, sample, settings, inbox, ids } = session;
    const kit = { session, chat, sample, settings, inbox, ids } as unknown as CheckKit;
    const conversation = await playConversation(kit);
    const collected = await collectAnswers(kit).catch((error: unknown) => error);
    return { conversation, collected };
  };

  it('has had the messages until then, and what it answered is judged', async () => {
    const { conversation, collected } = await stoppingAfter('{"text":"Good morning."}');
    expect(conversation.map((message) => stopOf(message)?.suspects)).toEqual([
      undefined,
      ['a message in a conversation, 5 turns long'],
    ]);
    expect(collected).toMatchObject({ accepted: [conversation[0]], text: conversation[0] });
  });

  it('might have answered later ones, if it has answered nothing by then', async () => {
    const { collected } = await stoppingAfter('{}');
    expect(collected).toMatchObject({ code: 'target-stopped' });
  });
});
