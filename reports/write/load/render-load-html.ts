import type { LoadFinding, LoadReport, LoadStep, LoadSurface } from '../../../specs/generated/types.ts';
import {
  describeLoad,
  describeLoadReason,
  describeLoadVerdict,
  labelLoad,
  labelStep,
} from '../../text/describe-load.ts';
import { counted } from '../../text/wording.ts';
import { htmlPage } from '../html/html-page.ts';
import { figuresLegend, loadLegend } from '../html/legend.ts';
import { html, type Markup } from '../html/markup.ts';
import { style } from '../html/style.ts';
import { loadPlot } from '../plots/load-plot.ts';

const wide = 1160;
const narrow = 350;

/** The report of a load as one self-contained page without a script: it sends no requests. */
export function renderLoadHtml(report: LoadReport): string {
  const { startedAt, harness, seed, verdict } = report;
  const reason = describeLoadReason(report);
  const tones = {
    conformant: 'pass',
    'conformant-with-warnings': 'warn',
    'non-conformant': 'fail',
    incomplete: 'blocked',
  };
  const body = html`<main class="page">
    <h1 class="${tones[verdict]}"><span class="mark">${verdict}</span>${reason !== undefined && `: ${reason}`}</h1>
    <p class="quiet">Load of ${startedAt}, svc-conform ${harness.version}, seed ${seed}</p>
    ${report.surfaces.map(surfaceSection)}
  </main>`;
  return htmlPage({ title: `Load: ${describeLoadVerdict(report)} - svc-conform`, style, body });
}

function surfaceSection(surface: LoadSurface): Markup {
  const { surface: name, url, findings, steps, deadline } = surface;
  return html`<section aria-labelledby="${name}">
    <h2 id="${name}">${name}</h2>
    <p>${describeLoad(surface)}</p>
    <p class="quiet"><code>${url}</code></p>
    ${
      findings.length > 0 &&
      html`<h3>Failed under load</h3>
        <ul>
          ${findings.map(findingItem)}
        </ul>`
    }
    ${plots(surface, loadLegend)}
    <table class="stack" role="table" aria-labelledby="${name}">
      <thead role="rowgroup">
        <tr role="row">
          ${headings.map((title) => html`<th scope="col" role="columnheader">${title}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${steps.map((step) => stepRow(step, surface))}
      </tbody>
    </table>
    ${feelSection(surface)}
    ${
      !deadline &&
      html`<p class="quiet">The interface has no deadline for these events, so only answers without success count.</p>`
    }
  </section>`;
}

const headings = ['Load', 'Sent', 'Median (ms)', '90 % (ms)', '99 % (ms)', 'Slowest (ms)', 'Own delay (ms)', 'Result'];

function stepRow(step: LoadStep, { unit }: LoadSurface): Markup {
  const { load, sent, times, ownLagMs, outcome, failure } = step;
  const tones = {
    met: 'pass',
    missed: 'fail',
    'own-lag': 'blocked',
    'nothing-timed': 'blocked',
    'process-limit': 'blocked',
    limit: 'not-exercised',
  };
  const figures = [sent, ...[times?.p50, times?.p90, times?.p99, times?.max].map((ms) => ms ?? '-'), ownLagMs];
  return html`<tr role="row">
    <th scope="row" role="rowheader" class="number">${labelLoad(load, unit)}</th>
    ${figures.map((figure, at) => html`<td role="cell" data-label="${headings[at + 1] ?? ''}" class="number">${figure}</td>`)}
    <td role="cell" data-label="${headings.at(-1) ?? ''}" class="${tones[outcome]}">
      <span class="mark">${labelStep(step)}</span>
      ${outcome === 'missed' && failure !== undefined && html`<br />${failure}`}
    </td>
  </tr> `;
}

/** The plot for wide and for narrow screens; `undefined` without times. */
function plots(surface: Parameters<typeof loadPlot>[0], legend: Markup): Markup | undefined {
  const [large, small] = [wide, narrow].map((width) => loadPlot(surface, width));
  return (
    large &&
    html`${legend}
      <div class="wide">${large}</div>
      <div class="narrow">${small}</div>`
  );
}

/** Times of the calls against their number, as a plot without a limit. */
function feelPlot(title: string, { unit, steps }: LoadSurface, time: 'deadAir' | 'stop'): Markup | undefined {
  const felt = steps.map((step) => ({ ...step, outcome: 'met' as const, times: step.feel?.[time] ?? null }));
  // The logarithmic axis has no zero.
  if (felt.every(({ times }) => (times?.max ?? 0) === 0)) return undefined;
  const plot = plots({ unit, deadline: null, steps: felt }, figuresLegend);
  return (
    plot &&
    html`<h4>${title}</h4>
      ${plot}`
  );
}

/** How the calls feel to the callers: figures without a verdict. */
function feelSection(calls: LoadSurface): Markup | undefined {
  const { surface, steps, unit } = calls;
  const felt = steps.flatMap(({ load, feel }) => (feel ? [{ load, feel }] : []));
  if (felt.length === 0) return undefined;
  const titles = [
    'Load',
    'Dead air, median (ms)',
    'Dead air, 99 % (ms)',
    'Stop after interrupt, median (ms)',
    'Stop, slowest (ms)',
    'Interrupts',
    'Talk-over (pieces)',
  ];
  const id = `${surface}-feel`;
  return html`<h3 id="${id}">How a call feels</h3>
    <p class="quiet">
      The longest silence within an answer, the time until the AI stops after an interrupt, and what it still says then.
      The times above are those until the first piece. These figures have no limit.
    </p>
    ${feelPlot('Dead air', calls, 'deadAir')} ${feelPlot('Stop after interrupt', calls, 'stop')}
    <table class="stack" role="table" aria-labelledby="${id}">
      <thead role="rowgroup">
        <tr role="row">
          ${titles.map((title) => html`<th scope="col" role="columnheader">${title}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${felt.map(({ load, feel: { deadAir, stop, interrupts, pieces } }) => {
          const figures = [deadAir?.p50, deadAir?.p99, stop?.p50, stop?.max, interrupts, pieces];
          return html`<tr role="row">
            <th scope="row" role="rowheader" class="number">${labelLoad(load, unit)}</th>
            ${figures.map((figure, at) => html`<td role="cell" data-label="${titles[at + 1] ?? ''}" class="number">${figure ?? '-'}</td>`)}
          </tr> `;
        })}
      </tbody>
    </table>`;
}

function findingItem({ requirement, level, expected, received, hint, count, load }: LoadFinding): Markup {
  const tone = level === 'must' ? 'fail' : level === 'should' ? 'warn' : 'advice';
  return html`<li>
    <span class="${tone}"><span class="mark">${level}</span></span> <code>${requirement}</code>: expected ${expected},
    received ${received} (${counted(count, 'time')}, first at a load of ${load}).
    ${hint !== undefined && html`<br />${hint}`}
  </li> `;
}
