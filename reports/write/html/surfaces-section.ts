import type { Report } from '../../../specs/generated/types.ts';
import { omittedSurfaces, surfaceViews } from '../../model/findings.ts';
import type { SurfaceView } from '../../model/findings.ts';
import { groups } from '../../model/groups.ts';
import type { Group } from '../../model/groups.ts';
import { counted } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { countItems } from './outcome-mark.ts';

/** Each surface with its address, a bar of its verdicts and their counts. */
export function surfacesSection(report: Report): Markup {
  const views = surfaceViews(report);
  return html`<section id="surfaces" aria-labelledby="surfaces-title">
    <h2 id="surfaces-title">Surfaces</h2>
    <div class="cards">${views.filter(({ omitted }) => omitted === undefined).map(card)}</div>
    ${line('Not selected in this run', omittedSurfaces(views, 'not-selected'))}
    ${line('Not configured', omittedSurfaces(views, 'not-applicable'))}
  </section>`;
}

function card({ surface, target, counts, requirements }: SurfaceView): Markup {
  return html`<div class="card">
    <h3>${surface}</h3>
    ${target !== undefined && html`<p class="address"><code>${target}</code></p>`} ${bar(counts, requirements.length)}
    <p class="quiet">${formatJudged(counts)}</p>
    <ul class="counts">
      ${countItems(counts)}
    </ul>
  </div>`;
}

const judged: readonly Group[] = ['fail', 'warn', 'advice', 'pass'];
const observable: readonly Group[] = [...judged, 'blocked', 'not-exercised'];

/** The number of judged requirements of the surface, and of all that the run could observe. */
function formatJudged(counts: SurfaceView['counts']): string {
  const sum = (groups: readonly Group[]) => groups.reduce((total, group) => total + counts[group], 0);
  return `${sum(judged)} of ${counted(sum(observable), 'observable requirement')} judged`;
}

/** Surfaces that the run omitted, in one line. */
function line(label: string, names: readonly string[]): Markup | undefined {
  return names.length === 0 ? undefined : html`<p class="quiet">${label}: ${names.join(', ')}</p>`;
}

// The page's style overrides these; they are for viewers that remove it.
const paint: Readonly<Record<Group, string>> = {
  fail: '#b3261e',
  blocked: '#b3261e',
  warn: '#7d4e00',
  advice: '#0b57b0',
  pass: '#1a6b32',
  'not-exercised': '#c4c9d0',
  unobservable: '#d9dce1',
  'not-selected': '#d9dce1',
  'not-applicable': '#d9dce1',
};

function bar(counts: SurfaceView['counts'], total: number): Markup {
  let start = 0;
  const pieces = groups
    .filter((group) => counts[group] > 0)
    .map((group) => {
      const x = start;
      start += (counts[group] / total) * 100;
      return html`<rect
        class="${group}"
        x="${x.toFixed(2)}%"
        width="${(start - x).toFixed(2)}%"
        height="12"
        fill="${paint[group]}"
      />`;
    });
  return html`<svg class="verdicts" aria-hidden="true" width="100%" height="12">${pieces}</svg>`;
}
