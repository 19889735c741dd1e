import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { everyTrial, schemeGroups, type SchemeGroup } from './schemes/every-scheme.ts';
import { usualGroup, type Figures } from './schemes/figures.ts';
import { withFigures } from './schemes/figures-table.ts';
import { isInSample, testSchemes } from './schemes/test-schemes.ts';

/** Ids that a diagnosis of signatures must be able to name. */
const leastSchemes = 60;

// The others: schemes.ci.test.ts.
testSchemes(isInSample);

describe('the figures', () => {
  it('cover exactly the existing endpoints', async () => {
    const text = await readFile(new URL('./scheme-figures.json', import.meta.url), 'utf8');
    const { groups } = JSON.parse(text) as Figures;
    for (const name of Object.keys(schemeGroups) as SchemeGroup[]) {
      expect(groups[name]?.endpoints).toBe(everyTrial().filter(({ group }) => group === name).length);
    }
    expect(groups[usualGroup]?.endpoints).toBe(groups.singles?.endpoints);
  });

  it('are on the page about the command', async () => {
    const [text, page] = await Promise.all([
      readFile(new URL('./scheme-figures.json', import.meta.url), 'utf8'),
      readFile(new URL('../../docs/diagnose.md', import.meta.url), 'utf8'),
    ]);
    expect(page).toBe(withFigures(page, JSON.parse(text) as Figures));
  });

  it('contain no wrong cause, and nearly every correct one', async () => {
    const text = await readFile(new URL('./scheme-figures.json', import.meta.url), 'utf8');
    const { schemes, groups } = JSON.parse(text) as Figures;
    expect(schemes).toBeGreaterThanOrEqual(leastSchemes);
    for (const figures of Object.values(groups)) expect(figures.wrong).toBe(0);
    expect(groups.composites?.right).toBeGreaterThanOrEqual(0.9 * (groups.composites?.endpoints ?? 0));
  });
});
