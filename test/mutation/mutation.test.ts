import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isMeant, readEquivalents } from './equivalent-faults.ts';
import { describeAsTable, figuresOf } from './figures.ts';
import { findFaults, judgingFiles, sampleOf } from './find-faults.ts';
import { importersOf, loads, readImportGraph } from './import-graph.ts';
import { judgeFaults } from './judge-faults.ts';
import { plantableFaults, withFault } from './operators.ts';
import { endpointsToRun, labelUnit } from './endpoints-to-run.ts';
import { PlantedSources } from './planted-sources.ts';
import { withSwitches } from './switches.ts';
import { testsThatLoad, unitTests } from './unit-tests.ts';

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

describe('a source with all of its faults behind switches', () => {
  const text = 'return a && (b === 3 ? c < 5 || !d : true);';
  const faults = plantableFaults('a.ts', text);
  const run = (source: string) =>
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the source is the constant above
    new Function('isPlanted', 'a', 'b', 'c', 'd', source) as (...values: unknown[]) => boolean;
  const everyInput = [false, true].flatMap((a) =>
    [3, 4].flatMap((b) => [4, 5, 6].flatMap((c) => [false, true].map((d) => [a, b, c, d]))),
  );
  const results = (source: string, planted?: string) =>
    everyInput.map((values) => run(source)((key: string) => key === planted, ...values));

  it('works like the source when none of them is in effect', () => {
    expect(results(withSwitches(text, faults))).toEqual(results(text));
  });

  it.each(faults.map((fault, number) => [`${fault.operator} at ${fault.column}`, fault, number] as const))(
    'has only the fault in effect: %s',
    (_name, fault, number) => {
      const faulty = results(withFault(text, fault));
      expect(faulty).not.toEqual(results(text));
      expect(results(withSwitches(text, faults), `a.ts#${number}`)).toEqual(faulty);
    },
  );
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

  it('is a unit test that loads the file, but none that runs the proof', () => {
    const tests = testsThatLoad('harness/wire/throttling.ts', graph);
    expect(tests).toContain('test/harness/throttling.test.ts');
    expect(tests).not.toContain('test/proving.test.ts');
    expect(testsThatLoad('suites/matchers/call-matchers.ts', graph)[0]).toBe('test/suites/call-matchers.test.ts');
  });

  it('is an endpoint that reaches it: the correct one with the checks that do, then mutants of the rules named nearby', () => {
    const key = 'suites/deep-links/judge-links.ts#3';
    const reach = {
      digests: {},
      loaded: [],
      checks: ['deep-links/names-a-project#one', 'deep-links/names-one-project#two'],
      endpoints: {
        'link-named-by-the-field': { [key]: [0] },
        'contact-id-as-number': { 'suites/other.ts#1': [1] },
        'link-named-twice': { [key]: [1] },
        'links-the-right-ones': { [key]: [-1, 1] },
      },
    };
    const units = (operator: 'removed-judgement' | 'swapped-logic') =>
      endpointsToRun({ operator, nearby: ['deep-links/names-one-project'] }, key, reach).map(labelUnit);
    expect(units('swapped-logic')).toEqual([
      'links-the-right-ones (1 check)',
      'link-named-twice',
      'link-named-by-the-field',
      'links-the-right-ones',
    ]);
    expect(units('removed-judgement')[0]).toBe('link-named-twice');
  });

  it('is first the correct endpoint with a few of the checks that reach it, from all parts of the list', () => {
    const key = 'suites/deep-links/judge-links.ts#3';
    const checks = Array.from({ length: 40 }, (_, at) => `deep-links/names-a-project#${at}`);
    const endpoints = { 'links-the-right-ones': { [key]: checks.map((_, at) => at) } };
    const [first, second] = endpointsToRun({ operator: 'swapped-logic', nearby: [] }, key, {
      digests: {},
      loaded: [],
      checks,
      endpoints,
    });
    expect(first?.checks).toEqual([0, 5, 10, 15, 20, 25, 30, 35].map((at) => checks[at]));
    expect(second?.checks).toEqual(checks);
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
      await symlink(join(root, 'node_modules'), join(project, 'node_modules'));
      await using sources = await PlantedSources.write(project, ['lengths.ts', 'unused.ts']);
      await using tests = unitTests(sources, project, readImportGraph(project), 6);
      const judged = await judgeFaults(faults, {
        noticers: [tests],
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
      expect(figuresOf(judged)).toEqual({ judged: 5, killed: 2, survived: 1, notRun: 1, equivalent: 1 });
      const table = describeAsTable([...faults, { path: 'a/b.ts' }], judged);
      expect(table).toContain('| . | 5 | 5 | 2 | 1 | 1 | 1 |\n| a | 1 | 0 | 0 | 0 | 0 | 0 |\n| all | 6 | 5 |');
      expect(table).toContain('lengths.ts:2:63 inverted-comparison: < -> <=');
      expect(findFaults(project, ['lengths.ts', 'unused.ts'])).toEqual(faults);
    } finally {
      await rm(project, { recursive: true, force: true });
    }
  });
});
