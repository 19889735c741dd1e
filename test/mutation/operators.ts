import ts from 'typescript';

/** The kinds of fault that are planted. */
export type Operator =
  | 'inverted-comparison'
  | 'swapped-logic'
  | 'negated-condition'
  | 'limit-off-by-one'
  | 'removed-judgement'
  | 'removed-finding'
  | 'inverted-boolean';

/** One fault that can be planted in a source file. */
export interface PlantableFault {
  /** Path of the file, relative to the root, with forward slashes. */
  path: string;
  operator: Operator;
  /** From 1. */
  line: number;
  column: number;
  /** Place of the replaced text in the file. */
  start: number;
  end: number;
  /** Place of the smallest expression that contains it. */
  expression: { start: number; end: number };
  /** The replaced text and its replacement. */
  before: string;
  after: string;
  /** The trimmed line of the source. */
  source: string;
  /** String literals around it, nearest first. */
  nearby: string[];
}

type Plant = (operator: Operator, node: ts.Node, after: string) => void;

const comparisons: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
};

const equalities: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
];

const logic: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
};

/** Names of functions that judge. */
const judging = /^(?:expect|conclude\w*|judge\w*|assert\w*|require[A-Z]\w*)$/;

/** Every fault that can be planted in this source, in the order of the source. */
export function plantableFaults(path: string, text: string): PlantableFault[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const faults: PlantableFault[] = [];
  const plant: Plant = (operator, node, after) => {
    const [start, end] = [node.getStart(file), node.getEnd()];
    const { line, character } = file.getLineAndCharacterOfPosition(start);
    const before = text.slice(start, end);
    const source = text.split('\n')[line]?.trim() ?? '';
    const whole =
      ts.isToken(node) && ts.isBinaryExpression(node.parent) && node.parent.operatorToken === node ? node.parent : node;
    faults.push({
      path,
      operator,
      line: line + 1,
      column: character + 1,
      start,
      end,
      expression: { start: whole.getStart(file), end: whole.getEnd() },
      before,
      after,
      source,
      nearby: stringsAround(node),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    plantAt(node, plant);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return faults.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The source with this fault. */
export function withFault(
  text: string,
  { start, end, after }: Pick<PlantableFault, 'start' | 'end' | 'after'>,
): string {
  return text.slice(0, start) + after + text.slice(end);
}

function plantAt(node: ts.Node, plant: Plant): void {
  if (ts.isBinaryExpression(node)) plantInBinary(node, plant);
  else if (ts.isIfStatement(node)) plantInCondition(node.expression, plant);
  else if (ts.isNumericLiteral(node)) plantInNumber(node, plant);
  else if (ts.isExpressionStatement(node)) plantInStatement(node, plant);
  else if (ts.isObjectLiteralExpression(node)) plantInFinding(node, plant);
  else if (node.kind === ts.SyntaxKind.TrueKeyword) plant('inverted-boolean', node, 'false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) plant('inverted-boolean', node, 'true');
}

function plantInBinary(node: ts.BinaryExpression, plant: Plant): void {
  const { operatorToken, left, right } = node;
  const inverted = comparisons[operatorToken.kind];
  if (inverted !== undefined) plant('inverted-comparison', operatorToken, inverted);
  const swapped = logic[operatorToken.kind];
  if (swapped !== undefined) {
    // The parentheses keep the precedence of `a && b || c`: `(a || b) || c`.
    plant('swapped-logic', node, `(${left.getText()} ${swapped} ${right.getText()})`);
  }
  if (inverted === undefined) return;
  for (const side of [left, right]) {
    if (ts.isPropertyAccessExpression(side) && side.expression.getText() === 'limits') {
      plant('limit-off-by-one', side, `(${side.getText()} + 1)`);
    }
  }
}

/** Negating a plain `===` is the same as inverting it. */
function plantInCondition(condition: ts.Expression, plant: Plant): void {
  if (ts.isBinaryExpression(condition) && equalities.includes(condition.operatorToken.kind)) return;
  plant('negated-condition', condition, `!(${condition.getText()})`);
}

/** Numbers in comparisons, and numbers that are the value of a constant of the module. */
function plantInNumber(node: ts.NumericLiteral, plant: Plant): void {
  const { parent } = node;
  const isCompared = ts.isBinaryExpression(parent) && comparisons[parent.operatorToken.kind] !== undefined;
  const isConstant = ts.isVariableDeclaration(parent) && ts.isSourceFile(parent.parent.parent.parent);
  const isEntry = ts.isPropertyAssignment(parent) && parent.initializer === node && isOfModuleConstant(parent);
  if (isCompared || isConstant || isEntry) plant('limit-off-by-one', node, `(${node.getText()} + 1)`);
}

function isOfModuleConstant({ parent }: ts.Node): boolean {
  if (ts.isFunctionLike(parent)) return false;
  return ts.isSourceFile(parent) || isOfModuleConstant(parent);
}

function plantInStatement({ expression }: ts.ExpressionStatement, plant: Plant): void {
  const call = ts.isAwaitExpression(expression) ? expression.expression : expression;
  if (ts.isCallExpression(call) && judging.test(calledName(call))) {
    plant('removed-judgement', expression, 'undefined');
  }
}

/** `expect` of `expect(answer).toBeAccepted()`, `judgeLinks` of `judgeLinks(kit, rule)`. */
function calledName({ expression }: ts.CallExpression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (!ts.isPropertyAccessExpression(expression)) return '';
  return ts.isCallExpression(expression.expression) ? calledName(expression.expression) : expression.name.text;
}

/** Replaces the value that a judgement returns for a fault with the one that it returns without a fault. */
function plantInFinding(node: ts.ObjectLiteralExpression, plant: Plant): void {
  const names = node.properties.map(({ name }) => name?.getText());
  if (!names.includes('expected') || !names.includes('received')) return;
  const { parent } = node;
  const isRight = ts.isBinaryExpression(parent) && parent.right === node;
  if (!isRight && !ts.isReturnStatement(parent) && !ts.isParenthesizedExpression(parent)) return;
  const isOptional = ts.findAncestor(node, ts.isFunctionLike)?.type?.getText().includes('undefined') === true;
  plant('removed-finding', node, isOptional ? 'undefined' : 'true');
}

/** The string literals of the smallest statement, entry or call around a node that has any, then of the next. */
function stringsAround(node: ts.Node): string[] {
  const strings = new Set<string>();
  const collect = (inner: ts.Node): void => {
    if (ts.isStringLiteral(inner)) strings.add(inner.text);
    ts.forEachChild(inner, collect);
  };
  for (let outer = node.parent; outer !== undefined && !ts.isSourceFile(outer); outer = outer.parent) collect(outer);
  return [...strings];
}
