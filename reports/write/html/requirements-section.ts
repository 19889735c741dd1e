import type { CheckResult, Report, RequirementResult } from '../../../specs/generated/types.ts';
import { surfaceViews } from '../../model/findings.ts';
import type { SurfaceView } from '../../model/findings.ts';
import { groupOf, groups, type Group } from '../../model/groups.ts';
import { outcomeOf } from '../../model/verdict.ts';
import { adviceLines, counted, outcomeLabels } from '../../text/wording.ts';
import { adviceList } from './advice-list.ts';
import type { Anchors } from './anchors.ts';
import type { Badges } from './badges.ts';
import { comparison } from './comparison.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { outcomeMark } from './outcome-mark.ts';

interface TableContext {
  readonly checks: ReadonlyMap<string, CheckResult>;
  readonly anchors: Anchors;
  readonly badges: Badges;
}

/** Every requirement of the configured surfaces, with its checks. The filter is shown only when the script runs. */
export function requirementsSection(report: Report, anchors: Anchors, badges: Badges): Markup {
  const checks = new Map(report.checks.map((check) => [check.id, check]));
  const views = surfaceViews(report).filter(({ omitted }) => omitted !== 'not-applicable');
  const listed = views.flatMap(({ requirements }) => requirements);
  const present = new Set(listed.map(groupOf));
  const levels = new Set(listed.map(({ level }) => level));
  return html`<section id="requirements" aria-labelledby="requirements-title">
    <h2 id="requirements-title">Requirements</h2>
    <form class="filter" id="filter" role="search" aria-label="Requirements" hidden>
      <label>Text <input type="search" id="filter-text" autocomplete="off" /></label>
      ${choice(
        'Verdict',
        'filter-verdict',
        groups.filter((group) => present.has(group)).map((group) => [group, outcomeLabels[group].word]),
      )}
      ${choice(
        'Level',
        'filter-level',
        (['must', 'should', 'advice'] as const).filter((level) => levels.has(level)).map((level) => [level, level]),
      )}
      ${choice(
        'Surface',
        'filter-surface',
        views.map(({ surface }) => [surface, surface]),
      )}
      <output
        id="filter-count"
        for="filter-text filter-verdict filter-level filter-surface"
        aria-live="polite"
      ></output>
    </form>
    ${views.map((view) => bySurface(view, { checks, anchors, badges }))}
  </section>`;
}

function choice(label: string, id: string, options: readonly (readonly [value: string, word: string])[]): Markup {
  return html`<label
    >${label}
    <select id="${id}">
      <option value="">all</option>
      ${options.map(([value, word]) => html`<option value="${value}">${word}</option>`)}
    </select></label
  >`;
}

/** What a reader has to act on; the other requirements of a surface are folded. */
const unfolded: ReadonlySet<Group> = new Set(['fail', 'blocked', 'warn', 'advice']);

/** The requirements of a surface: those that passed and those without a verdict are folded. */
function bySurface({ surface, omitted, requirements }: SurfaceView, context: TableContext): Markup {
  const open = requirements.filter((row) => unfolded.has(groupOf(row)));
  const passed = requirements.filter((row) => groupOf(row) === 'pass');
  const unjudged = requirements.filter((row) => !open.includes(row) && !passed.includes(row));
  return html`<div class="by-surface">
    <h3>${surface} <span class="count">${requirements.length}</span></h3>
    ${open.length > 0 && table(`Requirements of ${surface} that did not pass`, open, context)}
    ${
      unjudged.length > 0 &&
      folded(
        omitted === undefined ? `${unjudged.length} not judged` : 'not selected in this run',
        table(`Requirements of ${surface} that were not judged`, unjudged, context),
      )
    }
    ${passed.length > 0 && folded(`${passed.length} passed`, table(`Passed requirements of ${surface}`, passed, context))}
  </div> `;
}

function folded(label: string, rows: Markup): Markup {
  return html`<details class="folded">
    <summary>${label}</summary>
    ${rows}
  </details>`;
}

// Explicit roles, because the narrow layout displays rows and cells as blocks, which removes the implicit ones.
function table(label: string, requirements: readonly RequirementResult[], context: TableContext): Markup {
  const hasMessages = requirements.some(({ message }) => message !== undefined);
  const titles = ['Verdict', 'Requirement', 'Level', 'Section', ...(hasMessages ? ['Message'] : [])];
  return html`<table class="stack" role="table" aria-label="${label}">
    <thead role="rowgroup">
      <tr role="row">
        ${titles.map((title) => html`<th scope="col" role="columnheader">${title}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${requirements.map((requirement) => row(requirement, context))}
    </tbody>
  </table>`;
}

function row(requirement: RequirementResult, { checks, anchors, badges }: TableContext): Markup {
  const { id, statement, level, section, message, surface } = requirement;
  const group = groupOf(requirement);
  const anchor = anchors.findingAnchor(id);
  const own = requirement.checks.flatMap((one) => checks.get(one) ?? []);
  const deciding = own.find(({ verdict }) => verdict === requirement.verdict);
  const ownAnchor = anchors.rowAnchor(id);
  return html`<tr
      role="row"
      ${ownAnchor !== undefined && html` id="${ownAnchor}"`}
      data-outcome="${group}"
      data-level="${level}"
      data-surface="${surface}"
    >
      <td role="cell">${outcomeMark(group)}</td>
      <th scope="row" role="rowheader">
        ${statement}<br /><code>${anchor === undefined ? id : html`<a href="#${anchor}">${id}</a>`}</code>
        ${badges(requirement, deciding)}
      </th>
      <td role="cell" data-label="Level">${level}</td>
      <td role="cell" data-label="Section">${section}</td>
      ${message !== undefined && html`<td role="cell" data-label="Message"><span class="said">${message}</span></td>`}
    </tr>
    ${own.length > 0 && checksRow(requirement, own, anchors)}`;
}

/** Details of each check that did not pass, and the remediation of the requirement. */
function checksRow(
  { remediation, message }: RequirementResult,
  checks: readonly CheckResult[],
  anchors: Anchors,
): Markup {
  const hasTrouble = checks.some(({ verdict }) => verdict === 'fail' || verdict === 'blocked');
  return html`<tr role="row" class="more">
    <td role="cell" colspan="5">
      <details>
        <summary>${counted(checks.length, 'check')}${hasTrouble && ', and the fix'}</summary>
        <ul class="checks">
          ${checks.map((check) => {
            const exchange = check.evidence.at(-1);
            const isShownAbove = checks.length === 1 && check.message === message && check.expected === undefined;
            return html`<li>
              ${outcomeMark(outcomeOf(check))}
              ${check.title}${exchange !== undefined && html` · ${anchors.exchangeLink(exchange)}`}
              ${check.verdict !== 'pass' && html`${!isShownAbove && comparison(check.message, check)} ${adviceList(adviceLines(check), check.reproduce)}`}
            </li>`;
          })}
        </ul>
        ${hasTrouble && adviceList(adviceLines(undefined, remediation))}
      </details>
    </td>
  </tr>`;
}
