import type { Report } from '../../../specs/generated/types.ts';
import { groupOf, groups } from '../../model/groups.ts';
import type { Group } from '../../model/groups.ts';
import { sameCauses } from '../../model/same-cause.ts';
import { findingGroups } from '../../model/gate-status.ts';
import type { GatedFinding } from '../../model/gate-status.ts';
import { outcomeOf } from '../../model/verdict.ts';
import {
  counted,
  environmentNotes,
  gateReason,
  labelGate,
  formatLongDuration,
  outcomeLabels,
  runNotes,
  selectionNotes,
  verdictReason,
  labelVerdict,
} from '../../text/wording.ts';
import type { Anchors } from './anchors.ts';
import type { Badges } from './badges.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { countItems, outcomeMark, timeElement } from './outcome-mark.ts';

/** So many causes are named at the top: more are a list, not a beginning. */
const namedFirst = 3;

/** The verdict, what it rests on, what to fix first, and what to know of the run. */
export function verdictHeader(report: Report, anchors: Anchors, badges: Badges): Markup {
  const { gate, startedAt, durationMs, seed, verdict } = report;
  const tone = gate?.passed === true ? 'pass' : 'fail';
  return html`<header class="verdict ${verdict}">
    <div class="page">
      <p class="quiet name">svc-conform report</p>
      <h1>${labelVerdict(report)}</h1>
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

/** What a run omitted counts for more than what else there is to know of it. */
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

/** The first causes of what fails or is blocked, one line each; what a gate excuses comes last. */
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
              ${badges(requirement)} ${more > 0 && html`<span class="quiet">and ${more} more of the same cause</span>`}
            </li> `,
        )}
    </ol>
    ${all.length > namedFirst && html`<p class="quiet"><a href="#mend">${counted(all.length - namedFirst, 'further cause')}</a></p>`}
  </section>`;
}
