import { describe, expect, it } from 'vitest';
import { changelog } from '../../specs/changelog.ts';
import { protocolRevision } from '../../specs/limits.ts';

describe('the changelog', () => {
  it('mentions the revision of the own-AI protocol and the names of CRM events', () => {
    expect(changelog.map(({ since, surface }) => [surface, since])).toEqual([
      ['own-ai', protocolRevision],
      ['crm-webhook', '2026-10'],
    ]);
  });

  it('is in sentences, the newest first', () => {
    for (const { since, change, todo } of changelog) {
      expect(since).toMatch(/^\d{4}-\d{2}(-\d{2})?$/);
      for (const sentence of [change, todo ?? 'None.']) expect(sentence).toMatch(/^\S.+\.$/);
    }
    const months = changelog.map(({ since }) => since.slice(0, 7));
    expect(months).toEqual(months.toSorted().reverse());
  });
});
