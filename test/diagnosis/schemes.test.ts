import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { diagnoseSignature } from '../../diagnosis/signature/diagnose-signature.ts';
import { everyTrial, schemeGroups, type SchemeGroup } from './schemes/every-scheme.ts';
import type { Figures } from './schemes/figures.ts';
import { runTrial } from './schemes/run-trial.ts';
import { schemeName } from './schemes/scheme.ts';

/** Ids that a diagnosis of signatures has to be able to name. */
const leastSchemes = 60;

/** Of endpoints about which many questions are asked each how many-th is tried here; the figures have them all. */
const sampled: Partial<Record<SchemeGroup, number>> = { composites: 4, unknown: 4 };

/** Schemes on one of their surfaces each, one surface after the other: all of them are in the figures. */
function trialsOf(group: SchemeGroup) {
  return everyTrial()
    .filter((trial) => trial.group === group)
    .filter(({ scheme, surface }, at, all) => {
      const surfaces = all.filter((other) => other.scheme === scheme).map((other) => other.surface);
      return surface === surfaces[at % surfaces.length];
    })
    .filter((_, at) => at % (sampled[group] ?? 1) === 0)
    .map((trial) => ({ ...trial, name: schemeName(trial.scheme) }));
}

describe('one mistake', () => {
  it.for(trialsOf('singles'))('is named: $name, on $surface', async (trial) => {
    const { verdict, named } = await runTrial(trial, diagnoseSignature);
    expect(`${named}: ${verdict}`).toMatch(/: right$/);
  });
});

describe('two mistakes', () => {
  it.for(trialsOf('composites'))('are never taken for something else: $name, on $surface', async (trial) => {
    const { verdict } = await runTrial(trial, diagnoseSignature);
    expect(['right', 'partly', 'none']).toContain(verdict);
  });
});

describe('a way that nobody knows', () => {
  it.for(trialsOf('unknown'))('is given no name: $name, on $surface', async (trial) => {
    const { named, suspected } = await runTrial(trial, diagnoseSignature);
    expect(named).toBeUndefined();
    expect(suspected).not.toEqual([]);
  });
});

describe('a right endpoint', () => {
  it.for(trialsOf('right'))('has nothing named against it: $name, on $surface', async (trial) => {
    const { outcome } = await runTrial(trial, diagnoseSignature);
    expect(outcome.found).toBeUndefined();
    expect(outcome.fine).not.toEqual([]);
  });
});

describe('the figures', () => {
  it('are of the endpoints that there are', async () => {
    const text = await readFile(new URL('./scheme-figures.json', import.meta.url), 'utf8');
    const { groups } = JSON.parse(text) as Figures;
    for (const name of Object.keys(schemeGroups) as SchemeGroup[]) {
      expect(groups[name]?.endpoints).toBe(everyTrial().filter(({ group }) => group === name).length);
    }
  });

  it('name nothing wrongly, and nearly everything', async () => {
    const text = await readFile(new URL('./scheme-figures.json', import.meta.url), 'utf8');
    const { schemes, groups } = JSON.parse(text) as Figures;
    expect(schemes).toBeGreaterThanOrEqual(leastSchemes);
    for (const figures of Object.values(groups)) expect(figures.wrong).toBe(0);
    expect(groups.composites?.right).toBeGreaterThanOrEqual(0.9 * (groups.composites?.endpoints ?? 0));
  });
});
