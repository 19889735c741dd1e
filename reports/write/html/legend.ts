import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** Pixels of a sign in a legend. */
const size = 20;

function legend(label: string, entries: readonly (readonly [sign: Markup, meaning: string])[]): Markup {
  return html`<ul class="legend" aria-label="${label}">
    ${entries.map(
      ([sign, meaning]) =>
        html`<li>
          <svg class="plot" aria-hidden="true" width="${size}" height="${size}" viewBox="0 0 20 20">${sign}</svg>
          ${meaning}
        </li> `,
    )}
  </ul>`;
}

const upright = (kind: string, width: number, dashes = '') =>
  html`<line
    class="${kind}"
    x1="10"
    y1="1"
    x2="10"
    y2="19"
    stroke="#565e69"
    stroke-width="${width}"
    stroke-dasharray="${dashes}"
  />`;
const cross = (kind: string) =>
  html`<path class="${kind}" d="M6 6L14 14M14 6L6 14" stroke="#b3261e" stroke-width="2" fill="none" />`;

/** The signs of the plot of times. */
export const latencyLegend: Markup = legend('Signs of the plot', [
  [html`<circle class="within" cx="10" cy="10" r="3" fill="#0b57b0" />`, 'an answer'],
  [upright('limit', 2), 'the limit'],
  [cross('over'), 'a late answer'],
  [
    html`<path class="axis" d="M2 15H18M2 12V18M10 12V18M18 12V18" stroke="#565e69" fill="none" />`,
    'logarithmic axis: each labelled step is 10 times slower',
  ],
]);

const figures = [
  [html`<circle class="within" cx="10" cy="10" r="4" fill="#0b57b0" />`, 'median'],
  [html`<circle class="upper" cx="10" cy="10" r="4" fill="#7d4e00" />`, '99 % are shorter'],
] as const;

/** The signs of a plot without a limit. */
export const figuresLegend: Markup = legend('Signs of the plot', figures);

/** The signs of the plot of a load. */
export const loadLegend: Markup = legend('Signs of the plot', [
  ...figures,
  [html`<path class="limit" d="M1 10H19" stroke="#1a1e24" stroke-width="2" />`, 'the deadline'],
  [cross('over'), 'a deadline was missed'],
]);

/** The signs of the picture of a call. */
export const callLegend: Markup = legend('Signs of the picture', [
  [html`<circle class="said" cx="10" cy="10" r="5.5" fill="#1a6b32" />`, 'speech of the caller'],
  [html`<rect class="said" x="5" y="5" width="10" height="10" fill="#1a6b32" />`, 'a key'],
  [upright('piece', 2), 'a piece of an answer'],
  [html`${upright('interrupt', 2, '5 3')}${cross('interrupt')}`, 'an interruption'],
  [
    html`<path class="other" d="M10 4L16 10L10 16L4 10Z" fill="#ffffff" stroke="#565e69" stroke-width="2" />`,
    'another frame',
  ],
  [upright('limit', 3), 'the end of the call'],
  [
    html`<circle class="broken-frame" cx="10" cy="10" r="8" fill="none" stroke="#b3261e" stroke-width="2.5" />`,
    'the frame that failed',
  ],
]);
