import type { LoadFinding, LoadReport, LoadStep, LoadSurface } from '../../../specs/generated/types.ts';
import { describeLoad, describeLoadVerdict, describeStep } from '../../text/describe-load.ts';
import { visibleOnOneLine } from '../../text/visible-controls.ts';
import { counted, formatDuration } from '../../text/wording.ts';
import type { Paint } from '../terminal/terminal-paint.ts';
import { shortened, wrapped } from '../terminal/terminal-text.ts';

/** Columns of the load of a step, and of each time. */
const loadWidth = 8;
const timeWidth = 9;

/** The result of a load for a terminal: the edge of each surface, and what failed under load. */
export function renderLoadTerminal(report: LoadReport, { paint, width }: { paint: Paint; width: number }): string {
  const lines = report.surfaces.flatMap((surface) => [
    paint.bold(surface.surface),
    ...wrapped(describeLoad(surface), width - 2).map((line) => `  ${line}`),
    ...feelLines(surface, width),
    ...surface.findings.flatMap((finding) => findingLines(finding, surface, paint, width)),
    '',
  ]);
  const group = {
    conformant: 'pass',
    'conformant-with-warnings': 'warn',
    'non-conformant': 'fail',
    incomplete: 'blocked',
  };
  const tone = group[report.verdict] as 'pass' | 'warn' | 'fail' | 'blocked';
  return `${[...lines, paint.bold(paint.outcome(tone, describeLoadVerdict(report)))].join('\n')}\n`;
}

/** How the calls of the highest met load feel, without a verdict. */
function feelLines({ steps, meets }: LoadSurface, width: number): string[] {
  const feel = steps.findLast(({ load }) => load === meets)?.feel;
  if (!feel) return [];
  const { deadAir, stop, interrupts, pieces } = feel;
  const parts = [
    ...(deadAir ? [`the longest silence within an answer is ${formatDuration(deadAir.p50)} (median)`] : []),
    ...(stop
      ? [
          `the AI stops ${formatDuration(stop.p50)} (median) after an interrupt, with ${counted(pieces, 'piece')} of talk-over in ${counted(interrupts, 'interrupt')}`,
        ]
      : []),
  ];
  if (parts.length === 0) return [];
  return wrapped(`At ${meets} of them, ${parts.join(', and ')}.`, width - 2).map((line) => `  ${line}`);
}

/** The headings of {@link loadStepLine}. */
export function loadStepHeading({ unit }: Pick<LoadSurface, 'unit'>): string {
  const load = unit === 'concurrent-calls' ? 'calls' : 'per s';
  return `  ${load.padStart(loadWidth)}${['p50', 'p99', 'slowest'].map((name) => name.padStart(timeWidth)).join('')}  result`;
}

/** One step on one line. */
export function loadStepLine(step: LoadStep, { paint, width }: { paint: Paint; width: number }): string {
  const { load, times, outcome } = step;
  const cells = times ? [times.p50, times.p99, times.max].map(formatDuration) : ['-', '-', '-'];
  const tone = outcome === 'met' ? 'pass' : outcome === 'missed' ? 'fail' : 'blocked';
  const start = `  ${String(load).padStart(loadWidth)}${cells.map((cell) => cell.padStart(timeWidth)).join('')}  `;
  return (
    start + paint.outcome(tone, shortened(visibleOnOneLine(describeStep(step)), Math.max(20, width - start.length)))
  );
}

function findingLines(finding: LoadFinding, { unit }: LoadSurface, paint: Paint, width: number): string[] {
  const { requirement, level, expected, received, hint, count, load } = finding;
  const tone = level === 'must' ? 'fail' : level === 'should' ? 'warn' : 'advice';
  const unitWord = unit === 'concurrent-calls' ? 'concurrent calls' : 'per second';
  const text = `expected ${expected}, received ${received} (${counted(count, 'time')}, first at ${load} ${unitWord})`;
  return [
    `  ${paint.outcome(tone, level === 'must' ? '✗' : '!')} ${requirement}`,
    ...wrapped(visibleOnOneLine(text), width - 4).map((line) => `    ${line}`),
    ...(hint === undefined ? [] : wrapped(visibleOnOneLine(`Hint: ${hint}`), width - 4).map((line) => `    ${line}`)),
  ];
}
