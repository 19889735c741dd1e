import { describe, expect, it } from 'vitest';
import { continues } from '../../suites/own-ai-phone/takeovers.ts';
import { answerTo, call, ended } from './made-observations.ts';

describe('a call that comes back after a takeover', () => {
  it('continues with an answer, or without a sentence', () => {
    expect(continues(call({ answers: [answerTo('closed', { pieces: 1, text: 'Yes.' })] }))).toBe(true);
    expect(continues(call({ answers: [] }))).toBe(true);
  });

  it('does not continue if its sentence is not answered', () => {
    expect(continues(call({ answers: [answerTo('nothing')] }))).toBe(false);
    expect(continues(call({ answers: [answerTo('nothing'), answerTo('nothing')] }))).toBe(false);
  });

  it('does not continue if the AI closes it, before a sentence or after an answer', () => {
    expect(continues(call({ answers: [], end: ended('ai') }))).toBe(false);
    expect(continues(call({ answers: [answerTo('closed', { pieces: 1, text: 'Yes.' })], end: ended('ai') }))).toBe(
      false,
    );
  });
});
