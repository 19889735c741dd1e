import type { Paint } from '../reports/write/terminal/terminal-paint.ts';
import { padded, wrapped } from '../reports/write/terminal/terminal-text.ts';
import type { Outcome } from '../reports/model/verdict.ts';
import { visibleControls, visibleOnOneLine } from '../reports/text/visible-controls.ts';
import { counted } from '../reports/text/wording.ts';
import type { Replayed, ReplayOutcome } from '../run/replay/replay-result.ts';

const labels = {
  fixed: { sign: '✓', word: 'fixed', colour: 'pass' },
  same: { sign: '✓', word: 'unchanged', colour: 'pass' },
  'still-failing': { sign: '✗', word: 'still failing', colour: 'fail' },
  different: { sign: '≠', word: 'different', colour: 'fail' },
  'not-tried': { sign: '?', word: 'not replayed', colour: 'blocked' },
} as const satisfies Record<ReplayOutcome, { sign: string; word: string; colour: Outcome }>;

const indent = '    ';
const labelWidth = 6;

/** Renders the results for a terminal: each outcome, the recorded and the new result. Control characters are made visible. */
export function renderReplays(
  replayed: readonly Replayed[],
  { paint, width }: { paint: Paint; width: number },
): string {
  const row = (label: string, text: string) =>
    wrapped(visibleControls(text), Math.max(20, width - indent.length - labelWidth)).map(
      (line, at) => indent + paint.dim(padded(at === 0 ? label : '', labelWidth)) + line,
    );
  const blocks = replayed.map(({ id, outcome, was, now }) => {
    const { sign, word, colour } = labels[outcome];
    return [
      `${paint.outcome(colour, `${sign} ${word}`)}  ${paint.bold(visibleOnOneLine(id))}`,
      ...row('was', was),
      ...row('now', now),
      '',
    ].join('\n');
  });
  const counts = (Object.keys(labels) as ReplayOutcome[]).flatMap((outcome) => {
    const count = replayed.filter((one) => one.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${labels[outcome].word}`];
  });
  return [...blocks, `${counted(replayed.length, 'replay')}: ${counts.join(', ')}.`, ''].join('\n');
}
