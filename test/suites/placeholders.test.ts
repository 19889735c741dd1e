import { describe, expect, it } from 'vitest';
import { judgePlaceholders } from '../../suites/placeholders.ts';

describe('judgePlaceholders', () => {
  it.each([
    ['None', true],
    ['undefined undefined', true],
    ['null null', true],
    ['NaN', true],
    ['Hello undefined, how can I help?', true],
    ['Guten Tag Herr null!', true],
    ['Order of [object Object]', true],
    // What a customer may have written.
    ['null', false],
    ['None of the dates suits me.', false],
    ['The date is undefined so far.', false],
    ['Hello Nil, how can I help?', false],
    ['Null', false],
    ['Hi null-pointer fans', false],
    ['', false],
  ])('reads %j', (text, isPrinted) => {
    const judgement = judgePlaceholders({ note: { title: text } });
    const finding = { expected: 'note.title with a value, or omitted', part: { body: ['note', 'title'] } };
    if (isPrinted) expect(judgement).toMatchObject(finding);
    else expect(judgement).toBe(true);
  });

  it('judges nothing without a string, and no word that was sent', () => {
    expect(judgePlaceholders({ a: [1, null] })).toBe('nothing');
    expect(judgePlaceholders({ a: 'None' }, { message: { text: 'None' } })).toBe('nothing');
    expect(judgePlaceholders({ text: 'Hello null, how can I help?' }, { contact: { name: 'null' } })).toBe('nothing');
  });
});
