import type { FleetNight } from '../../../specs/generated/types.ts';
import { html, type Markup } from '../html/markup.ts';

/** Units of the picture, which is scaled to the width of the page. */
const size = { bar: 14, step: 18, height: 100 } as const;

/** The parts of a bar from the bottom to the top. */
const parts = [
  { of: ['conformant'], group: 'pass', label: 'Conformant' },
  { of: ['conformantWithWarnings'], group: 'warn', label: 'With warnings' },
  { of: ['nonConformant'], group: 'fail', label: 'Non-conformant' },
  { of: ['incomplete', 'failed'], group: 'blocked', label: 'Without a verdict' },
] as const;

/** The results of the last nights as bars and as a table; `undefined` for a single night. */
export function fleetTrend(nights: readonly FleetNight[]): Markup | undefined {
  if (nights.length < 2) return undefined;
  const countsOf = (night: FleetNight) =>
    parts.map(({ of, group }) => ({ group, count: of.reduce((sum, key) => sum + night[key], 0) }));
  const most = Math.max(...nights.map((night) => countsOf(night).reduce((sum, { count }) => sum + count, 0)));
  const bars = nights.map((night, at) => {
    let top: number = size.height;
    return countsOf(night).map(({ group, count }) => {
      const height = (count / most) * size.height;
      top -= height;
      return html`<rect
        class="${group}"
        x="${at * size.step}"
        y="${top.toFixed(2)}"
        width="${size.bar}"
        height="${height.toFixed(2)}"
      />`;
    });
  });
  const width = nights.length * size.step;
  return html`<section aria-labelledby="trend">
    <h2 id="trend">Trend</h2>
    <p class="quiet">${nights[0]?.night} to ${nights.at(-1)?.night}, at most ${most} targets in a night</p>
    <svg
      class="verdicts plot"
      role="img"
      aria-label="Targets by result over ${nights.length} nights. The table has the numbers."
      viewBox="0 0 ${width} ${size.height}"
      width="${width}"
      height="${size.height}"
    >
      ${bars}
    </svg>
    <details>
      <summary>Numbers</summary>
      <table class="stack" role="table" aria-labelledby="trend">
        <thead role="rowgroup">
          <tr role="row">
            ${['Night', ...parts.map(({ label }) => label)].map(
              (title) => html`<th scope="col" role="columnheader">${title}</th>`,
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${nights.toReversed().map(
            (night) =>
              html`<tr role="row">
                <th scope="row" role="rowheader">${night.night}</th>
                ${countsOf(night).map(
                  ({ count }, at) =>
                    html`<td role="cell" data-label="${parts[at]?.label ?? ''}" class="number">${count}</td>`,
                )}
              </tr> `,
          )}
        </tbody>
      </table>
    </details>
  </section>`;
}
