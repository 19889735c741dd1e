import type { Gate, Report } from '../../../specs/generated/types.ts';
import { baselineLabels, gateReason, labelGate, outcomeLabels } from '../../text/wording.ts';
import type { Anchors } from './anchors.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { reportChanges } from './report-changes.ts';

type JudgedWaiver = NonNullable<Gate['waivers']>[number];

/** The decision of the gate with its reasons, the comparison with the baseline, and the waivers. */
export function gateSection(report: Report, anchors: Anchors): Markup | undefined {
  const { gate } = report;
  if (!gate) return undefined;
  const { passed, failOn, reasons, baseline, waivers = [] } = gate;
  const tone = passed ? 'pass' : 'fail';
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
    ${
      baseline &&
      html`<h3>Compared with the baseline</h3>
        ${reportChanges(report, baseline, { labels: baselineLabels, anchors })}`
    }
    ${waivers.length > 0 && waiverTable(waivers, anchors)}
  </section>`;
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
