import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { suiteGroup } from '../../harness/checks/run-order.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A call that makes its exchange without other traffic, in any check. */
const aloneItself = 'plainAnswer(kit)';

interface CheckCall {
  place: string;
  text: string;
  /** Its last argument, such as `{ alone: true }`. */
  options: string;
}

/** The calls of `check` in a suite. */
function checkCalls(path: string): CheckCall[] {
  const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
  const calls: CheckCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'check') {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      calls.push({ place: `${path}:${line}`, text: node.getText(), options: node.arguments[3]?.getText() ?? '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return calls;
}

/** Options of checks that fail only without other traffic. */
const failsAlone = /alone: (?:true|'surface-first')/;

// Work on other deliveries delays an answer, so an endpoint that handles one at a time would fail unjustly.
it('checks that judge the time of an answer fail only without other traffic', () => {
  const calls = globSync('suites/**/*.suite.ts', { cwd: root }).flatMap(checkCalls);
  const timed = calls.filter(({ text }) => /\.toBe(?:Connected)?InTime\(/.test(text) && !text.includes(aloneItself));
  expect(timed.length).toBeGreaterThan(3);
  expect(timed.filter(({ options }) => !failsAlone.test(options)).map(({ place }) => place)).toEqual([]);
});

/** What judges times for several checks: with no other traffic, or again with none where an answer is late. */
const judges = [
  'suites/crm-webhook/judge-lookup-time.ts',
  'suites/crm-webhook/lookup-connections.ts',
  'suites/judge-acceptance-at-once.ts',
  'suites/own-ai-chat/timed-messages.ts',
];

it('only a few functions judge the time of an answer for several checks', () => {
  const files = globSync('suites/**/*.ts', { cwd: root, exclude: ['**/*.suite.ts', 'suites/matchers/**'] });
  const judging = files.filter((path) => readFileSync(join(root, path), 'utf8').includes('toBeInTime('));
  expect(judging.toSorted()).toEqual(judges);
});

// The effect of another delivery would be counted as that of the judged one.
it('checks that run among those that look for effects have the endpoint to themselves', () => {
  const suites = globSync('suites/**/*.suite.ts', { cwd: root });
  const calls = suites.filter((path) => suiteGroup(`/${path}`) === 'effects').flatMap(checkCalls);
  expect(calls.length).toBeGreaterThan(8);
  expect(calls.filter(({ options }) => !options.includes('alone: true')).map(({ place }) => place)).toEqual([]);
});
