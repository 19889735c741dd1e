import { describe, expect, it } from 'vitest';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { contentOfAnswer } from '../../suites/own-ai-chat/collect-answers.ts';

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
