import { expect, it } from 'vitest';
import { showsAll, shownOtherwise } from '../../contracts/shown-otherwise.ts';

const body = (text: string) => Buffer.from(text);
const lengthOfText = [{ pointer: '/text', type: 'text' }] as const;
const skills = [{ pointer: '/executeSkills', type: 'list' }] as const;
const whole = [{ pointer: '' }] as const;

it('checks the contents of a field only if it has its type: another interaction is about that', () => {
  expect(shownOtherwise(body('{"text":"Yes"}'), lengthOfText)).toBeUndefined();
  expect(shownOtherwise(body('{"text":42}'), lengthOfText)).toContain('text that is not a string');
  expect(shownOtherwise(body('{"executeSkills":["sales"]}'), skills)).toBeUndefined();
  expect(shownOtherwise(body('{"executeSkills":"sales"}'), skills)).toContain('executeSkills that is not a list');
});

it('leaves what is not a JSON object to the interaction about that', () => {
  for (const text of ['<html>', '[1]', '"yes"']) {
    expect(shownOtherwise(body(text), lengthOfText)).toContain('not a JSON object');
    expect(shownOtherwise(body(text), whole)).toBeUndefined();
    expect(showsAll(body(text), whole)).toBe(false);
  }
});
