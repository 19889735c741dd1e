import type { FleetCause, FleetReport, FleetSummary, TargetResult } from '../../../specs/generated/types.ts';
import {
  describeExtent,
  describeSuspectedFault,
  labelTarget,
  serviceFirst,
  summaryLabels,
  targetGroup,
} from '../../text/describe-fleet.ts';
import { counted, formatLongDuration, labelVerdict, outcomeLabels } from '../../text/wording.ts';
import { inlined, integrity } from '../html/inlined.ts';
import { html, type Markup } from '../html/markup.ts';
import { timeElement } from '../html/outcome-mark.ts';
import { style } from '../html/style.ts';
import { fleetScript } from './fleet-script.ts';
import { fleetTrend } from './fleet-trend.ts';

const fleetStyle = `${style}
#targets-table thead th { white-space: nowrap; }
#targets-table tbody th { min-width: 9rem; }
`;
/** Targets that a cause lists; the filter shows the others. */
const listedTargets = 12;

/** The overview of a fleet as one self-contained page: it sends no requests. Links lead to the reports of the targets. */
export function renderFleetHtml(report: FleetReport): string {
  const policy = [
    "default-src 'none'",
    `style-src '${integrity(fleetStyle)}'`,
    `script-src '${integrity(fleetScript)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const { night, verdict, startedAt, durationMs, harness, shard, targets, causes, nights } = report;
  const title = `${counted(targets.length, 'target')}, night of ${night}`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}: ${labelVerdict({ verdict })} - svc-conform</title>
        ${inlined('style', fleetStyle)}
      </head>
      <body>
        <header class="verdict ${verdict}">
          <div class="page">
            <p class="quiet name">svc-conform fleet</p>
            <h1>${labelVerdict({ verdict })}</h1>
            <p class="why">${title}${shard && `, shard ${shard.index} of ${shard.of}`}</p>
            <p class="quiet">
              ${timeElement(startedAt)}, ${formatLongDuration(durationMs)}, svc-conform ${harness.version}
            </p>
            ${report.suspectedFaults.map(
              (fault) => html`<p class="note partial">${describeSuspectedFault(fault)}</p> `,
            )}
            ${totals(report.summary)}
          </div>
        </header>
        <main class="page">
          ${causesSection(causes, targets)} ${fleetTrend(nights)} ${targetsSection(targets, causes)}
        </main>
        ${inlined('script', fleetScript)}
      </body>
    </html> `;
  return page.source;
}

function totals(summary: FleetSummary): Markup {
  const items = Object.entries(summaryLabels).flatMap(([key, { label, group }]) => {
    const count = summary[key as keyof FleetSummary];
    if (count === 0) return [];
    return html`<li class="${group}">
      <span aria-hidden="true">${outcomeLabels[group].sign}</span> <strong>${count}</strong> ${label}
    </li> `;
  });
  return html`<ul class="counts totals" aria-label="Targets by result">
    ${items}
  </ul>`;
}

/** A name for a cause that may be used in an attribute. */
function anchorOf(causes: readonly FleetCause[], cause: FleetCause): string {
  return `cause-${causes.indexOf(cause) + 1}`;
}

function causesSection(causes: readonly FleetCause[], targets: readonly TargetResult[]): Markup | undefined {
  if (causes.length === 0) return undefined;
  const known = new Map(targets.map((target) => [target.id, target]));
  return html`<section aria-labelledby="causes">
    <h2 id="causes">Causes</h2>
    ${causes.map((cause) => {
      const { id, status, summary, remediation, requirement, targets: ids, suspects } = cause;
      const anchor = anchorOf(causes, cause);
      return html`<article class="finding ${status}" aria-labelledby="${anchor}">
        <h3 id="${anchor}">
          <span class="mark"
            ><span aria-hidden="true">${outcomeLabels[status].sign}</span> ${describeExtent(cause)}</span
          >
        </h3>
        <p class="says">${summary}</p>
        ${suspects === 'service' && html`<p class="note partial">${serviceFirst}</p>`}
        ${remediation !== null && html`<p>${remediation}</p>`}
        <p class="quiet"><code>${requirement}</code>${id !== null && html`, cause <code>${id}</code>`}</p>
        <p>
          ${ids.slice(0, listedTargets).map((one) => html`${targetLink(known.get(one) ?? { id: one })} `)}
          ${ids.length > listedTargets && html`<span class="quiet">and ${ids.length - listedTargets} more</span>`}
        </p>
        <button type="button" data-cause="${anchor}" hidden="">Show these targets</button>
      </article> `;
    })}
  </section>`;
}

function targetLink({ id, report }: Pick<TargetResult, 'id' | 'report'>): Markup {
  return report === undefined ? html`${id}` : html`<a href="${encodeURI(report)}/report.html">${id}</a>`;
}

function targetsSection(targets: readonly TargetResult[], causes: readonly FleetCause[]): Markup {
  const causesOf = (id: string) => causes.filter((cause) => cause.targets.includes(id));
  const labels = [...new Set(targets.map(labelTarget))];
  const titles = ['Result', 'Failing', 'Cause', 'Duration'] as const;
  return html`<section aria-labelledby="targets">
    <h2 id="targets">Targets</h2>
    <form id="filter" class="filter" hidden="">
      <label>Search<br /><input id="filter-text" type="search" /></label>
      <label
        >Result<br /><select id="filter-result">
          <option value="">all</option>
          ${labels.map((label) => html`<option>${label}</option>`)}
        </select></label
      >
      <label
        >Cause<br /><select id="filter-cause">
          <option value="">all</option>
          ${causes.map(
            (cause) =>
              html`<option value="${anchorOf(causes, cause)}">
                ${cause.id ?? cause.requirement} (${cause.surface})
              </option>`,
          )}
        </select></label
      >
      <output id="filter-count"></output>
    </form>
    <table id="targets-table" class="stack" role="table" aria-labelledby="targets">
      <thead role="rowgroup">
        <tr role="row">
          ${['Target', ...titles].map((title) => html`<th scope="col" role="columnheader">${title}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${targets.map((target) => {
          const { id, requirements, durationMs, reason } = target;
          const own = causesOf(id);
          const group = targetGroup(target);
          const label = labelTarget(target);
          const anchors = own.map((cause) => anchorOf(causes, cause)).join(' ');
          return html`<tr role="row" data-result="${label}" data-causes="${anchors}">
            <th scope="row" role="rowheader">${targetLink(target)}</th>
            <td role="cell" data-label="${titles[0]}" class="${group}">
              <span class="mark"><span aria-hidden="true">${outcomeLabels[group].sign}</span> ${label}</span>
            </td>
            <td role="cell" data-label="${titles[1]}" class="number">${requirements?.fail ?? '-'}</td>
            <td role="cell" data-label="${titles[2]}">
              ${reason ?? own[0]?.summary ?? '-'}
              ${own.length > 1 && html`<span class="quiet">and ${own.length - 1} more</span>`}
            </td>
            <td role="cell" data-label="${titles[3]}" class="number">
              ${durationMs === undefined ? '-' : formatLongDuration(durationMs)}
            </td>
          </tr> `;
        })}
      </tbody>
    </table>
  </section>`;
}
