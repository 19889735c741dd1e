import { expect, test } from 'vitest';
import { visibleControls, visibleOnOneLine } from '../../reports/text/visible-controls.ts';

test.each([
  ['\u0000', '⟨U+0000⟩'],
  ['\u001b[31m', '⟨U+001B⟩[31m'],
  ['\r', '⟨U+000D⟩'],
  ['\u009b', '⟨U+009B⟩'],
  ['\u202e', '⟨U+202E⟩'],
  ['\u2028', '⟨U+2028⟩'],
  ['\u{e0041}', '⟨U+E0041⟩'],
  ['\ufffe', '⟨U+FFFE⟩'],
  ['\ud800', '⟨U+D800⟩'],
])('%j becomes %s', (text, visible) => {
  expect(visibleControls(`a${text}b`)).toBe(`a${visible}b`);
});

test('text of any script stays unchanged', () => {
  const text = 'Grüße, שלום, e\u0301, 漢字, 😀, \t\n';
  expect(visibleControls(text)).toBe(text);
});

test('one line has neither newline nor tab', () => {
  expect(visibleOnOneLine('a\n\tb')).toBe('a⟨U+000A⟩⟨U+0009⟩b');
});
