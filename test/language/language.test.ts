import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { allowedTerms } from './allowed-terms.ts';
import { directoryOf, findTerms, searched, termsIn, type FoundTerm } from './find-terms.ts';

const uses = await findTerms();

const describeUses = (found: readonly FoundTerm[]) =>
  found.map(({ path, line, found: term, instead }) => `${path}:${line}: “${term}” → ${instead}`).join('\n');

describe('the language of messages, comments, pages and exported names', () => {
  it.each(['.', ...searched])('uses the terms of the field in %s', (directory) => {
    const found = uses.filter(({ path, allowed }) => !allowed && directoryOf(path) === directory);
    if (found.length > 0)
      expect.fail(
        `${directory}: ${found.length} uses of replaced terms. ` +
          `Rewrite them, or add an entry with a reason to test/language/allowed-terms.ts:\n${describeUses(found)}`,
      );
  });

  it('is checked in every directory', async () => {
    const entries = await readdir(new URL('../..', import.meta.url), { withFileTypes: true });
    const directories = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    // `npm run demo` writes its report to the first of them.
    const notWritten = ['conformance-report', 'dist', 'node_modules'];
    expect(directories.map(({ name }) => name).filter((name) => !notWritten.includes(name))).toEqual(
      searched.toSorted(),
    );
  });

  it('has no exception without a use', () => {
    const inUse = new Set(uses.map(({ allowed }) => allowed));
    expect(allowedTerms.filter((entry) => !inUse.has(entry))).toEqual([]);
  });
});

describe('the search', () => {
  const found = (content: string, path = 'run/sample.ts') =>
    termsIn(path, content).map(({ line, found: term }) => `${line} ${term}`);

  it('finds terms in comments and strings, also where lines break', () => {
    const code = [
      '/** A client is told',
      ' * what goes',
      ' * on. */',
      '// It goes',
      '// on.',
      'const a = `nobody ${b} ran` + /told by "nobody/.source;',
      'const c = `${b} was told`; // besides',
    ];
    expect(found(code.join('\n'))).toEqual(['1 told', '2 goes on', '4 goes on', '6 nobody', '7 told', '7 besides']);
  });

  it('ignores code, names in backticks, paths and ids', () => {
    expect(
      found("import { told } from './told.ts';\nconst s = 'see `told` in docs/told.md and is-told';\ntold();"),
    ).toEqual([]);
  });

  it('continues after template literals and regular expressions', () => {
    const code = 'f(`a ${g({ x: `${y} b` })} c`, 4 / 2, /[`\'"]/, x / y);\n// told\nconst s = "is told";';
    expect(found(code)).toEqual(['2 told', '3 told']);
  });

  it('reads strings of JSON, and pages as a whole', () => {
    expect(found('{\n  "told": "it is told"\n}', 'specs/a.json')).toEqual(['2 told']);
    expect(found('# Title\n\nIt is\ntold.', 'README.md')).toEqual(['4 told']);
  });

  it('finds words in exported names only', () => {
    const code = [
      'export function toldByFlag() {}',
      'export const isMended = 1;',
      'export interface GateStanding {}',
      'export { a as refusalWords } from "./x.ts";',
      'export const wordsOfName = 1;',
      'const told = 1;',
      'export const understanding = 1;',
    ];
    expect(found(code.join('\n'))).toEqual(['1 toldByFlag', '2 isMended', '3 GateStanding', '4 refusalWords']);
  });
});
