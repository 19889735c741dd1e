import { describe, expect, it } from 'vitest';
import { servicePage, showingTests } from '../../scripts/service-page.ts';
import { assumptions } from '../../specs/assumptions.ts';
import { service } from '../../specs/requirements/service.ts';
import type { ServiceId } from '../../specs/requirements/service.ts';

describe('docs/reference/service.md', () => {
  it('has every statement and every assumption once', async () => {
    const page = await servicePage(new Map());
    const listed = [...page.matchAll(/^- \*\*([a-z0-9-]+)\*\* /gm)].map(([, slug]) => slug);
    const ids = Object.keys(service).map((id) => id.slice('service/'.length));
    expect(listed.toSorted()).toEqual([...ids, ...Object.keys(assumptions)].sort());
  });

  it('names the tests of a statement, and its titles as text', async () => {
    const id: ServiceId = 'service/ping-has-no-data';
    const page = await servicePage(new Map([[id, [{ file: 'some.test.ts', title: 'with <b>*all*</b>' }]]]));
    expect(page).toContain('  - `some.test.ts`: with \\<b\\>\\*all\\*\\</b\\>\n');
  });

  it('finds the tests in their files, whatever their quotes', async () => {
    const tests = await showingTests();
    expect(tests.get('service/ping-has-no-data')?.map(({ file }) => file)).toContain('one-delivery.test.ts');
    const titles = [...tests.values()].flat().map(({ title }) => title);
    expect(titles.filter((title) => /^\W|['"]$/.test(title))).toEqual([]);
    expect(titles.filter((title) => title !== '').length).toBeGreaterThan(10);
  });
});
