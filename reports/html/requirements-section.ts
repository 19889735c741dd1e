import type { CheckResult, Report, RequirementResult } from '../../specs/types.ts';
import { surfaceViews } from '../findings.ts';
import type { SurfaceView } from '../findings.ts';
import { groupOf, groups } from '../groups.ts';
import { outcomeOf } from '../verdict.ts';
import { counted, outcomeWords } from '../wording.ts';
import type { Anchors } from './anchors.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { mark } from './words.ts';

/** Every requirement by surface, with its checks behind it. The filter appears only where the script runs. */
export function requirementsSection(report: Report, anchors: Anchors): Markup {
  const checks = new Map(report.checks.map((check) => [check.id, check]));
  const present = new Set(report.requirements.map(groupOf));
  return html`<section id="requirements" aria-labelledby="requirements-title">
    <h2 id="requirements-title">Requirements</h2>
    <form class="filter" id="filter" role="search" hidden>
      <label>Text <input type="search" id="filter-text" autocomplete="off" /></label>
      <label
        >Verdict
        <select id="filter-verdict">
          <option value="">all</option>
          ${groups
            .filter((group) => present.has(group))
            .map((group) => html`<option value="${group}">${outcomeWords[group].word}</option>`)}
        </select></label
      >
      <output id="filter-count" for="filter-text filter-verdict" aria-live="polite"></output>
    </form>
    ${surfaceViews(report).map((view) => bySurface(view, checks, anchors))}
  </section>`;
}

/** A surface's table; behind a line where the run left the whole surface out. */
function bySurface(view: SurfaceView, checks: ReadonlyMap<string, CheckResult>, anchors: Anchors): Markup {
  const { surface, left, requirements } = view;
  const rows = table(surface, requirements, checks, anchors);
  const why = left === 'not-selected' ? 'not selected in this run' : 'not configured';
  return html`<div class="by-surface">
    <h3>${surface} <span class="count">${requirements.length}</span></h3>
    ${
      left === undefined
        ? rows
        : html`<details class="left-out">
            <summary class="quiet">${why}</summary>
            ${rows}
          </details>`
    }
  </div> `;
}

// Roles are repeated because the narrow layout makes blocks of rows and cells, which would lose them.
function table(
  surface: string,
  requirements: readonly RequirementResult[],
  checks: ReadonlyMap<string, CheckResult>,
  anchors: Anchors,
): Markup {
  return html`<table class="stack" role="table" aria-label="Requirements of ${surface}">
    <thead role="rowgroup">
      <tr role="row">
        <th scope="col" role="columnheader">Verdict</th>
        <th scope="col" role="columnheader">Requirement</th>
        <th scope="col" role="columnheader">Level</th>
        <th scope="col" role="columnheader">Section</th>
        <th scope="col" role="columnheader">Message</th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${requirements.map((requirement) => row(requirement, checks, anchors))}
    </tbody>
  </table>`;
}

function row(requirement: RequirementResult, checks: ReadonlyMap<string, CheckResult>, anchors: Anchors): Markup {
  const group = groupOf(requirement);
  const anchor = anchors.findingAnchor(requirement.id);
  const own = requirement.checks.flatMap((id) => checks.get(id) ?? []);
  return html`<tr role="row" data-outcome="${group}">
    <td role="cell">${mark(group)}</td>
    <th scope="row" role="rowheader">
      ${requirement.statement}<br /><code
        >${anchor === undefined ? requirement.id : html`<a href="#${anchor}">${requirement.id}</a>`}</code
      >${own.length > 0 && checkList(own, anchors)}
    </th>
    <td role="cell" data-label="Level">${requirement.level}</td>
    <td role="cell" data-label="Section">${requirement.section}</td>
    <td role="cell" data-label="Message">${requirement.message ?? html`<span class="quiet">none</span>`}</td>
  </tr> `;
}

/** What the row's own message leaves out: why one of several checks did not pass. */
function tells({ verdict, message }: CheckResult, checks: readonly CheckResult[]): boolean {
  return checks.length > 1 && verdict !== 'pass' && message !== undefined;
}

function checkList(checks: readonly CheckResult[], anchors: Anchors): Markup {
  return html`<details>
    <summary>${counted(checks.length, 'check')}</summary>
    <ul>
      ${checks.map((check) => {
        const exchange = check.evidence.at(-1);
        return html`<li>
          ${mark(outcomeOf(check))}
          ${check.title}${exchange !== undefined && html` · ${anchors.exchangeLink(exchange)}`}
          ${tells(check, checks) && html`<br /><span class="quiet">${check.message}</span>`}
        </li>`;
      })}
    </ul>
  </details>`;
}
