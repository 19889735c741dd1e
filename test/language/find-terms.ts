/**
 * `node test/language/find-terms.ts [PATH …]`: lists every use of a replaced term under the paths (all by default), with
 * what to write instead, and the count of each.
 */
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { replacedTerms, type ReplacedTerm } from './terms.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files of prose and code of ours; generated ones are made from them. */
const written =
  '{specs,generators,service,harness,suites,diagnosis,contracts,reports,run,simulate,bin,entry,examples,scripts,test,bench,docs}/**/*.{ts,js,md,json,yaml,yml}';
/** What others wrote, what is generated, and the lists of words themselves. */
const isExcluded = (path: string): boolean =>
  /^(?:docs\/reference|specs\/generated|test\/language|specs\/plain-words|specs\/diagnosis-words|test\/proving\/.*json)/.test(
    path,
  ) || path.includes('node_modules');

/** One use of a replaced term. */
export interface FoundTerm {
  readonly path: string;
  readonly line: number;
  readonly found: string;
  readonly term: ReplacedTerm;
}

/** Every use of a replaced term in messages, comments and docs under the given paths (relative to the root). */
export async function findTerms(paths: readonly string[] = []): Promise<FoundTerm[]> {
  const found: FoundTerm[] = [];
  for await (const path of glob([written, '*.md'], { cwd: root })) {
    if (isExcluded(path) || (paths.length > 0 && !paths.some((one) => path.startsWith(one)))) continue;
    const text = await readFile(`${root}${path}`, 'utf8');
    const prose = /\.(?:ts|js)$/.test(path) ? proseOf(path, text) : path.endsWith('.json') ? stringsOf(text) : text;
    for (const term of replacedTerms) {
      for (const { 0: word, index } of prose.matchAll(term.pattern)) {
        found.push({ path, line: prose.slice(0, index).split('\n').length, found: word, term });
      }
    }
  }
  return found;
}

/** The source with everything but comments and strings blanked, at the same lines. Strings without a space are names. */
function proseOf(path: string, text: string): string {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const kept: [from: number, to: number][] = [];
  const addComments = (at: number) => {
    for (const { pos, end } of [
      ...(ts.getLeadingCommentRanges(text, at) ?? []),
      ...(ts.getTrailingCommentRanges(text, at) ?? []),
    ]) {
      kept.push([pos, end]);
    }
  };
  const visit = (node: ts.Node): void => {
    addComments(node.getFullStart());
    addComments(node.getEnd());
    const isString = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isString && node.text.trim().includes(' ')) kept.push([node.getStart(source), node.getEnd()]);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  const blank = [...text].length === text.length ? [...text].map(toBlank) : text.split('').map(toBlank);
  for (const [from, to] of kept) {
    for (let at = from; at < to; at++) blank[at] = text[at] ?? ' ';
  }
  // Names in backticks, ids and paths are not prose.
  return blank
    .join('')
    .replaceAll(/`[^`\n]*`(?=[\s.,;:)])|\b[\w-]+\/[\w./-]+|\b\w+(?:-\w+)+\b/g, (name) =>
      /^(?:made-up)$/i.test(name) || /\s/.test(name) ? name : ' '.repeat(name.length),
    );
}

/** The strings with a space of a JSON text; the rest is blanked. */
function stringsOf(text: string): string {
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"|[^"\n]/g, (part) =>
    part.includes(' ') && part.length > 1 ? part : ' '.repeat(part.length),
  );
}

function toBlank(character: string): string {
  return character === '\n' ? '\n' : ' ';
}

if (import.meta.main) {
  const found = await findTerms(process.argv.slice(2).filter((one) => !one.startsWith('--')));
  if (!process.argv.includes('--count')) {
    for (const { path, line, found: word, term } of found) console.log(`${path}:${line}: “${word}” → ${term.instead}`);
  }
  for (const [instead, uses] of Map.groupBy(found, ({ term }) => term.instead))
    console.log(`${uses.length} × ${instead}`);
}
