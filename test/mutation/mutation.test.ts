import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isMeant, readEquivalents } from './equivalent-faults.ts';
import { describeAsJson, describeAsTable, figuresOf } from './figures.ts';
import { findFaults, judgingFiles, sampleOf } from './find-faults.ts';
import { importersOf, loads, readImportGraph } from './import-graph.ts';
import { judgeFaults } from './judge-faults.ts';
import { plantableFaults, withFault } from './operators.ts';
import { endpointsToRun } from './proof-endpoints-of.ts';
import { unitTests } from './unit-tests.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The source with each of its faults, by the kind of the fault. */
function planted(text: string): [string, string][] {
  return plantableFaults('a.ts', text).map((fault) => [fault.operator, withFault(text, fault)]);
}

describe('the faults of a source', () => {
  it.each([
    ['const a = b === c;', 'const a = b !== c;'],
    ['const a = b !== c;', 'const a = b === c;'],
    ['const a = b < c;', 'const a = b <= c;'],
    ['const a = b <= c;', 'const a = b < c;'],
    ['const a = b > c;', 'const a = b >= c;'],
    ['const a = b >= c;', 'const a = b > c;'],
  ])('invert the comparison in %s', (text, expected) => {
    expect(planted(text)).toEqual([['inverted-comparison', expected]]);
  });

  it('swap && and || without changing the precedence', () => {
    expect(planted('const a = b && c || d;')).toEqual([
      ['swapped-logic', 'const a = (b || c) || d;'],
      ['swapped-logic', 'const a = (b && c && d);'],
    ]);
  });

  it('negate the condition of an if, unless that is the same as inverting it', () => {
    expect(planted('if (a) b();')).toEqual([['negated-condition', 'if (!(a)) b();']]);
    expect(planted('if (a === c) b();')).toEqual([['inverted-comparison', 'if (a !== c) b();']]);
  });

  it('move limits by one: numbers that are compared, constants of the module, and those of the interface', () => {
    expect(planted('const limit = 5;')).toEqual([['limit-off-by-one', 'const limit = (5 + 1);']]);
    expect(planted('const limits = { most: 5 } as const;')).toEqual([
      ['limit-off-by-one', 'const limits = { most: (5 + 1) } as const;'],
    ]);
    expect(planted('f(() => a <= limits.most);')).toContainEqual([
      'limit-off-by-one',
      'f(() => a <= (limits.most + 1));',
    ]);
    expect(planted('f(list[0], list.at(1));')).toEqual([]);
  });

  it('remove statements that judge', () => {
    expect(planted('await f(async () => { expect(await g()).toBeAccepted(); });')).toEqual([
      ['removed-judgement', 'await f(async () => { undefined; });'],
    ]);
    expect(planted('conclude(exchange, finding);')).toEqual([['removed-judgement', 'undefined;']]);
    expect(planted('await judgeLinks(kit, rule);')).toEqual([['removed-judgement', 'undefined;']]);
    expect(planted('send(event);')).toEqual([]);
  });

  it('replace a finding by what is returned without one', () => {
    expect(planted('function f(): Finding | undefined { return { expected, received }; }')).toEqual([
      ['removed-finding', 'function f(): Finding | undefined { return undefined; }'],
    ]);
    expect(planted('const f = () => (isRight || { expected, received });')).toEqual([
      ['swapped-logic', 'const f = () => ((isRight && { expected, received }));'],
      ['removed-finding', 'const f = () => (isRight || true);'],
    ]);
  });

  it('invert booleans, but not in types', () => {
    expect(planted('const a: { alone: true } = { alone: true };')).toEqual([
      ['inverted-boolean', 'const a: { alone: true } = { alone: false };'],
    ]);
  });

  it('have their place and the names near them, nearest first', () => {
    const text = "describe('all', () => {\n  check('a/b', () => c === 'd');\n});";
    expect(plantableFaults('suites/a.ts', text)).toMatchObject([
      { path: 'suites/a.ts', line: 2, column: 24, before: '===', source: "check('a/b', () => c === 'd');" },
    ]);
    expect(plantableFaults('suites/a.ts', text)[0]?.nearby).toEqual(['d', 'a/b', 'all']);
  });
});

describe('the faults of our checks', () => {
  const faults = findFaults(root, judgingFiles);

  it('are of every kind, and each changes its file', () => {
    expect(new Set(faults.map(({ operator }) => operator)).size).toBe(7);
    expect(faults.length).toBeGreaterThan(1_000);
    for (const { before, after } of faults) expect(after).not.toBe(before);
  });

  it('give the same sample for the same seed, and another for another', () => {
    const sample = sampleOf(faults, 20, 1);
    expect(sample).toHaveLength(20);
    expect(sampleOf(faults.toReversed(), 20, 1).toReversed()).toEqual(sample);
    expect(sampleOf(faults, 20, 2)).not.toEqual(sample);
  });

  it('include each one that is listed as equivalent', () => {
    const stale = readEquivalents().filter((entry) => !faults.some((fault) => isMeant(entry, fault)));
    expect(stale).toEqual([]);
  });
});

describe('the unit that must detect a fault', () => {
  const graph = readImportGraph(root);

  it('is found through imports, types aside', () => {
    const importers = importersOf(graph, 'suites/matchers/answer-matchers.ts');
    expect(importers.get('suites/matchers/expect.ts')).toBe(1);
    expect(importers.get('suites/deep-links/names.suite.ts')).toBeUndefined();
    expect(loads(graph, 'test/proving.test.ts', 'test/proving/proof-worker.ts')).toBe(true);
  });

  it('are unit tests that load the file, but not those that run the proof', () => {
    const fault = { path: 'harness/wire/throttling.ts' } as Parameters<ReturnType<typeof unitTests>['unitsFor']>[0];
    const tests = unitTests(graph, 1_000).unitsFor(fault);
    expect(tests).toContain('test/harness/throttling.test.ts');
    expect(tests).not.toContain('test/proving.test.ts');
  });

  it('are endpoints that break the requirements of the suites, those that are named nearby first', () => {
    const suites = new Map([
      ['suites/deep-links/names.suite.ts', ['deep-links/names-a-project', 'deep-links/names-one-project'] as const],
      ['suites/crm-webhook/answers.suite.ts', ['crm-webhook/ids-are-strings'] as const],
    ]);
    const path = 'suites/deep-links/judge-links.ts';
    const endpoints = endpointsToRun({ path, nearby: ['deep-links/names-one-project'] }, graph, suites);
    expect(endpoints.slice(0, 2)).toEqual(['link-named-twice', 'link-same-name-twice']);
    expect(endpoints).toContain('link-named-by-the-field');
    expect(endpoints).not.toContain('contact-id-as-number');
  });
});

describe('a small project', () => {
  const source = `export const isLong = (text: string): boolean => text.length > 3;
export const isShort = (text: string): boolean => text.length < 2;
`;
  const test = `import { expect, it } from 'vitest';
import { isLong, isShort } from './lengths.ts';
it('knows a long string', () => expect([isLong('abc'), isLong('abcd')]).toEqual([false, true]));
it('knows a short string', () => expect([isShort('a'), isShort('abc')]).toEqual([true, false]));
`;

  it('has its faults killed, the survivors listed, and itself unchanged', async () => {
    const project = await mkdtemp(join(tmpdir(), 'svc-conform-fixture-'));
    try {
      await writeFile(join(project, 'package.json'), '{ "type": "module" }');
      await writeFile(join(project, 'lengths.ts'), source);
      await writeFile(join(project, 'unused.ts'), 'export const isUsed = false;\n');
      await writeFile(join(project, 'lengths.test.ts'), test);
      await writeFile(join(project, 'broken.test.ts'), "import './lengths.ts';\nthrow new Error('always');\n");
      const faults = findFaults(project, ['lengths.ts', 'unused.ts']);
      const judged = await judgeFaults(faults, {
        root: project,
        packages: join(root, 'node_modules'),
        noticers: [unitTests(readImportGraph(project), 6)],
        equivalents: [
          { path: 'lengths.ts', operator: 'limit-off-by-one', source: faults[3]?.source ?? '', why: 'the reason' },
        ],
        jobs: 2,
      });
      expect(judged.map(({ line, before, after, outcome }) => [line, `${before} to ${after}`, outcome])).toEqual([
        [1, '> to >=', 'killed'],
        [1, '3 to (3 + 1)', 'killed'],
        [2, '< to <=', 'survived'],
        [2, '2 to (2 + 1)', 'equivalent'],
        [1, 'false to true', 'not-run'],
      ]);
      expect(judged[0]).toMatchObject({ by: 'lengths.test.ts' });
      expect(figuresOf(judged)).toEqual({ planted: 5, killed: 2, survived: 1, notRun: 1, equivalent: 1 });
      expect(describeAsTable(judged)).toContain('lengths.ts:2:63 inverted-comparison: < -> <=');
      expect(JSON.parse(describeAsJson(judged))).toMatchObject({
        files: [
          { path: 'lengths.ts', killed: 2 },
          { path: 'unused.ts', notRun: 1 },
        ],
      });
      expect(findFaults(project, ['lengths.ts', 'unused.ts'])).toEqual(faults);
    } finally {
      await rm(project, { recursive: true, force: true });
    }
  });
});
