import { readdir, readFile } from 'node:fs/promises';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { limits, protocolRevision, smallKilobytes } from '../../specs/limits.ts';
import { resolveRef, schemas } from '../../specs/schemas.ts';
import type { JsonSchema, SchemaName } from '../../specs/schemas.ts';

function at(name: SchemaName, ...path: string[]): JsonSchema {
  let found: unknown = schemas[name];
  for (const step of path) found = (found as Record<string, unknown> | undefined)?.[step];
  expect(found, `${name} ${path.join('/')}`).toBeDefined();
  return found as JsonSchema;
}

describe('the numbers of the schemas', () => {
  it('of CRM parts are those of limits', () => {
    for (const name of ['contactData', 'contactDataAnswer', 'projectData', 'projectDataAnswer'] as const) {
      expect(at(name, 'properties', 'crmAiInfo').maxLength, name).toBe(limits.crmAiInfoCharacters);
    }
  });

  it('of what an own AI says are those of limits', () => {
    const field = (name: SchemaName, ...path: string[]): JsonSchema => {
      const { $ref = '' } = at(name, 'properties', ...path);
      return resolveRef($ref, schemas[name].$id).schema;
    };
    for (const name of ['chatAnswer', 'agentReplyRequest', 'actionFrame', 'textFrame'] as const) {
      expect(field(name, 'text').maxLength, name).toBe(limits.ownAiTextCharacters);
    }
    expect(field('textFrame', 'token').maxLength).toBe(limits.ownAiTextCharacters);
    for (const name of ['chatAnswer', 'agentReplyRequest', 'skillFrame'] as const) {
      expect(field(name, 'executeSkills').maxItems, name).toBe(limits.executeSkillsPerAnswer);
      expect(field(name, 'note').maxLength, name).toBeUndefined();
    }
    expect(at('agentReplyResponse', 'properties', 'skills').maxItems).toBe(limits.executeSkillsPerAnswer);
  });

  it('of events are those of limits', () => {
    expect(at('messageReceived', '$defs', 'History').maxItems).toBe(limits.historyTurns);
    for (const name of ['messageReceived', 'ping'] as const) {
      expect(at(name, 'properties', 'protocol').const, name).toBe(protocolRevision);
    }
    for (const kind of ['NewCall', 'ResumedCall']) {
      expect(at('sessionStarted', '$defs', kind, 'properties', 'protocol').const, kind).toBe(protocolRevision);
    }
  });

  it('of the config are those of limits', () => {
    const { minimum, maximum } = at('config', '$defs', 'TimeoutSeconds');
    expect([minimum, maximum]).toEqual([limits.ownAiTimeoutSecondsMin, limits.ownAiTimeoutSecondsMax]);
    expect(at('config', '$defs', 'TimeoutSeconds').description).toContain(`${limits.ownAiTimeoutSecondsDefault}`);
    expect(at('config', '$defs', 'Sentence').maxLength).toBe(limits.ownAiTextCharacters);
  });
});

/** Numbers of the interface, with the words near a literal that identify it; without words, the number is enough. */
const telling: { value: number; beside?: RegExp }[] = [
  { value: limits.ownAiAnswerBytes },
  { value: limits.ownAiTextCharacters, beside: /text|reply|character|length|codepoint|\.repeat/i },
  { value: limits.crmAiInfoCharacters, beside: /aiinfo|character|length|codepoint|\.repeat|setup|upgrade|phone/i },
  { value: limits.ownAiNoteCharacters, beside: /note/i },
  { value: limits.crmCallbackWithinMs, beside: /callback|toleranc|stale|skew/i },
  { value: limits.signatureToleranceSeconds, beside: /toleranc|stale|skew|signature/i },
  { value: limits.crmLookupAnswerMs, beside: /lookup|incomingcall|newconversation/i },
  { value: limits.historyTurns, beside: /history|turns/i },
  { value: limits.autoReplyPauseMinutes * 60_000, beside: /pause/i },
  { value: smallKilobytes },
  { value: limits.executeSkillsPerAnswer, beside: /executeskills|skillsper/i },
];

/** Lengths of shortened output are unrelated. */
const unrelated = /shown|excerpt|preview/i;

/** Literals in a TypeScript text that repeat a number of the interface: `line: text`. Comments and strings are prose. */
export function repeatedLimits(text: string, file = 'sample.ts'): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const found: string[] = [];
  const numberOf = (node: ts.Node): number | undefined => {
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (!ts.isBinaryExpression(node)) return undefined;
    const [left, right] = [numberOf(node.left), numberOf(node.right)];
    if (left === undefined || right === undefined) return undefined;
    if (node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return left * right;
    return node.operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken ? left ** right : undefined;
  };
  const visit = (node: ts.Node): void => {
    const value = numberOf(node);
    if (value === undefined) {
      // A list of values to try does not repeat a limit.
      if (ts.isArrayLiteralExpression(node) && node.elements.filter((one) => numberOf(one) !== undefined).length > 2)
        return;
      ts.forEachChild(node, visit);
      return;
    }
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line;
    const beside = (lines[line] ?? '').replace(/\/\/.*$/, '');
    if (telling.some((one) => one.value === value && (one.beside?.test(beside) ?? true)) && !unrelated.test(beside)) {
      found.push(`${file}:${line + 1}: ${beside.trim()}`);
    }
  };
  visit(source);
  return found;
}

describe('a number of the interface appears in limits.ts alone', () => {
  it('is detected when repeated', () => {
    for (const text of [
      'const most = 65_536;',
      'const most = 64 * 1024;',
      'const most = 2 ** 16;',
      "const long = 'x'.repeat(4001 - 1) + 'x'.repeat(4000);",
      'const crmAiInfoMax = 5_000;',
      'const toleranceSeconds = 5 * 60;',
      'const history = turns(30);',
      'const pausedUntil = now + 30 * 60_000;',
      'const closeBytes = 64_000;',
    ]) {
      expect(repeatedLimits(text), text).toHaveLength(1);
    }
  });

  it('is not confused with other numbers, prose and names', () => {
    for (const text of [
      'const timeoutMs = 5000;',
      "const statement = 'text of at most 4000 characters';",
      '// history of 30 turns',
      'const status = response.status === 500;',
      'const edges = [0, 65_535, 65_536];',
      'const idleMs = 30 * 60_000;',
      'const shownBodyCharacters = 4_000;',
    ]) {
      expect(repeatedLimits(text), text).toEqual([]);
    }
  });

  it('is not repeated in the code', async () => {
    const root = new URL('../../', import.meta.url);
    const found: string[] = [];
    let files = 0;
    for (const directory of [
      'specs',
      'generators',
      'harness',
      'suites',
      'service',
      'diagnosis',
      'contracts',
      'simulate',
      'load',
      'fleet',
      'run',
      'bin',
      'entry',
    ]) {
      for (const file of await readdir(new URL(directory, root), { recursive: true }).catch(() => [])) {
        if (!file.endsWith('.ts') || (directory === 'specs' && /^(limits|types)\.ts$/.test(file))) continue;
        files += 1;
        found.push(
          ...repeatedLimits(await readFile(new URL(`${directory}/${file}`, root), 'utf8'), `${directory}/${file}`),
        );
      }
    }
    expect(files).toBeGreaterThan(0);
    expect(found, 'expected limits.… of specs/limits.ts, received literals').toEqual([]);
  });
});
