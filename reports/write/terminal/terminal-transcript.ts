import type { Paint } from './terminal-paint.ts';
import { boundedLines, columns, padded, shortened } from './terminal-text.ts';
import { excerpt, transcript } from '../../text/transcript.ts';
import type { Break, TranscriptLine } from '../../text/transcript.ts';
import { visibleOnOneLine } from '../../text/visible-controls.ts';
import { counted, outcomeLabels } from '../../text/wording.ts';
import type { CallRecord } from '../../../specs/generated/types.ts';

const shownLines = 14;
const rowsOfLine = 3;
const whoWidth = 'service'.length;

/** How a call went, in at most some 14 lines around the frame at which the rule broke, which has a mark and words. */
export function transcriptLines(
  call: CallRecord,
  breaks: readonly Break[],
  paint: Paint,
  { indent, width }: { readonly indent: string; readonly width: number },
): string[] {
  const { before, lines, after } = excerpt(transcript(call, breaks), shownLines);
  const timeWidth = Math.max(0, ...lines.map((line) => columns(timeOf(line))));
  const start = `${indent}  `;
  const gutter = columns(start) + timeWidth + whoWidth + 4;
  const rest = (count: number, words: string) =>
    count === 0 ? [] : [start + paint.dim(`… ${counted(count, 'line')} ${words} in the report`)];
  return [
    ...rest(before, 'before'),
    ...lines.flatMap((line) => {
      const { sign } = outcomeLabels.fail;
      const [first = '', ...more] = bounded(line.what, width - gutter);
      const time = paint.dim(timeOf(line).padStart(timeWidth));
      const head = `${time}  ${paint.bold(padded(line.who ?? '', whoWidth))}  ${line.who ? first : paint.dim(first)}`;
      const under = (text: string) => ' '.repeat(gutter) + text;
      return [
        line.broke ? `${indent}${paint.outcome('fail', sign)} ${head}` : start + head,
        ...more.map(under),
        ...(line.broke ?? []).flatMap((words) =>
          bounded(`${sign} broke here: ${words}`, width - gutter).map((text) => under(paint.outcome('fail', text))),
        ),
      ];
    }),
    ...rest(after, 'after'),
  ];
}

function timeOf({ atMs }: TranscriptLine): string {
  return `${Math.round(atMs)} ms`;
}

function bounded(text: string, room: number): string[] {
  return boundedLines(visibleOnOneLine(text), room, rowsOfLine).map((line) => shortened(line, room));
}
