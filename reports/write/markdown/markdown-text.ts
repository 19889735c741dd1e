import { visibleControls, visibleOnOneLine } from '../../text/visible-controls.ts';

/** Characters of one code block; longer ones are cut in the middle, since both ends are more informative. */
const blockLength = 1500;

/** Characters of one sentence or piece of code within a line. */
const lineLength = 800;

/**
 * A sentence of Markdown that GitHub renders literally: without markup, links or notifications. An empty comment breaks
 * up patterns that GitHub replaces after rendering Markdown, where a backslash has no effect: mentions, issue numbers,
 * addresses and emoji names.
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

/** An inline code span of at most `most` characters, which shows the text literally (CommonMark, 6.1). */
export function codeSpan(text: string, most = lineLength): string {
  const line = visibleOnOneLine(cut(text, most)).trim();
  if (line === '') return '';
  const fence = '`'.repeat(longestRun(line) + 1);
  const space = fence.length > 1 ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

/**
 * A code span in a table, where a bar ends the cell even in code. After a backslash no escape helps, since renderers count
 * the backslashes differently.
 */
export function codeCell(text: string): string {
  return codeSpan(text.replaceAll('\\|', '\\⟨U+007C⟩')).replaceAll('|', '\\|');
}

/** A code block; long text is cut in the middle. */
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
