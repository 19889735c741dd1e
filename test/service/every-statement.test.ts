import { describe, expect, it } from 'vitest';
import { showingTests } from '../../scripts/service-page.ts';
import { service } from '../../specs/requirements/service.ts';
import type { ServiceStatement } from '../../specs/requirements/requirement.ts';

const statements = Object.entries(service as Record<string, ServiceStatement>);

/** Ids at the beginning of a test title in this directory, or of a row of a test. */
const shown = new Set((await showingTests()).keys());

describe('every statement about the service', () => {
  it('is shown by a test or says what it awaits', () => {
    const left = statements.filter(([id, { awaits }]) => awaits === undefined && !shown.has(id));
    expect(left.map(([id]) => id)).toEqual([]);
  });

  it('with a test awaits nothing', () => {
    const both = statements.filter(([id, { awaits }]) => awaits !== undefined && shown.has(id));
    expect(both.map(([id]) => id)).toEqual([]);
  });

  it('in a title of a test is in the list', () => {
    expect(shown.size).toBeGreaterThan(30);
    expect([...shown].filter((id) => !Object.hasOwn(service, id))).toEqual([]);
  });
});
