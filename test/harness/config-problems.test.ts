import { describe, expect, it } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { configProblems } from '../../harness/config/config-problems.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import { formatConfigProblems } from '../../specs/faults/config-problem.ts';

const good = { requirement: 'own-ai-chat/answers-ping', reason: 'Ticket 12.', until: '2027-01-31' };

describe('problems of waivers', () => {
  it('are absent for a valid waiver', () => {
    expect(configProblems({ waivers: [good] })).toEqual([]);
  });

  it('suggest a similar requirement', () => {
    expect(configProblems({ waivers: [good, { ...good, requirement: 'own-ai-chat/answers-pong' }] })).toMatchObject([
      {
        key: 'waivers.1.requirement',
        received: 'own-ai-chat/answers-pong',
        hint: expect.stringMatching(/^Did you mean own-ai-chat\/answers-ping/) as string,
      },
    ]);
  });

  it('have no hint where no requirement is similar', () => {
    expect(configProblems({ waivers: [{ ...good, requirement: 'q' }] })).toEqual([
      {
        kind: 'unknown-requirement',
        key: 'waivers.0.requirement',
        expected: 'the id of a requirement (svc-conform explain lists them)',
        received: 'q',
      },
    ]);
  });

  it('name the suites where a suite of the integrator may state the requirement', () => {
    const own = { ...good, requirement: 'own-ai-chat/zzz-qqq-www-jjj-kkk' };
    const hint = 'If one of your suites states it, list that suite under suites.';
    expect(configProblems({ waivers: [own] })).toMatchObject([{ hint }]);
    expect(configProblems({ waivers: [own], suites: ['a.ts'] })).toEqual([]);
  });

  it('are reported together with problems of the form, each once', () => {
    const waivers = [{ ...good, requirement: 'q', until: 'soon', reason: '' }, 'x', { requirement: 5 }];
    const problems = configProblems({ waivers });
    const at = (key: string) => problems.filter((problem) => problem.key === key);
    expect(at('waivers.0.until')).toMatchObject([
      { expected: expect.stringContaining('date') as string, received: '"soon"' },
    ]);
    expect(at('waivers.0.reason')).toMatchObject([{ received: 'an empty string' }]);
    expect(at('waivers.0.requirement')).toMatchObject([{ received: 'q' }]);
    expect(problems.filter(({ key }) => /^waivers\.1\b/.test(key))).toHaveLength(1);
  });
});

describe('an invalid config', () => {
  const problemsOf = (value: unknown) => {
    try {
      resolveConfig(value, { SECRET: 'x' }, 'a.json');
    } catch (error) {
      if (error instanceof HarnessFault && error.data.name === 'config-invalid:problems') return error.data.args;
      throw error;
    }
    throw new Error('expected a fault, received none');
  };

  it.each<[string, unknown, string]>([
    ['a value of the schema', { chat: { url: 5, secret: 'env:SECRET' } }, 'chat.url'],
    ['an address with a password', { observe: { url: 'https://a:b@example.com' } }, 'observe.url'],
    ['a fragment', { phone: { url: 'wss://example.com/#a', secret: 'env:SECRET' } }, 'phone.url'],
    ['a container without an address', { container: { image: 'a' } }, 'container'],
    ['a missing list of links', { deepLinks: { file: 'none.txt' } }, 'deepLinks.file'],
    ['a waiver', { waivers: [{ ...good, requirement: 'q' }] }, 'waivers.0.requirement'],
  ])('carries its problem as a value: %s', (_, value, key) => {
    const { source, problems } = problemsOf(value);
    expect(source).toBe('a.json');
    expect(problems).toMatchObject([
      { key, expected: expect.any(String) as string, received: expect.any(String) as string },
    ]);
  });

  it('never contains what may be a secret', () => {
    const secret = 'S3cr3t-of-this-test';
    for (const value of [
      { chat: { url: 'http://127.0.0.1', secret } },
      { observe: { url: `https://a:${secret}@b.example` } },
    ]) {
      expect(JSON.stringify(problemsOf(value))).not.toContain(secret);
    }
  });

  it('is formatted with one line per problem below its source, and without a source by the flag alone', () => {
    const problem = { key: 'chat.url', expected: 'an address', received: '5', hint: 'Use quotes.' };
    expect(formatConfigProblems({ source: 'a.json', problems: [problem, { ...problem, key: 'b' }] })).toBe(
      'a.json is not valid:\n  chat.url: expected an address, received 5. Use quotes.\n  b: expected an address, received 5. Use quotes.',
    );
    expect(formatConfigProblems({ problems: [{ ...problem, key: '--url' }] })).toBe(
      '--url: expected an address, received 5. Use quotes.',
    );
  });
});
