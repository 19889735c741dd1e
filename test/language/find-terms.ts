/**
 * `node test/language/find-terms.ts [PATH …]`: lists every use of a replaced term under the paths (all by default), with
 * what to write instead, and the count of each. `--count` prints the counts alone, `--all` the allowed uses too.
 */
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { allowedTerms, type AllowedTerm } from './allowed-terms.ts';
import { proseOf, type Prose } from './prose.ts';
import { replacedNames, replacedTerms } from './terms.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The directories that are searched, in addition to the pages of the root. */
export const searched: readonly string[] = [
  ...['specs', 'generators', 'service', 'harness', 'suites', 'diagnosis', 'contracts', 'reports', 'run', 'simulate'],
  ...['load', 'fleet', 'artillery-engine', 'bin', 'entry', 'examples', 'scripts', 'test', 'bench', 'docs'],
];

/** The searched directory that contains a path, and `.` for the root. */
export function directoryOf(path: string): string {
  return path.includes('/') ? (path.split('/', 1)[0] ?? '') : '.';
}

/** Written files: code, pages, configurations. */
const written = [
  `{${searched.join(',')}}/**/*.{ts,js,mjs,md,json,yaml,yml}`,
  'diagnosis/snippets/**/*.{cs,go,java,php,py}',
  '*.{md,yml}',
];
/** Generated files, and the lists of words themselves. */
const isExcluded = (path: string): boolean =>
  /^(?:docs\/reference|specs\/generated|test\/language|specs\/plain-words|specs\/diagnosis-words|test\/proving\/.*json)/.test(
    path,
  ) || path.includes('node_modules');

/** One use of a replaced term, in prose or in an exported name. */
export interface FoundTerm {
  readonly path: string;
  readonly line: number;
  readonly found: string;
  readonly instead: string;
  /** The entry that allows it. */
  readonly allowed: AllowedTerm | undefined;
}

/** Every use of a replaced term under the given paths (relative to the root), in the order of the paths. */
export async function findTerms(paths: readonly string[] = []): Promise<FoundTerm[]> {
  const files: string[] = [];
  for await (const path of glob(written, { cwd: root })) {
    if (!isExcluded(path) && (paths.length === 0 || paths.some((one) => path.startsWith(one)))) files.push(path);
  }
  const found: FoundTerm[] = [];
  for (const path of files.toSorted()) {
    found.push(...termsIn(path, await readFile(`${root}${path}`, 'utf8')));
  }
  return found;
}

/** The uses of replaced terms in one file, by line. */
export function termsIn(path: string, content: string): FoundTerm[] {
  const found = proseOf(path, content).flatMap((prose) => termsOfProse(path, prose));
  if (path.endsWith('.ts')) found.push(...termsOfNames(path, content));
  return found.toSorted((a, b) => a.line - b.line);
}

function termsOfProse(path: string, { text, words, lineAt }: Prose): FoundTerm[] {
  const allowed = allowedTerms.filter((entry) => path.startsWith(entry.path) && text.includes(entry.text));
  return replacedTerms.flatMap(({ pattern, instead }) =>
    [...words.matchAll(pattern)].map(({ 0: found, index }) => ({
      path,
      line: lineAt(index),
      found: found.trim(),
      instead,
      allowed: allowed.find((entry) => covers(text, entry.text, index, index + found.trimEnd().length)),
    })),
  );
}

/** Whether one of the places where the text has this part includes everything between the offsets. */
function covers(text: string, part: string, from: number, to: number): boolean {
  for (let at = text.indexOf(part); at >= 0 && at <= from; at = text.indexOf(part, at + 1)) {
    if (at + part.length >= to) return true;
  }
  return false;
}

const exportOf =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|let|enum) (\w+)|^export (?:type )?\{([^}]*)\}/gm;

function termsOfNames(path: string, content: string): FoundTerm[] {
  return [...content.matchAll(exportOf)].flatMap(({ 1: declared, 2: list = '', index }) => {
    const names = declared ? [declared] : list.split(',').map((one) => one.trim().split(/\s+/).at(-1) ?? '');
    return names.flatMap((name) =>
      replacedNames
        .filter(({ pattern }) => pattern.test(wordsOfName(name)))
        .map(({ instead }) => ({
          path,
          line: content.slice(0, index).split('\n').length,
          found: name,
          instead,
          allowed: allowedTerms.find((entry) => path.startsWith(entry.path) && entry.text === name),
        })),
    );
  });
}

/** `toldByFlag` is “told by flag”. */
function wordsOfName(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_/g, ' ').toLowerCase();
}

if (import.meta.main) {
  const options = process.argv.slice(2);
  const found = await findTerms(options.filter((one) => !one.startsWith('--')));
  const shown = options.includes('--all') ? found : found.filter(({ allowed }) => !allowed);
  if (!options.includes('--count')) {
    for (const { path, line, found: word, instead } of shown) console.log(`${path}:${line}: “${word}” → ${instead}`);
  }
  for (const by of [({ instead }: FoundTerm) => instead, ({ path }: FoundTerm) => directoryOf(path)]) {
    for (const [group, uses] of Map.groupBy(shown, by)) console.log(`${uses.length} × ${group}`);
  }
}
