import { expect, it } from 'vitest';
import type { RunSettings } from '../../harness/config/settings.ts';
import { parseLinkList } from '../../harness/client/deep-links.ts';
import type { LinkRule } from '../../specs/deep-link-rules.ts';
import { judgeLinks } from '../../suites/deep-links/judge-links.ts';

const settings = { config: {} } as RunSettings;
const rule = (hint?: string): LinkRule => ({
  requirement: 'deep-links/names-a-project',
  title: 'is good',
  needs: 'a link that is judged',
  judge: ({ text }) =>
    text.includes('other')
      ? 'nothing'
      : text.includes('good') || {
          expected: 'a good link',
          received: 'a bad one',
          ...(hint !== undefined && { hint }),
        },
});

/** The message about these links, and the reason why nothing was judged. */
function judge(names: readonly string[], hint?: string): { message?: string; hint?: unknown; reason?: string } {
  const text = names.map((name) => `https://app.example/open/project?crmId=${name}`).join('\n');
  const links = { file: 'links.txt', links: parseLinkList(Buffer.from(text)) };
  try {
    judgeLinks(
      {
        links,
        settings,
        notExercised: (reason) => {
          throw new Error(`not exercised: ${reason}`);
        },
      },
      rule(hint),
    );
    return {};
  } catch (error) {
    const { finding, message } = error as { finding?: { received: string; hint?: string }; message: string };
    return finding ? { message: finding.received, hint: finding.hint } : { reason: message };
  }
}

it('judges nothing where the rule applies to no link', () => {
  expect(judge(['other-1', 'other-2'])).toEqual({
    reason: 'not exercised: links.txt does not list a link that is judged.',
  });
  expect(judge(['good-1'])).toEqual({});
});

it('names the line of the first link that breaks the rule, and up to eight others', () => {
  const first = 'a bad one, in line 2 of links.txt: https://app.example/open/project?crmId=bad-2';
  const bad = Array.from({ length: 10 }, (_, at) => `bad-${at + 2}`);
  expect(judge(['good-1', ...bad.slice(0, 1)]).message).toBe(first);
  expect(judge(['good-1', ...bad.slice(0, 2)]).message).toBe(`${first} (likewise line 3)`);
  expect(judge(['good-1', ...bad.slice(0, 3)]).message).toBe(`${first} (likewise lines 3, 4)`);
  expect(judge(['good-1', ...bad.slice(0, 9)]).message).toBe(`${first} (likewise lines 3, 4, 5, 6, 7, 8, 9, 10)`);
  expect(judge(['good-1', ...bad]).message).toBe(`${first} (likewise lines 3, 4, 5, 6, 7, 8, 9, 10 and 1 more)`);
});

it('has the hint of the rule, or none', () => {
  expect(judge(['bad-1'], 'Write it so.').hint).toBe('Write it so.');
  expect(judge(['bad-1']).hint).toBeUndefined();
});
