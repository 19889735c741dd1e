import { expect, test } from 'vitest';
import type { Skill } from '../../specs/generated/types.ts';
import { skillRules } from '../../suites/skill-rules.ts';

const skill = (id: number, key: string, kind: Skill['kind']): Skill => ({
  id,
  key,
  name: key,
  kind,
  announcement: null,
});
const sales = skill(1, 'sales', 'forward');
const urgent = skill(2, 'urgent', 'alert');

function judge(slug: string, named: readonly unknown[], offered: readonly Skill[] = [sales]) {
  const rule = skillRules.find((one) => one.slug === slug);
  return rule?.judge({ named, skills: [sales, urgent], offered, where: 'data.skills' });
}

test('does not judge whether an unknown skill was offered', () => {
  expect(judge('names-only-offered-skills', ['sales'])).toBe(true);
  expect(judge('names-only-offered-skills', ['nope'])).toBe('nothing');
  expect(judge('names-only-offered-skills', ['nope', 'urgent'])).toMatchObject({
    expected: expect.stringContaining('data.skills (sales)') as string,
    received: '"urgent"',
  });
  expect(judge('names-only-offered-skills', ['urgent'], [])).toMatchObject({
    expected: expect.stringContaining('data.skills (none offered)') as string,
  });
  expect(judge('names-known-skills', ['nope'])).toMatchObject({ received: '"nope"' });
});

test('an unknown skill may be a forward, so another one may be the second', () => {
  expect(judge('at-most-one-forward', ['sales', 'nope'])).toBe('nothing');
  expect(judge('at-most-one-forward', ['urgent', 'nope'])).toBe(true);
  expect(judge('at-most-one-forward', ['sales', 'urgent'])).toBe(true);
});
