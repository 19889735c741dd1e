import { describe, expect, test } from 'vitest';
import { renderAnnotations } from '../../reports/write/annotations/render-annotations.ts';
import { requirements, type Requirement } from '../../specs/requirements/catalogue.ts';
import { diagnosedReport, type DiagnosedRow } from './sample-causes.ts';
import { everyEnd, gatedReport } from './sample-formats.ts';
import { reportOf } from './sample-gates.ts';
import { cascadeReport, cleanReport, hostileReport, manyFailuresReport } from './sample-report.ts';

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** Reads a line as the runner of GitHub Actions does (its ActionCommand); `undefined` for one that is not a command. */
function readCommand(line: string): Command | undefined {
  const [, head = '', data] = /^\s*::(.*?)::(.*)$/.exec(line) ?? [];
  if (data === undefined) return undefined;
  const [name = '', ...rest] = head.split(' ');
  const unescaped = (text: string) =>
    text
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%');
  const pairs = rest
    .join(' ')
    .split(',')
    .map((pair) => pair.split(/=(.*)/s, 2));
  const properties = Object.fromEntries(pairs.map(([key = '', value = '']) => [key, unescaped(value)]));
  return { name, properties, data: unescaped(data) };
}

function commandsOf(text: string): (Command | undefined)[] {
  return text === '' ? [] : text.trimEnd().split('\n').map(readCommand);
}

test.each([
  ['many-failures', manyFailuresReport],
  ['hostile', hostileReport],
  ['gated', gatedReport],
])('%s reads as its golden file', async (name, report) => {
  await expect(renderAnnotations(report)).toMatchFileSnapshot(`golden/${name}.annotations.txt`);
});

test.each(everyEnd)('%s: every line is one annotation with a title and nothing else', (_, report) => {
  for (const command of commandsOf(renderAnnotations(report))) {
    expect(['error', 'warning', 'notice']).toContain(command?.name);
    expect(Object.keys(command?.properties ?? {})).toEqual(['title']);
    expect(command?.data).not.toBe('');
  }
});

test('a run without failures has no annotations', () => {
  expect(renderAnnotations(cleanReport)).toBe('');
});

test('percent signs, line ends, colons and commas are read back', () => {
  const message = 'received 100%25\n::error::, and: more';
  const [first] = commandsOf(renderAnnotations(reportOf({ 'a,b:%0A': { verdict: 'fail', message }, b: 'pass' })));
  expect(first?.properties).toEqual({ title: `own-ai-chat: ${message}` });
  expect(first?.data).toContain('Requirement: own-ai-chat/a,b:%0A: ');
});

describe('more than GitHub shows', () => {
  const rows = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`a-${index}`, 'fail' as const]));
  const commands = commandsOf(renderAnnotations(reportOf({ ...rows, c: { level: 'should', verdict: 'fail' } })));

  test('ten of a kind, of which the last gives the number of the others', () => {
    expect(commands.filter((command) => command?.name === 'error').length).toBe(10);
    expect(commands[9]?.properties).toEqual({ title: '16 more' });
    expect(commands[9]?.data).toContain('own-ai-chat: fail of own-ai-chat/a-24');
  });

  test('other kinds have ten more', () => {
    expect(commands.at(-1)).toMatchObject({
      name: 'warning',
      properties: { title: 'own-ai-chat: fail of own-ai-chat/c' },
    });
  });
});

test('an excused failure of which a part was blocked is one error, and so is one whose waiver is over', () => {
  const about = (name: string) => {
    const [, report] = everyEnd.find(([title]) => title === name) ?? [];
    return commandsOf(report ? renderAnnotations(report) : '').map((command) => [
      command?.name,
      command?.properties['title'],
    ]);
  };
  expect(about('a known failure of which a part was blocked')).toEqual([
    ['error', 'Part of own-ai-chat/a could not be judged'],
  ]);
  expect(about('a known failure of which a part was blocked, and whose waiver is over')).toEqual([
    ['error', 'own-ai-chat: fail of own-ai-chat/a'],
  ]);
});

test('a cause is one annotation that lists what it explains', () => {
  const [first, ...others] = commandsOf(renderAnnotations(cascadeReport));
  expect(first?.data).toContain('also fails 3 requirements (same answer, so probably the same cause): a');
  expect(others.filter((command) => command?.data.includes('accepts-null-members'))).toEqual([]);
});

test('the command to repeat a failure precedes a bounded list of what the cause explains', () => {
  const names = Object.entries<Requirement>(requirements)
    .filter(([id, { level, unobservable }]) => id.startsWith('own-ai-chat/') && level === 'must' && !unobservable)
    .map(([id]) => id.replace('own-ai-chat/', ''));
  const rows = names.map((name): DiagnosedRow => [name, { reproduce: 'rerun it' }, 500]);
  const [first] = commandsOf(renderAnnotations(diagnosedReport(rows)));
  const lines = first?.data.split('\n') ?? [];
  expect(lines.at(-2)).toBe('Rerun: rerun it');
  expect(lines.at(-1)?.split(', ')).toHaveLength(16);
  expect(lines.at(-1)).toContain(` and ${names.length - 1 - 15} more in report.html`);
});

test('a long message is cut', () => {
  const report = reportOf({ a: { verdict: 'fail', message: 'x'.repeat(100_000) }, b: 'pass' });
  expect(renderAnnotations(report).length).toBeLessThan(2500);
});
