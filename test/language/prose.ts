import ts from 'typescript';

/** A comment, a string or a page, on one line. */
export interface Prose {
  /** Line breaks, indentation and the marks of comments are one space. */
  readonly text: string;
  /** The same, at the same offsets; of code, names in backticks, paths and ids are blanked. */
  readonly words: string;
  /** The line of the file, from 1, of an offset of `text`. */
  readonly lineAt: (offset: number) => number;
}

/** The prose of a file: comments and strings of code, strings of JSON, everything else as a whole. */
export function proseOf(path: string, content: string): Prose[] {
  if (/\.(?:ts|js|mjs)$/.test(path)) return proseOfCode(content);
  if (path.endsWith('.json')) {
    return [...content.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)]
      .filter(([, value = '']) => value.includes(' '))
      .map(({ 1: value = '', index }) => ({ ...toProse(value, lineIn(content, index)), words: value }));
  }
  const page = toProse(content, 1);
  return [{ ...page, words: page.text }];
}

/** Comments and the strings that contain a space; strings without one are names. */
function proseOfCode(content: string): Prose[] {
  const found: Prose[] = [];
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, content);
  /** The open braces within each template literal that is being read. */
  const templates: number[] = [];
  let previous = ts.SyntaxKind.Unknown;
  let lines = new LineComments();
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    kind = rescanned(scanner, kind, previous, templates);
    const raw = scanner.getTokenText();
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia) lines.add(raw, scanner.getTokenStart());
    else if (!isSpace(kind)) {
      found.push(...lines.end(content));
      lines = new LineComments();
    }
    if (kind === ts.SyntaxKind.MultiLineCommentTrivia) {
      found.push(toProse(raw.slice(2, -2), lineIn(content, scanner.getTokenStart())));
    } else if (isString(kind) && raw.trim().includes(' ')) {
      found.push(toProse(raw.replace(/^['"`}]|(?:['"`]|\$\{)$/g, ' '), lineIn(content, scanner.getTokenStart())));
    }
    if (!isSpace(kind) && !isComment(kind)) previous = kind;
  }
  return [...found, ...lines.end(content)];
}

/** Comments of one line each that follow one another: one text. */
class LineComments {
  readonly #lines: string[] = [];
  #at = 0;

  add(raw: string, at: number): void {
    if (this.#lines.length === 0) this.#at = at;
    this.#lines.push(raw);
  }

  end(content: string): Prose[] {
    return this.#lines.length === 0 ? [] : [toProse(this.#lines.join('\n'), lineIn(content, this.#at))];
  }
}

/** Reads on where a slash begins a regular expression, or a brace ends an expression of a template literal. */
function rescanned(scanner: ts.Scanner, kind: ts.SyntaxKind, previous: ts.SyntaxKind, templates: number[]) {
  if ((kind === ts.SyntaxKind.SlashToken || kind === ts.SyntaxKind.SlashEqualsToken) && !endsExpression(previous)) {
    return scanner.reScanSlashToken();
  }
  if (kind === ts.SyntaxKind.TemplateHead) templates.push(0);
  const last = templates.length - 1;
  if (last < 0) return kind;
  const open = templates[last] ?? 0;
  if (kind === ts.SyntaxKind.OpenBraceToken) templates[last] = open + 1;
  if (kind !== ts.SyntaxKind.CloseBraceToken) return kind;
  if (open > 0) {
    templates[last] = open - 1;
    return kind;
  }
  const next = scanner.reScanTemplateToken(false);
  if (next === ts.SyntaxKind.TemplateTail) templates.pop();
  return next;
}

function endsExpression(kind: ts.SyntaxKind): boolean {
  return (
    kind === ts.SyntaxKind.Identifier ||
    kind === ts.SyntaxKind.NumericLiteral ||
    kind === ts.SyntaxKind.CloseParenToken ||
    kind === ts.SyntaxKind.CloseBracketToken ||
    kind === ts.SyntaxKind.CloseBraceToken ||
    kind === ts.SyntaxKind.ThisKeyword ||
    isString(kind)
  );
}

function isString(kind: ts.SyntaxKind): boolean {
  return (
    kind === ts.SyntaxKind.StringLiteral ||
    (kind >= ts.SyntaxKind.FirstTemplateToken && kind <= ts.SyntaxKind.LastTemplateToken)
  );
}

function isComment(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.SingleLineCommentTrivia || kind === ts.SyntaxKind.MultiLineCommentTrivia;
}

function isSpace(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.WhitespaceTrivia || kind === ts.SyntaxKind.NewLineTrivia;
}

function toProse(raw: string, firstLine: number): Prose {
  const lines = raw.replaceAll(/\\[nrt]/g, '  ').split('\n');
  const starts: number[] = [];
  let text = '';
  for (const line of lines) {
    starts.push(text.length);
    text += `${line.replace(/^\s*(?:\*|\/\/|# )?\s*/, '').trimEnd()} `;
  }
  const lineAt = (offset: number) => firstLine + starts.findLastIndex((start) => start <= offset);
  return { text, words: withoutNames(text), lineAt };
}

/** Blanks names in backticks, paths and ids. */
function withoutNames(text: string): string {
  return text.replaceAll(/`[^`]{0,100}`(?=[\s.,;:)])|\b[\w-]+\/[\w./-]+|\b\w+(?:-\w+)+\b/g, (name) =>
    name.toLowerCase() === 'made-up' ? name : ' '.repeat(name.length),
  );
}

function lineIn(content: string, index: number): number {
  let line = 1;
  for (let at = content.indexOf('\n'); at >= 0 && at < index; at = content.indexOf('\n', at + 1)) line++;
  return line;
}
