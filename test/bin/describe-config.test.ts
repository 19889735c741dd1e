import { describe, expect, it } from 'vitest';
import { configViolations } from '../../run/config/describe-config.ts';

const good = { requirement: 'own-ai-chat/answers-ping', reason: 'Ticket 12.', until: '2027-01-31' };

describe('what is wrong with waivers', () => {
  it('is nothing where they are right', () => {
    expect(configViolations({ waivers: [good] })).toEqual([]);
  });

  it('is reported with similar names', () => {
    expect(configViolations({ waivers: [good, { ...good, requirement: 'own-ai-chat/answers-pong' }] })).toEqual([
      expect.stringMatching(
        /^ {2}waivers\.1\.requirement: expected the id of a requirement .*, received own-ai-chat\/answers-pong\. Did you mean own-ai-chat\/answers-ping/,
      ),
    ]);
  });

  it('is reported without a suggestion if no name is similar', () => {
    expect(configViolations({ waivers: [{ ...good, requirement: 'q' }] })).toEqual([
      '  waivers.0.requirement: expected the id of a requirement (svc-conform explain lists them), received q',
    ]);
  });

  it('is reported with advice if a custom suite may declare it', () => {
    const own = { ...good, requirement: 'own-ai-chat/zzz-qqq-www-jjj-kkk' };
    expect(configViolations({ waivers: [own] })).toEqual([
      expect.stringMatching(/jjj-kkk\. If a suite of yours states it, name that suite under suites\.$/),
    ]);
    expect(configViolations({ waivers: [own], suites: ['a.ts'] })).toEqual([]);
  });

  it('is reported together with what is wrong with the form, each once', () => {
    const waivers = [{ ...good, requirement: 'q', until: 'soon', reason: '' }, 'x', { requirement: 5 }];
    const lines = configViolations({ waivers }).join('\n');
    expect(lines).toMatch(/^ {2}waivers\.0\.until: expected .*date.*, received "soon"$/m);
    expect(lines).toMatch(/^ {2}waivers\.0\.reason: expected .+, received an empty string$/m);
    expect(lines).toMatch(/^ {2}waivers\.0\.requirement: expected the id of a requirement .+, received q$/m);
    expect(lines.match(/waivers\.0\.reason/g)).toHaveLength(1);
    expect(lines.match(/waivers\.1/g)).toHaveLength(1);
  });
});
