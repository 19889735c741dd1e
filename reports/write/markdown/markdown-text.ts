import { visibleControls, visibleOnOneLine } from '../../text/visible-controls.ts';

/** Characters of one code block; long texts are cut in the middle, since both ends tell more. */
const blockLength = 1500;

/** Characters of one sentence or piece of code within a line. */
const lineLength = 800;

/**
 * Text as a sentence of Markdown that GitHub renders as it is: no markup, no link, and nobody is notified. An empty
 * comment breaks up what GitHub looks for after Markdown is done, which no backslash does: mentions, issue numbers,
 * addresses and the names of pictograms.
 */
export function markdownProse(text: string): string {
  return visibleOnOneLine(cut(text.replaceAll('\n', ' ')))
    .trim()
    .replace(/[\\`*_[\]{}|~$]/g, '\\$&')
    .replace(/^[-+#=]|(?<=^\d+)[.)]/, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@|#(?=\d)|\/(?=\/)|\bwww(?=\.)|\bGH(?=-\d)|:(?!\d\d:)(?=[\w+\\-]+:)/gi, '$&<!-- -->');
}

/** Text as code within a line, of at most `most` characters; whatever stands in it shows as it is (CommonMark, 6.1). */
export function codeSpan(text: string, most = lineLength): string {
  const line = visibleOnOneLine(cut(text, most)).trim();
  if (line === '') return '';
  const fence = '`'.repeat(longestRun(line) + 1);
  const space = fence.length > 1 ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

/**
 * The same within a table, where a bar ends the cell even in code. After a backslash no escape helps, since readers
 * count the backslashes differently.
 */
export function codeCell(text: string): string {
  return codeSpan(text.replaceAll('\\|', '\\⟨U+007C⟩')).replaceAll('|', '\\|');
}

/** Text as a block of code, cut in the middle when it is long. */
export function codeBlock(text: string, language = 'text'): string {
  const shown = visibleControls(cutInTheMiddle(text.replace(/\n+$/, '')));
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

function cut(text: string, most = lineLength): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

function cutInTheMiddle(text: string): string {
  if (text.length <= blockLength) return text;
  const half = Math.floor(blockLength / 2);
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters omitted …\n${text.slice(-half)}`;
}
