import type { Gate, Report, RequirementResult } from '../../../specs/generated/types.ts';
import { baselineLabels, counted, gateReason, labelGate, outcomeLabels, labelVerdict } from '../../text/wording.ts';
import type { Anchors } from './anchors.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { timeElement } from './outcome-mark.ts';

type Baseline = NonNullable<Gate['baseline']>;
type JudgedWaiver = NonNullable<Gate['waivers']>[number];

/** The decision of the gate with its reasons, the comparison with the baseline, and the waivers. */
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
      <span class="quiet">· fails on ${failOn === 'must' ? 'MUST' : 'MUST and SHOULD'} requirements</span>
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
  return html`<h3>Compared with the baseline</h3>
    <p class="quiet">Report of ${timeElement(baseline.startedAt)}: ${labelVerdict(baseline)}.</p>
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

const stateLabels: Readonly<Record<JudgedWaiver['state'], readonly [tone: string, label: string]>> = {
  applied: ['warn', '! waived'],
  expired: ['fail', '✗ expired'],
  passes: ['fail', '✗ stale'],
  'not-judged': ['not-exercised', '– not judged'],
};

// Explicit roles, because the narrow layout displays rows and cells as blocks, which removes the implicit ones.
function waiverTable(waivers: readonly JudgedWaiver[], anchors: Anchors): Markup {
  return html`<h3>Waivers</h3>
    <table class="stack" role="table" aria-label="Waivers">
      <thead role="rowgroup">
        <tr role="row">
          ${['Requirement', 'State', 'Until', 'Reason'].map((title) => html`<th scope="col" role="columnheader">${title}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${waivers.map(({ requirement, state, until, reason }) => {
          const [tone, label] = stateLabels[state];
          return html`<tr role="row">
            <th scope="row" role="rowheader">${anchors.requirementLink(requirement)}</th>
            <td role="cell" data-label="State"><span class="mark ${tone}">${label}</span></td>
            <td role="cell" data-label="Until">${until}</td>
            <td role="cell" data-label="Reason">${reason}</td>
          </tr>`;
        })}
      </tbody>
    </table>`;
}
