import { breaksOf } from '../../model/findings.ts';
import type { RequirementFinding } from '../../model/requirement-finding.ts';
import type { CauseEntry } from '../../model/cause-entries.ts';
import { describeBlockedPart, type PartlyBlocked } from '../../model/finding-groups.ts';
import { outcomeOf } from '../../model/verdict.ts';
import { adviceLines, counted, describeSection, hasConnection } from '../../text/wording.ts';
import {
  consequencesOf,
  countConsequences,
  describeEvidenceMessage,
  describeFault,
  describeLikeness,
  entryAdvice,
  isBlockOnly,
} from '../../text/describe-entry.ts';
import { adviceList } from './advice-list.ts';
import type { Anchors } from './anchors.ts';
import { ownBadge } from './badges.ts';
import type { Badges } from './badges.ts';
import { brokenPartsOf } from './broken-parts.ts';
import { callExcerpt } from './call-details.ts';
import { comparison } from './comparison.ts';
import { counterexampleView } from './counterexample-view.ts';
import type { Evidence } from './evidence.ts';
import { exchangeDetails } from './exchange-details.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { outcomeMark } from './outcome-mark.ts';

export interface CardContext {
  readonly anchors: Anchors;
  readonly badges: Badges;
  readonly evidence: Evidence;
  /** Code and a test vector for the fix, where there are any. */
  readonly fixes: (entry: CauseEntry) => Markup | undefined;
}

/** One cause, folded to the fault: its fix, the evidence, and the requirements that it fails or blocks. */
export function entryCard(entry: CauseEntry, context: CardContext, open: boolean): Markup {
  const { finding, note } = entry.lead;
  const { requirement, deciding } = finding;
  const { anchors, badges } = context;
  const outcome = outcomeOf(requirement);
  const count = countConsequences(entry);
  const anchor = anchors.findingAnchor(requirement.id);
  const observed = describeEvidenceMessage(entry);
  return html`<article class="finding ${outcome}" ${anchor !== undefined && html` id="${anchor}"`}>
    <details class="card-body" ${open && html` open`}>
      <summary>
        <h4>${describeFault(entry)}</h4>
        <span class="quiet facts"
          >${outcomeMark(outcome)} ${!isBlockOnly(entry) && requirementFacts(requirement)}
          ${isBlockOnly(entry) && entry.surfaces.map((surface) => html`<code>${surface}</code> `)}
          ${badges(requirement, deciding)}
          ${count !== undefined && html`<strong class="spread">${count}</strong>`}</span
        >
      </summary>
      ${adviceList(entryAdvice(entry), deciding?.reproduce)} ${note !== undefined && html`<p class="quiet">${note}</p>`}
      ${consequences(entry, context)} ${context.fixes(entry)} ${comparison(observed, deciding)}
      ${body(finding, context, open)}
    </details>
  </article> `;
}

/** A waived or known failure, or its blocked check, folded to its statement and message. */
export function findingCard(one: RequirementFinding, context: CardContext, part?: PartlyBlocked): Markup {
  const { requirement, deciding } = one;
  const { anchors, badges } = context;
  const outcome = part ? 'blocked' : outcomeOf(requirement);
  const brief = part ? describeBlockedPart(part) : requirement.message;
  const anchor = anchors.findingAnchor(requirement.id);
  const open = part !== undefined;
  return html`<article class="finding ${outcome}" ${anchor !== undefined && html` id="${anchor}"`}>
    <details class="card-body" ${open && html` open`}>
      <summary>
        <h4>${requirement.statement}</h4>
        <span class="quiet facts"
          >${outcomeMark(outcome)} ${requirementFacts(requirement)} ${badges(requirement, deciding)}</span
        >
        ${brief !== undefined && html`<span class="brief">${brief}</span>`}
      </summary>
      ${part && blockedPart(part, anchors)} ${comparison(requirement.message, deciding)}
      ${adviceList(adviceLines(deciding, requirement.remediation), deciding?.reproduce)} ${body(one, context, open)}
    </details>
  </article> `;
}

function requirementFacts(requirement: RequirementFinding['requirement']): Markup {
  const { level, id } = requirement;
  return html`${level !== 'advice' && html`<span class="level">${level}</span> `}<code>${id}</code> ·
    ${describeSection(requirement)}`;
}

function blockedPart(part: PartlyBlocked, anchors: Anchors): Markup {
  const { evidence } = part.unjudged;
  const exchange = evidence.at(-1);
  return html`<p class="says">${describeBlockedPart(part)}</p>
    ${adviceList(adviceLines(part.unjudged), part.unjudged.reproduce)}
    ${exchange !== undefined && html`<p class="quiet">It was blocked in ${anchors.exchangeLink(exchange)}.</p>`}
    <p class="label">Waived or known failure:</p>`;
}

function body(one: RequirementFinding, { anchors, evidence }: CardContext, open: boolean): Markup {
  const { deciding, others, exchanges, evidenceOf } = one;
  const exchange = exchanges.at(-1);
  const call = exchange && hasConnection(exchange) ? exchange.call : undefined;
  const broken = exchange ? brokenPartsOf(deciding, exchange) : [];
  return html`${exchange && call && callExcerpt(call, breaksOf(deciding, exchange), anchors.exchangeLink(exchange.id))}
  ${deciding?.counterexample && counterexampleView(deciding.counterexample)}
  ${others.length > 0 && alsoFailing(others, evidenceOf, anchors)}
  ${
    exchange &&
    html`<p class="label">Evidence</p>
      ${exchangeDetails(exchange, {
        isTranscribed: call !== undefined,
        broken,
        open: open && broken.length > 0,
        log: evidence.logOf(exchange.id),
      })}`
  }
  ${
    exchanges.length > 1 &&
    html`<p class="quiet">
      Earlier exchanges: ${exchanges.slice(0, -1).map(({ id }, index) => [index > 0 && ', ', anchors.exchangeLink(id)])}
    </p>`
  }`;
}

/** The requirements that the cause also fails or blocks, folded; what failed with its evidence. */
function consequences(entry: CauseEntry, context: CardContext): Markup[] {
  const { anchors } = context;
  return consequencesOf(entry).map((group) => {
    const { status, label, requirements } = group;
    const likeness = describeLikeness(entry, group);
    return html`<details class="consequences ${status}">
      <summary>
        ${label} ${counted(requirements.length, 'requirement')}
        ${likeness !== undefined && html`<span class="quiet">(${likeness})</span>`}
      </summary>
      <ul>
        ${requirements.map(({ finding, note }) => {
          const { requirement, deciding } = finding;
          const anchor = anchors.findingAnchor(requirement.id);
          const isLead = requirement === entry.lead.finding.requirement;
          return html`<li ${!isLead && anchor !== undefined && html` id="${anchor}"`}>
            ${requirement.statement} ${anchors.rowLink(requirement.id)} ${ownBadge(requirement)}
            ${note !== undefined && note !== entry.lead.note && html`<span class="quiet">${note}</span>`}
            ${
              status !== 'blocked' &&
              html`<details>
                <summary>What was observed</summary>
                ${comparison(requirement.message, deciding)} ${body(finding, context, false)}
              </details>`
            }
          </li> `;
        })}
      </ul>
    </details> `;
  });
}

function alsoFailing(
  others: RequirementFinding['others'],
  evidenceOf: RequirementFinding['evidenceOf'],
  anchors: Anchors,
): Markup {
  return html`<details>
    <summary>${counted(others.length, 'more check')} of this requirement with the same verdict</summary>
    <ul class="others">
      ${others.map((check) => {
        const exchange = evidenceOf(check).at(-1);
        return html`<li>
          ${check.title}${exchange && html` · ${anchors.exchangeLink(exchange.id)}`} ${comparison(check.message, check)}
          ${adviceList(adviceLines(check), check.reproduce)}
          ${check.counterexample && counterexampleView(check.counterexample)}
        </li> `;
      })}
    </ul>
  </details>`;
}
