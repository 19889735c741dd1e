import type { Report } from '../../specs/types.ts';
import { surfaceViews } from '../findings.ts';
import type { SurfaceView } from '../findings.ts';
import { outcomes } from '../verdict.ts';
import type { Outcome } from '../verdict.ts';
import { counted, groupWords } from '../wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** Each surface with its address and a bar of its verdicts; the counts stand under it in words. */
export function surfacesSection(report: Report): Markup {
  return html`<section id="surfaces" aria-labelledby="surfaces-title">
    <h2 id="surfaces-title">Surfaces at a glance</h2>
    <div class="cards">${surfaceViews(report).map(card)}</div>
  </section>`;
}

function card({ surface, url, counts, requirements }: SurfaceView): Markup {
  const shown = outcomes.filter((outcome) => counts[outcome] > 0);
  return html`<div class="card">
    <h3>${surface}</h3>
    <p class="quiet address">${url ?? 'not configured'} · ${counted(requirements.length, 'requirement')}</p>
    ${bar(shown, counts, requirements.length)}
    <ul class="counts">
      ${shown.map(
        (outcome) =>
          html`<li class="${outcome}">
            <span aria-hidden="true">${groupWords[outcome].sign}</span>
            <strong>${counts[outcome]}</strong> ${countWords[outcome]}
          </li>`,
      )}
    </ul>
  </div>`;
}

const countWords: Readonly<Record<Outcome, string>> = {
  fail: 'failing',
  blocked: 'blocked',
  warn: 'with a warning',
  advice: 'with advice',
  pass: 'passing',
  'not-exercised': 'not exercised',
  'not-applicable': 'not applicable',
};

function bar(shown: readonly Outcome[], counts: SurfaceView['counts'], total: number): Markup {
  let start = 0;
  const pieces = shown.map((outcome) => {
    const x = start;
    start += (counts[outcome] / total) * 100;
    return html`<rect class="${outcome}" x="${x.toFixed(2)}%" y="0" width="${(start - x).toFixed(2)}%" height="12" />`;
  });
  return html`<svg class="verdicts" aria-hidden="true" focusable="false" width="100%" height="12">${pieces}</svg>`;
}
