import type { Report, Timing } from '../../specs/types.ts';
import { duration } from '../wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

const height = 16;

/** What is measured against a limit: the samples between zero and the limit, and their spread in numbers. */
export function timingsSection(report: Report): Markup | undefined {
  const timings = report.timings.filter(({ samples }) => samples.length > 0);
  if (timings.length === 0) return undefined;
  return html`<section id="timings" aria-labelledby="timings-title">
    <h2 id="timings-title">Times against their limits</h2>
    <p class="quiet">
      Each dot is one answer, from 0 to the limit, which is the stroke at the right; a dot beyond the stroke is over the
      limit.
    </p>
    <table class="stack" role="table" aria-labelledby="timings-title">
      <thead role="rowgroup">
        <tr role="row">
          ${['What', 'Answers', 'Fastest', 'Median', 'Slowest', 'Limit', 'Spread'].map((title) => html`<th scope="col" role="columnheader">${title}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${timings.map(row)}
      </tbody>
    </table>
  </section>`;
}

function row(timing: Timing): Markup {
  const sorted = timing.samples.toSorted((a, b) => a - b);
  const slowest = sorted.at(-1) ?? 0;
  const over = sorted.filter((sample) => sample > timing.limit).length;
  return html`<tr role="row">
    <th scope="row" role="rowheader"><code>${timing.name}</code></th>
    <td role="cell" data-label="Answers" class="number">${sorted.length}</td>
    <td role="cell" data-label="Fastest" class="number">${duration(sorted[0] ?? 0)}</td>
    <td role="cell" data-label="Median" class="number">${duration(median(sorted))}</td>
    <td role="cell" data-label="Slowest" class="number">${duration(slowest)}</td>
    <td role="cell" data-label="Limit" class="number">
      ${duration(timing.limit)}${over > 0 && html` <strong class="fail">${over} over</strong>`}
    </td>
    <td role="cell" data-label="Spread" class="strip">${strip(timing, slowest)}</td>
  </tr> `;
}

/** The middle of sorted samples; of an even number the mean of the two middle ones. */
export function median(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? 0;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? upper) + upper) / 2 : upper;
}

function strip({ samples, limit }: Timing, slowest: number): Markup {
  const whole = Math.max(limit, slowest, Number.EPSILON);
  // Two per cent at each end keep whole dots inside the picture.
  const at = (ms: number) => `${(2 + (ms / whole) * 96).toFixed(2)}%`;
  return html`<svg class="dots" aria-hidden="true" focusable="false" width="100%" height="${height}">
    <rect class="track" x="2%" y="${height / 2 - 1}" width="96%" height="2" />
    <rect class="limit" x="${at(limit)}" y="0" width="2" height="${height}" />
    ${samples.map((sample) => html`<circle class="${sample > limit ? 'over' : 'within'}" cx="${at(sample)}" cy="${height / 2}" r="3.5" />`)}
  </svg>`;
}
