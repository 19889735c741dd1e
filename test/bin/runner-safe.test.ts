import { describe, expect, test } from 'vitest';
import { runnerSafe } from '../../run/output/runner-safe.ts';
import { formatNames } from '../../reports/text/format-names.ts';
import { renderFormats } from '../../reports/write/formats.ts';
import { manyFailuresReport } from '../reports/sample-report.ts';

const onGithub = { GITHUB_ACTIONS: 'true' };

/** Text that the runner would execute: two colons after blanks, or `##[` anywhere (actions/runner, ActionCommand). */
function commandsIn(text: string): string[] {
  const shown = text.replaceAll(/\p{DI}/gu, '');
  return shown.split(/\r\n|\r|\n/).filter((line) => line.trimStart().startsWith('::') || line.includes('##['));
}

const hostile = [
  '::error::owned',
  ' \t::add-mask::a',
  '\u3000::set-output name=x::y',
  'before\n::stop-commands::x\r::error::y\r\n::debug::z',
  '\u034f::error::passed over',
  ':\ufe0f:error::passed over',
  'received ##[add-mask]a',
  '###[error]b ##[error]c',
  '#\u034f#[error]d',
];

describe.each(hostile)('%j', (text) => {
  test('is a command if printed unchanged', () => {
    expect(commandsIn(text)).not.toEqual([]);
  });

  test('is not one as plain text, and stays readable', () => {
    const shown = runnerSafe(text, 'plain', onGithub);
    expect(commandsIn(shown)).toEqual([]);
    expect(shown.replaceAll('⟨U+0023⟩', '#').replaceAll('⟨U+003A⟩', ':')).toBe(text);
  });

  test('is not one in JSON, which has the same meaning', () => {
    const shown = runnerSafe(JSON.stringify({ text }, undefined, 2), 'json', onGithub);
    expect(commandsIn(shown)).toEqual([]);
    expect(JSON.parse(shown)).toEqual({ text });
  });

  test('is not one in markup, which has the same meaning', () => {
    const shown = runnerSafe(`<pre>\n${text}</pre>`, 'markup', onGithub);
    expect(commandsIn(shown)).toEqual([]);
    expect(shown.replaceAll('&#35;', '#').replaceAll('&#58;', ':')).toBe(`<pre>\n${text}</pre>`);
  });

  test('stays unchanged elsewhere, and where it is meant to be executed', () => {
    expect(runnerSafe(text, 'plain', {})).toBe(text);
    expect(runnerSafe(text, 'commands', onGithub)).toBe(text);
  });
});

test('a report without such text is not touched, its own style and script neither', () => {
  for (const [file, text] of Object.entries(renderFormats(manyFailuresReport, formatNames))) {
    if (file === 'annotations.txt') continue;
    expect(runnerSafe(text, 'markup', onGithub), file).toBe(text);
  }
});

test('colons within a line, or one alone, are not command', () => {
  const text = 'a ::error::b\n: c\n# heading\n## [link]';
  expect(runnerSafe(text, 'plain', onGithub)).toBe(text);
});
