import type { Gate, Report, RequirementResult } from '../../../specs/generated/types.ts';
import { baselineLabels, counted, gateReason, labelGate, outcomeLabels, labelVerdict } from '../../text/wording.ts';
import type { Anchors } from './anchors.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { timeElement } from './outcome-mark.ts';

type Baseline = NonNullable<Gate['baseline']>;
type Waiver = NonNullable<Gate['waivers']>[number];

/** What decided the exit code: the gate's answer and reasons, the baseline by what changed, and the waivers. */
export function gateSection(report: Report, anchors: Anchors): Markup | undefined {
  const { gate } = report;
  if (!gate) return undefined;
  const { passed, failOn, reasons, baseline, waivers = [] } = gate;
  const tone = passed ? 'pass' : 'fail';
  const statements = new Map(report.requirements.map((one) => [one.id, one]));
  return html`<section id="gate" aria-labelledby="gate-title">
    <h2 id="gate-title">Gate</h2>
    <p>
      <strong class="mark ${tone}"
        ><span aria-hidden="true">${outcomeLabels[tone].sign}</span> ${labelGate(gate)}</strong
      >
      <span class="quiet">· fails on ${failOn === 'must' ? 'musts' : 'musts and shoulds'}</span>
    </p>
    ${
      passed
        ? html`<p>${gateReason(gate)}</p>`
        : html`<ul>
            ${reasons.map((reason) => html`<li>${reason}</li>`)}
          </ul>`
    }
    ${baseline && baselineView(baseline, statements, anchors)} ${waivers.length > 0 && waiverTable(waivers, anchors)}
  </section>`;
}

const changes = [
  ['new', 'New', 'fail'],
  ['known', 'Known', 'warn'],
  ['fixed', 'Fixed', 'pass'],
  ['gone', 'Gone', 'not-exercised'],
] as const;

function baselineView(
  baseline: Baseline,
  statements: ReadonlyMap<string, RequirementResult>,
  anchors: Anchors,
): Markup {
  const item = (id: string) =>
    html`<li>${statements.get(id)?.statement ?? 'No longer in the catalogue.'} ${anchors.requirementLink(id)}</li> `;
  return html`<h3>Against the baseline</h3>
    <p class="quiet">The report of ${timeElement(baseline.startedAt)}, which was ${labelVerdict(baseline)}.</p>
    ${(baseline.notes ?? []).map((note) => html`<p class="note partial">${note}</p> `)}
    <div class="cards changes">
      ${changes.map(
        ([key, title, tone]) =>
          html`<div class="card change ${baseline[key].length === 0 ? 'none' : tone}">
            <h4>${title} <span class="number">${baseline[key].length}</span></h4>
            <p class="quiet">${baselineLabels[key]}</p>
            ${
              baseline[key].length > 0 &&
              html`<details${baseline[key].length <= 3 && html` open`}>
                <summary>${counted(baseline[key].length, 'requirement')}</summary>
                <ul>
                  ${baseline[key].map(item)}
                </ul>
              </details>`
            }
          </div>`,
      )}
    </div>`;
}

const stateWords: Readonly<Record<Waiver['state'], readonly [tone: string, words: string]>> = {
  applied: ['warn', '! excused'],
  expired: ['fail', '✗ expired'],
  passes: ['fail', '✗ nothing left to excuse'],
  'not-judged': ['not-exercised', '– not judged'],
};

// Roles are repeated because the narrow layout makes blocks of rows and cells, which would lose them.
function waiverTable(waivers: readonly Waiver[], anchors: Anchors): Markup {
  return html`<h3>Waivers</h3>
    <table class="stack" role="table" aria-label="Waivers">
      <thead role="rowgroup">
        <tr role="row">
          ${['Requirement', 'State', 'Until', 'Reason'].map((title) => html`<th scope="col" role="columnheader">${title}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${waivers.map(({ requirement, state, until, reason }) => {
          const [tone, words] = stateWords[state];
          return html`<tr role="row">
            <th scope="row" role="rowheader">${anchors.requirementLink(requirement)}</th>
            <td role="cell" data-label="State"><span class="mark ${tone}">${words}</span></td>
            <td role="cell" data-label="Until">${until}</td>
            <td role="cell" data-label="Reason">${reason}</td>
          </tr>`;
        })}
      </tbody>
    </table>`;
}
