import type { Report } from '../../../specs/generated/types.ts';
import { groupOf, groups } from '../../model/groups.ts';
import type { Group } from '../../model/groups.ts';
import type { CauseEntry } from '../../model/cause-entries.ts';
import { describeBlockedPart, findingGroups } from '../../model/finding-groups.ts';
import { outcomeOf, type Outcome } from '../../model/verdict.ts';
import { coverageNotes, environmentNotes, runNotes, selectionNotes } from '../../text/run-notes.ts';
import { counted, gateReason, labelGate, outcomeLabels, verdictReason } from '../../text/wording.ts';
import { isPartialPass, labelReport } from '../../text/headline.ts';
import type { Anchors } from './anchors.ts';
import { countConsequences, describeFault } from '../../text/describe-entry.ts';
import { runFacts } from './run-facts.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { countItems, outcomeMark } from './outcome-mark.ts';

/** The most causes at the top of the page. */
const namedFirst = 3;

/** The verdict with its reason, what to fix first, and notes on the run. */
export function verdictHeader(report: Report, anchors: Anchors): Markup {
  const { gate, verdict } = report;
  const tone = gate?.passed === true ? 'pass' : 'fail';
  return html`<header class="verdict ${verdict}${isPartialPass(report) && ' partial'}">
    <div class="page">
      <p class="quiet name">svc-conform report</p>
      <h1>${labelReport(report)}</h1>
      <p class="why">${verdictReason(report)}</p>
      ${runFacts(report)}
      ${
        gate &&
        html`<p class="why">
          <a class="mark ${tone}" href="#gate"
            ><span aria-hidden="true">${outcomeLabels[tone].sign}</span> ${labelGate(gate)}</a
          >
          ${gateReason(gate)}
        </p>`
      }
      ${notes(report)} ${totals(report)} ${fixFirst(report, anchors)}
    </div>
  </header>`;
}

/** Notes on omissions are emphasised. The facts of the run contain the coverage. */
function notes(report: Report): Markup[] {
  const partial = new Set([...environmentNotes(report.environment), ...selectionNotes(report.selection)]);
  const known = new Set(coverageNotes(report));
  const others = runNotes(report).filter((note) => !known.has(note));
  return others.map((note) => html`<p class="note${partial.has(note) && ' partial'}">${note}</p> `);
}

function totals(report: Report): Markup {
  const counts = Map.groupBy(report.requirements, groupOf);
  const totalOf = Object.fromEntries(groups.map((group) => [group, counts.get(group)?.length ?? 0]));
  return html`<ul class="counts totals" aria-label="Requirements by verdict">
    ${countItems(totalOf as Record<Group, number>)}
  </ul>`;
}

/** The first causes of what fails the run, one line each, then those of warnings. */
function fixFirst(report: Report, anchors: Anchors): Markup | undefined {
  const { fails, blocked, partlyBlocked, warns } = findingGroups(report);
  const item = (fault: string, outcome: Outcome, requirement: string, count?: string) =>
    html`<li>
      ${outcomeMark(outcome)} ${fault} ${anchors.requirementLink(requirement)}
      ${count !== undefined && html`<span class="quiet">${count}</span>`}
    </li> `;
  const items = (entries: readonly CauseEntry[]) =>
    entries.map((entry) => {
      const { requirement } = entry.lead.finding;
      return item(describeFault(entry), outcomeOf(requirement), requirement.id, countConsequences(entry));
    });
  const causes = [
    ...items(fails),
    ...items(blocked),
    ...partlyBlocked.map((part) => item(describeBlockedPart(part), 'blocked', part.finding.requirement.id)),
    ...items(warns),
  ];
  if (causes.length === 0) return undefined;
  const rest = causes.length - namedFirst;
  return html`<section class="first" aria-labelledby="first-title">
    <h2 id="first-title">Fix first</h2>
    <ol>
      ${causes.slice(0, namedFirst)}
    </ol>
    ${rest > 0 && html`<p class="quiet"><a href="#fix">${counted(rest, 'more cause')}</a></p>`}
  </section>`;
}
