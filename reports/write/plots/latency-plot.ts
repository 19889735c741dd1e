import type { Timing } from '../../../specs/generated/types.ts';
import type { Markup } from '../html/markup.ts';
import { visibleOnOneLine } from '../../text/visible-controls.ts';
import { counted } from '../../text/wording.ts';
import { drawPlot } from './draw-plot.ts';

/** One kind of answer; places are pixels from the top of the picture. */
interface LatencyRow extends Timing {
  readonly top: number;
  readonly middle: number;
  readonly bottom: number;
}

interface Dot {
  readonly ms: number;
  readonly y: number;
}

const rowHeight = 82;
/** Room for the name above the dots, and between rows. */
const nameHeight = 20;
const gap = 10;
const axisHeight = 30;
const sideMargin = 14;
/** Distance of the dots of one column in pixels; smaller when the row is full. */
const columnPixels = 4;
const apartPixels = 5;
/** Shorter times are drawn at this one. */
const shortestMs = 0.1;
const nameCharacters = 44;

/**
 * Every sample as a dot, with a row for each limit, on a logarithmic time axis. Samples of about the same time are stacked;
 * where they would hide one another, some are skipped.
 *
 * @param timings with samples, in milliseconds
 * @param width of the picture in pixels
 */
export function latencyPlot(timings: readonly Timing[], width: number): Markup {
  const rows = timings.map((timing, index): LatencyRow => {
    const top = index * rowHeight + nameHeight;
    const bottom = (index + 1) * rowHeight - gap;
    return { ...timing, top, bottom, middle: (top + bottom) / 2 };
  });
  const extent = extentOf(timings);
  const pixelMs = Math.log(extent.most / extent.least) / (width - 2 * sideMargin);
  const dots = rows.flatMap((row) => swarm(row, pixelMs).map((dot) => ({ ...dot, isOver: dot.ms > row.limit })));
  return drawPlot({
    label: `Times of ${counted(rows.length, 'kind')} of answer against their limits. The table has the numbers.`,
    options: ({ axisX, dot, rect, ruleX, ruleY, text }) => ({
      width,
      height: rows.length * rowHeight + axisHeight,
      margin: 0,
      marginBottom: axisHeight,
      marginLeft: sideMargin,
      marginRight: sideMargin,
      x: { type: 'log', domain: [extent.least, extent.most] },
      y: { type: 'identity', axis: null },
      marks: [
        rect(rows, { ...span, x1: 'limit', x2: () => extent.most, className: 'beyond', ...paint.beyond }),
        axisX({ ticks: width < 500 ? 4 : 6, tickFormat: timeOfTick, tickSize: 4, label: null, className: 'axis' }),
        ruleY(rows, { y: 'middle', className: 'track', ...paint.track }),
        dot(
          dots.filter(({ isOver }) => !isOver),
          { x: 'ms', y: 'y', r: 2.5, className: 'within', ...paint.within },
        ),
        dot(
          dots.filter(({ isOver }) => isOver),
          { x: 'ms', y: 'y', r: 4, symbol: 'times', className: 'over', ...paint.over },
        ),
        ruleX(rows, { ...span, x: 'limit', className: 'limit', ...paint.limit }),
        text(rows, {
          x: () => extent.least,
          y: 'top',
          text: ({ name }: LatencyRow) => shortened(name),
          className: 'name',
          textAnchor: 'start',
          lineAnchor: 'bottom',
          dy: -4,
        }),
        text(rows, {
          x: 'limit',
          y: 'top',
          text: ({ limit }: LatencyRow) => `limit ${timeOfTick(limit)}`,
          className: 'name',
          textAnchor: 'end',
          lineAnchor: 'bottom',
          dy: -4,
        }),
      ],
    }),
  });
}

const span = { y1: 'top', y2: 'bottom' } as const;

// The page's style overrides these; they are for viewers that remove it.
const paint = {
  beyond: { fill: '#b3261e', fillOpacity: 0.1 },
  track: { stroke: '#d5d9df' },
  within: { fill: '#0b57b0', fillOpacity: 0.65 },
  over: { stroke: '#b3261e', strokeWidth: 2 },
  limit: { stroke: '#1a1e24', strokeWidth: 2 },
} as const;

/** From one millisecond or less to beyond every limit and sample. */
function extentOf(timings: readonly Timing[]): { least: number; most: number } {
  let [least, most] = [1, 10];
  for (const { samples, limit } of timings) {
    for (const ms of [...samples, limit]) {
      least = Math.min(least, atLeast(ms));
      most = Math.max(most, ms);
    }
  }
  return { least, most: most * 1.6 };
}

function atLeast(ms: number): number {
  return Math.max(ms, shortestMs);
}

/** A row's samples in columns, each around the middle of the row. */
function swarm({ samples, top, bottom, middle }: LatencyRow, pixelMs: number): Dot[] {
  const columns = Map.groupBy(samples.map(atLeast), (ms) => Math.round(Math.log(ms) / pixelMs / columnPixels));
  const reach = bottom - top - apartPixels;
  return [...columns.values()].flatMap((column) => {
    const step = Math.ceil(column.length / reach);
    const shown = column.toSorted((a, b) => a - b).filter((_, index) => index % step === 0);
    const apart = Math.min(apartPixels, reach / shown.length);
    return shown.map((ms, index) => ({ ms, y: middle + (index - (shown.length - 1) / 2) * apart }));
  });
}

function timeOfTick(ms: number): string {
  return ms < 1000 ? `${Number(ms.toFixed(1))} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}

function shortened(name: string): string {
  const shown = visibleOnOneLine(name);
  return shown.length <= nameCharacters ? shown : `${shown.slice(0, nameCharacters)}…`;
}
