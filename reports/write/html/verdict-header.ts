import type { Report } from '../../../specs/generated/types.ts';
import { groupOf, groups } from '../../model/groups.ts';
import type { Group } from '../../model/groups.ts';
import { sameCauses } from '../../model/same-cause.ts';
import { findingGroups } from '../../model/gate-status.ts';
import type { GatedFinding } from '../../model/gate-status.ts';
import { outcomeOf } from '../../model/verdict.ts';
import { environmentNotes, runNotes, selectionNotes } from '../../text/run-notes.ts';
import {
  counted,
  gateReason,
  labelGate,
  formatLongDuration,
  outcomeLabels,
  verdictReason,
} from '../../text/wording.ts';
import { isPartialPass, labelReport } from '../../text/headline.ts';
import type { Anchors } from './anchors.ts';
import type { Badges } from './badges.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { countItems, outcomeMark, timeElement } from './outcome-mark.ts';

/** The most causes at the top of the page. */
const namedFirst = 3;

/** The verdict with its reason, what to fix first, and notes on the run. */
export function verdictHeader(report: Report, anchors: Anchors, badges: Badges): Markup {
  const { gate, startedAt, durationMs, seed, verdict } = report;
  const tone = gate?.passed === true ? 'pass' : 'fail';
  return html`<header class="verdict ${verdict}${isPartialPass(report) && ' partial'}">
    <div class="page">
      <p class="quiet name">svc-conform report</p>
      <h1>${labelReport(report)}</h1>
      <p class="why">${verdictReason(report)}</p>
      ${
        gate &&
        html`<p class="why">
          <a class="mark ${tone}" href="#gate"
            ><span aria-hidden="true">${outcomeLabels[tone].sign}</span> ${labelGate(gate)}</a
          >
          ${gateReason(gate)}
        </p>`
      }
      ${notes(report)} ${totals(report)} ${fixFirst(report, anchors, badges)}
      <p class="quiet">${timeElement(startedAt)} · took ${formatLongDuration(durationMs)} · seed ${seed}</p>
    </div>
  </header>`;
}

/** Notes on omissions are emphasised. */
function notes(report: Report): Markup[] {
  const partial = new Set([...environmentNotes(report.environment), ...selectionNotes(report.selection)]);
  return runNotes(report).map((note) => html`<p class="note${partial.has(note) && ' partial'}">${note}</p> `);
}

function totals(report: Report): Markup {
  const counts = Map.groupBy(report.requirements, groupOf);
  const totalOf = Object.fromEntries(groups.map((group) => [group, counts.get(group)?.length ?? 0]));
  return html`<ul class="counts totals" aria-label="Requirements by verdict">
    ${countItems(totalOf as Record<Group, number>)}
  </ul>`;
}

/** The first causes of failures and blocked requirements, one line each; excused failures come last. */
function fixFirst(report: Report, anchors: Anchors, badges: Badges): Markup | undefined {
  const causeOf = sameCauses(report);
  const { fails, blocked, partlyBlocked, warns, excused } = findingGroups(report);
  const causes = (findings: readonly GatedFinding[]) =>
    findings
      .filter(({ finding }) => (causeOf(finding)?.lead ?? finding).requirement.id === finding.requirement.id)
      .map(({ finding }) => ({
        requirement: finding.requirement,
        outcome: outcomeOf(finding.requirement),
        more: causeOf(finding)?.rest.length ?? 0,
      }));
  const all = [
    ...causes(fails),
    ...blocked.flatMap(({ findings: [first, ...rest] }) =>
      first ? [{ requirement: first.requirement, outcome: 'blocked' as const, more: rest.length }] : [],
    ),
    ...partlyBlocked.map(({ finding }) => ({
      requirement: finding.requirement,
      outcome: 'blocked' as const,
      more: 0,
    })),
    ...causes(warns),
    ...causes(excused),
  ];
  if (all.length === 0) return undefined;
  return html`<section class="first" aria-labelledby="first-title">
    <h2 id="first-title">Fix first</h2>
    <ol>
      ${all
        .slice(0, namedFirst)
        .map(
          ({ requirement, outcome, more }) =>
            html`<li>
              ${outcomeMark(outcome)} ${requirement.statement} ${anchors.requirementLink(requirement.id)}
              ${badges(requirement)}
              ${more > 0 && html`<span class="quiet">and ${more} more with the same cause</span>`}
            </li> `,
        )}
    </ol>
    ${all.length > namedFirst && html`<p class="quiet"><a href="#fix">${counted(all.length - namedFirst, 'more cause')}</a></p>`}
  </section>`;
}
