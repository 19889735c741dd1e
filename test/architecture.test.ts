import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The project directories that each directory may import from, in addition to itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  specs: [],
  generators: ['specs'],
  service: ['specs'],
  harness: ['specs', 'service'],
  suites: ['harness', 'generators', 'specs'],
  reports: ['specs'],
  contracts: ['specs', 'generators', 'service', 'harness'],
  diagnosis: ['specs', 'generators', 'service', 'harness'],
  run: ['specs', 'generators', 'service', 'harness', 'contracts', 'diagnosis', 'reports'],
  simulate: ['specs', 'service', 'harness', 'reports', 'run'],
  load: ['specs', 'service', 'harness', 'suites', 'reports', 'run'],
  fleet: ['specs', 'harness', 'reports', 'run'],
  entry: ['specs', 'generators', 'service', 'harness', 'suites', 'contracts', 'reports', 'run', 'load'],
  bin: [
    'specs',
    'generators',
    'service',
    'harness',
    'contracts',
    'diagnosis',
    'reports',
    'run',
    'simulate',
    'load',
    'fleet',
    'examples',
  ],
  examples: [],
};

/** Maximum number of lines: a longer file has a second subject. */
const longest = 350;

interface Source {
  path: string;
  text: string;
  /** Imported paths of the project. */
  imports: string[];
  /** The imports that exist at run time: type imports do not. */
  loads: string[];
}

function importsOf(path: string, text: string): Pick<Source, 'imports' | 'loads'> {
  const statements = [
    ...text.matchAll(/^(?:import|export)\s([^;]*?)\sfrom\s'([^']+)'/gm),
    ...text.matchAll(/()\bimport\('([^']+)'/g),
    ...text.matchAll(/^import\s()'([^']+)'/gm),
  ].map(([, clause = '', target = '']) => ({ clause, target }));
  const ours = statements.filter(({ target }) => target.startsWith('.'));
  const resolved = ({ target }: { target: string }) => normalize(join(dirname(path), target));
  return {
    imports: ours.map(resolved),
    loads: ours.filter(({ clause }) => !clause.startsWith('type ')).map(resolved),
  };
}

const sources: Source[] = [];
for await (const path of glob(`{${Object.keys(mayImport).join(',')}}/**/*.{ts,js}`, { cwd: root })) {
  // Code that is only shown: no file of the project loads it.
  if (path.startsWith('diagnosis/snippets/')) continue;
  const text = await readFile(join(root, path), 'utf8');
  sources.push({ path, text, ...importsOf(path, text) });
}

const directoryOf = (path: string) => path.split('/', 1)[0] ?? '';

describe('imports', () => {
  it('are found', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.filter(({ imports }) => imports.length > 0).length).toBeGreaterThan(80);
    for (const directory of Object.keys(mayImport))
      expect(sources.map(({ path }) => directoryOf(path))).toContain(directory);
  });

  it('run one way', () => {
    const wrong = sources.flatMap(({ path, imports }) => {
      const from = directoryOf(path);
      const allowed = [from, ...(mayImport[from] ?? [])];
      // The only file that every version of Node can read loads the build.
      const built = (target: string) => path === 'bin/svc-conform.js' && target.startsWith('dist/bin/');
      return imports
        .filter((target) => !allowed.includes(directoryOf(target)) && !built(target))
        .map((target) => `${path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('come only from directories that are also copied into the image', async () => {
    const kept = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n');
    for (const directory of Object.keys(mayImport)) expect(kept).toContain(`!${directory}`);
  });

  it('allow few files to read a config, and none of them finds it through a report or another file', () => {
    const readers = sources
      .filter(({ loads }) => loads.includes('harness/config/config-file.ts'))
      .map(({ path }) => path);
    expect(readers.toSorted()).toEqual([
      'entry/conformance-settings.ts',
      'run/config/configured-brand.ts',
      'run/config/optional-target.ts',
      'run/config/read-target.ts',
      'run/config/read-targets.ts',
      'run/config/trusted-target.ts',
    ]);
  });

  it('have no cycle, not even of types', () => {
    const graph = new Map(sources.map(({ path, imports }) => [path, imports]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
        return;
      }
      if (done.has(path)) return;
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it('of packages are dependencies that users install, and the command line loads neither Vitest nor fast-check', async () => {
    const { dependencies, peerDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
      peerDependencies: Record<string, string>;
    };
    const packages = sources.flatMap(({ path, text }) =>
      [
        ...text.matchAll(/^(?:import|export)\s[^;]*?\sfrom\s'([^'.][^']*)'/gm),
        ...text.matchAll(/\b(?:import|require)\('([^'.][^']*)'/g),
      ]
        .map(([, name = '']) => ({ path, name: name.split('/', name.startsWith('@') ? 2 : 1).join('/') }))
        // Examples import this package as an integrator does.
        .filter(
          ({ path, name }) =>
            !name.startsWith('node:') && !(directoryOf(path) === 'examples' && name === 'svc-conform'),
        ),
    );
    const optional = Object.keys(peerDependencies);
    expect(new Set(packages.map(({ name }) => name))).toEqual(new Set([...Object.keys(dependencies), ...optional]));
    // Type imports of an optional package do not exist at run time; one file imports the package itself, when needed.
    const loading = sources.flatMap(({ path, text }) =>
      optional
        .filter((name) => new RegExp(`(?:^import (?!type )[^;]*?from |\\bimport\\()'${name}'`, 'm').test(text))
        .map(() => path),
    );
    expect(loading).toEqual(optional.map(() => 'specs/optional-packages.ts'));
    const inBin = packages.filter(({ path }) => directoryOf(path) === 'bin').map(({ name }) => name);
    expect(new Set(inBin)).toEqual(new Set(['commander', '@clack/prompts']));
    const packagesOf = (...directories: string[]) =>
      packages.filter(({ path }) => directories.includes(directoryOf(path))).map(({ name }) => name);
    expect(packagesOf('run', 'simulate', 'load', 'fleet')).toEqual([]);
    const graph = new Map(sources.map(({ path, loads }) => [path, loads]));
    const loaded = new Set(sources.map(({ path }) => path).filter((path) => directoryOf(path) === 'load'));
    for (const path of loaded) for (const next of graph.get(path) ?? []) loaded.add(next);
    const ofLoad = packages.filter(({ path }) => loaded.has(path)).map(({ name }) => name);
    expect(ofLoad).toContain('undici');
    expect(ofLoad).not.toContain('vitest');
    const inExamples = packages.filter(({ path }) => directoryOf(path) === 'examples').map(({ name }) => name);
    expect(new Set(inExamples)).toEqual(new Set(['ws']));
  });
});

describe('files', () => {
  it(`have at most ${longest} lines`, () => {
    const generated = ['specs/generated/types.ts'];
    const long = sources.filter(({ path, text }) => !generated.includes(path) && text.split('\n').length > longest);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('have names in kebab-case, and none is called utils or helpers', () => {
    const names = sources.map(({ path }) => path.split('/').at(-1) ?? '');
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.suite|\.test)?\.(ts|js)$/.test(name))).toEqual([]);
    expect(names.filter((name) => /^(utils?|helpers?|common|misc|index)\./.test(name))).toEqual([]);
  });

  it('do not only re-export other modules', () => {
    const passesOn = (text: string) =>
      text
        .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
        .replaceAll(/^export\s[^;]*?\sfrom\s'[^']+';/gm, '')
        .trim() === '';
    expect(sources.filter(({ text }) => passesOn(text)).map(({ path }) => path)).toEqual([]);
  });

  it('declare each exported type name once, so that it has one meaning', () => {
    // Examples are code of an integrator, which has its own names.
    const ours = sources.filter(({ path }) => directoryOf(path) !== 'examples');
    const declarations = ours.flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|class|type) (\w+)/gm)].map(
        ([, name = '']) => ({ name, path }),
      ),
    );
    expect(declarations.length).toBeGreaterThan(500);
    const repeated = [...Map.groupBy(declarations, ({ name }) => name)]
      .filter(([, places]) => places.length > 1)
      .map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(', ')}`);
    expect(repeated).toEqual([]);
  });

  it('have no default export', () => {
    expect(sources.filter(({ text }) => /^export default /m.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
