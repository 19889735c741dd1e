import { expect, it } from 'vitest';
import { showsAll, describeMismatch } from '../../contracts/describe-mismatch.ts';

const body = (text: string) => Buffer.from(text);
const lengthOfText = [{ pointer: '/text', type: 'text' }] as const;
const skills = [{ pointer: '/executeSkills', type: 'list' }] as const;
const whole = [{ pointer: '' }] as const;

it('checks the contents of a field only if it has its type: another interaction is about that', () => {
  expect(describeMismatch(body('{"text":"Yes"}'), lengthOfText)).toBeUndefined();
  expect(describeMismatch(body('{"text":42}'), lengthOfText)).toContain('text that is not a string');
  expect(describeMismatch(body('{"executeSkills":["sales"]}'), skills)).toBeUndefined();
  expect(describeMismatch(body('{"executeSkills":"sales"}'), skills)).toContain('executeSkills that is not a list');
});

it('leaves what is not a JSON object to the interaction about that', () => {
  for (const text of ['<html>', '[1]', '"yes"']) {
    expect(describeMismatch(body(text), lengthOfText)).toContain('not a JSON object');
    expect(describeMismatch(body(text), whole)).toBeUndefined();
    expect(showsAll(body(text), whole)).toBe(false);
  }
});
