import type { Report, Timing } from '../../../specs/generated/types.ts';
import { latencyPlot } from '../plots/latency-plot.ts';
import { latencyLegend } from './legend.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

const wide = 1160;
const narrow = 350;
/** A plot of more rows is read no better than its table. */
const plottedRows = 40;

/** All times that have a limit: every sample on a time axis, and their distribution in a table. */
export function timingsSection(report: Report): Markup | undefined {
  const timings = report.timings.filter(({ samples }) => samples.length > 0);
  if (timings.length === 0) return undefined;
  const plotted = timings.slice(0, plottedRows);
  return html`<section id="timings" aria-labelledby="timings-title">
    <h2 id="timings-title">Times against their limits</h2>
    ${latencyLegend}
    <div class="wide">${latencyPlot(plotted, wide)}</div>
    <div class="narrow">${latencyPlot(plotted, narrow)}</div>
    <table class="stack" role="table" aria-labelledby="timings-title">
      <thead role="rowgroup">
        <tr role="row">
          ${['What', 'Answers', ...['Fastest', 'Median', '95 %', 'Slowest', 'Limit'].map((name) => `${name} (ms)`)].map((title) => html`<th scope="col" role="columnheader">${title}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${timings.map(row)}
      </tbody>
    </table>
  </section>`;
}

function row({ name, samples, limit }: Timing): Markup {
  const sorted = samples.toSorted((a, b) => a - b);
  const over = sorted.filter((sample) => sample > limit).length;
  const cell = (label: string, value: string | number, note?: Markup | false) =>
    html`<td role="cell" data-label="${label}" class="number">${value}${note}</td>`;
  return html`<tr role="row">
    <th scope="row" role="rowheader"><code>${name}</code></th>
    ${cell('Answers', sorted.length)} ${cell('Fastest (ms)', milliseconds(sorted[0] ?? 0))}
    ${cell('Median (ms)', milliseconds(median(sorted)))} ${cell('95 % (ms)', milliseconds(nearestRank(sorted, 0.95)))}
    ${cell('Slowest (ms)', milliseconds(sorted.at(-1) ?? 0))}
    ${cell('Limit (ms)', milliseconds(limit), over > 0 && html` <strong class="fail">${over} over</strong>`)}
  </tr> `;
}

/** All times of the table have one unit, so that they can be compared. */
function milliseconds(ms: number): string {
  return String(ms < 9.95 ? Number(ms.toFixed(1)) : Math.round(ms));
}

/** The middle of sorted samples; of an even number the mean of the two middle ones. */
export function median(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? 0;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? upper) + upper) / 2 : upper;
}

/** The smallest of sorted samples that at least this share of them do not exceed. */
export function nearestRank(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
