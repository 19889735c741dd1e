import type { LoadStep, LoadSurface, LoadTimes } from '../../../specs/generated/types.ts';
import { formatDuration } from '../../text/wording.ts';
import { drawPlot } from './draw-plot.ts';
import type { Markup } from '../html/markup.ts';

/** A step with times. */
type TimedStep = LoadStep & { times: LoadTimes };

const height = 300;
const margins = { marginTop: 16, marginLeft: 64, marginRight: 24, marginBottom: 44 };
/** Room above the slowest time, as a factor of the logarithmic axis. */
const above = 1.6;
/** Room on both sides of the loads, likewise. */
const beyond = 1.2;
/** Shorter times are drawn at this one, in milliseconds. */
const shortestMs = 0.5;

/** Pixels between the middles of two labels of loads, which have at most five digits. */
const labelPx = 44;

/** The loads with a label: those that are far enough from the one before. */
function labelledLoads(loads: readonly number[], width: number): number[] {
  const pixels =
    (width - margins.marginLeft - margins.marginRight) /
    Math.log(beyond ** 2 * ((loads.at(-1) ?? 1) / (loads[0] ?? 1)));
  return loads.reduce<number[]>(
    (labelled, load) =>
      labelled.length === 0 || Math.log(load / (labelled.at(-1) ?? load)) * pixels >= labelPx
        ? [...labelled, load]
        : labelled,
    [],
  );
}

/**
 * Load against the median and the 99th percentile, with the deadline, if there is one, as a line. Both axes are logarithmic; steps that
 * missed a deadline have a cross.
 *
 * @param width of the picture in pixels
 */
export function loadPlot(
  { steps, deadline, unit }: Pick<LoadSurface, 'steps' | 'deadline' | 'unit'>,
  width: number,
): Markup | undefined {
  const shown = steps.filter(
    (step): step is TimedStep => step.times !== null && (step.outcome === 'met' || step.outcome === 'missed'),
  );
  if (shown.length === 0) return undefined;
  const sorted = shown.toSorted((a, b) => a.load - b.load);
  const missed = sorted.filter(({ outcome }) => outcome === 'missed');
  const atLeast = (ms: number) => Math.max(ms, shortestMs);
  const times = sorted.flatMap(({ times: { p50, p99 } }) => [atLeast(p50), atLeast(p99)]);
  const [least, most] = [Math.min(...times), Math.max(...times, deadline?.ms ?? 0)];
  const loads = sorted.map(({ load }) => load);
  const what = unit === 'concurrent-calls' ? 'concurrent calls' : 'deliveries per second';
  return drawPlot({
    label: `Times at ${sorted.length} loads${deadline ? ' against the deadline' : ''}. The table has the numbers.`,
    options: ({ axisX, axisY, dot, gridY, line, ruleY, text }) => ({
      width,
      height,
      ...margins,
      x: { type: 'log', domain: [Math.min(...loads) / beyond, Math.max(...loads) * beyond] },
      y: { type: 'log', domain: [least / above, most * above] },
      marks: [
        gridY({ ticks: 4, className: 'track', ...paint.track }),
        axisX({
          ticks: labelledLoads(loads, width),
          // A format would omit some labels of a logarithmic axis.
          text: String,
          label: what,
          labelAnchor: 'center',
          labelArrow: 'none',
          className: 'axis',
        }),
        axisY({ ticks: 4, tickFormat: (ms: number) => formatDuration(ms), label: null, className: 'axis' }),
        ...(deadline
          ? [
              ruleY([deadline.ms], { className: 'limit', ...paint.limit }),
              text([deadline.ms], {
                x: () => Math.min(...loads) / beyond,
                y: (ms: number) => ms,
                text: (ms: number) => `deadline ${formatDuration(ms)}`,
                className: 'name',
                textAnchor: 'start',
                lineAnchor: 'bottom',
                dx: 4,
                dy: -4,
              }),
            ]
          : []),
        ...(['p50', 'p99'] as const).flatMap((part) => [
          line(sorted, {
            x: 'load',
            y: ({ times: { [part]: ms } }: TimedStep) => atLeast(ms),
            className: part === 'p50' ? 'median' : 'interrupt',
            ...paint[part],
          }),
          dot(sorted, {
            x: 'load',
            y: ({ times: { [part]: ms } }: TimedStep) => atLeast(ms),
            r: 3,
            className: part === 'p50' ? 'within' : 'upper',
            fill: paint[part].stroke,
          }),
        ]),
        dot(missed, {
          x: 'load',
          y: ({ times: { p99 } }: TimedStep) => atLeast(p99),
          r: 6,
          symbol: 'times',
          className: 'over',
          ...paint.over,
        }),
      ],
    }),
  });
}

// The page's style overrides these; they are for viewers that remove it.
const paint = {
  track: { stroke: '#d5d9df' },
  limit: { stroke: '#1a1e24', strokeWidth: 2 },
  p50: { stroke: '#0b57b0', strokeWidth: 2 },
  p99: { stroke: '#7d4e00', strokeWidth: 2 },
  over: { stroke: '#b3261e', strokeWidth: 2.5 },
} as const;
