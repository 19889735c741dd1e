import { breaksOf } from '../../model/findings.ts';
import type { BlockedGroup } from '../../model/findings.ts';
import type { RequirementFinding } from '../../model/requirement-finding.ts';
import type { SameCause } from '../../model/same-cause.ts';
import { describeBlockedPart } from '../../model/gate-status.ts';
import type { PartlyBlocked } from '../../model/gate-status.ts';
import { outcomeOf } from '../../model/verdict.ts';
import { counted, hasConnection } from '../../text/wording.ts';
import { describeSameCause } from '../../text/describe-same-cause.ts';
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
}

/** Context of a finding. */
export interface FindingCardContext {
  /** The cause that it probably shares with others. */
  readonly cause: SameCause | undefined;
  /** Expanded. */
  readonly open: boolean;
  /** Its blocked check, for an excused failure. */
  readonly part?: PartlyBlocked | undefined;
}

/** One failed requirement, folded to its statement and message. */
export function findingCard(
  one: RequirementFinding,
  context: CardContext,
  { cause, open, part }: FindingCardContext,
): Markup {
  const { requirement, deciding } = one;
  const { anchors, badges } = context;
  const outcome = part ? 'blocked' : outcomeOf(requirement);
  const brief = part ? describeBlockedPart(part) : requirement.message;
  const leads = cause?.lead.requirement.id === requirement.id;
  const anchor = anchors.findingAnchor(requirement.id);
  return html`<article class="finding ${outcome}" ${anchor !== undefined && html` id="${anchor}"`}>
    <details class="card-body" ${open && html` open`}>
      <summary>
        <h4>${requirement.statement}</h4>
        <span class="quiet facts"
          >${outcomeMark(outcome)}
          ${outcome !== 'advice' && html`<span class="level">${requirement.level}</span> `}<code
            >${requirement.id}</code
          >
          · ${requirement.section} ${badges(requirement, deciding)}</span
        >
        ${brief !== undefined && html`<span class="brief">${brief}</span>`}
      </summary>
      ${part && blockedPart(part, anchors)} ${cause && !leads && sameAnswer(cause, anchors)} ${body(one, context, open)}
      ${cause && leads && sharing(cause, anchors)}
    </details>
  </article> `;
}

/** Requirements that one cause blocked. */
export function blockedCard(
  { surface, cause, findings }: BlockedGroup,
  context: CardContext,
  lead?: SameCause,
): Markup {
  const { anchors, evidence } = context;
  const [first] = findings;
  const exchange = first?.exchanges.at(-1);
  const { hint, causes } = first?.deciding ?? {};
  return html`<article class="finding blocked">
    <h4>${surface}: ${counted(findings.length, 'requirement')} blocked</h4>
    <p class="quiet">${outcomeMark('blocked')} one common cause</p>
    <p class="says">${cause}</p>
    ${lead && sameAnswer(lead, anchors)} ${adviceList({ hint, causes })}
    <details>
      <summary>Which requirements</summary>
      <ul>
        ${findings.map(({ requirement }) => html`<li>${requirement.statement} <code>${requirement.id}</code> ${ownBadge(requirement)}</li>`)}
      </ul>
    </details>
    ${
      exchange &&
      html`<p class="label">Evidence</p>
        ${exchangeDetails(exchange, { log: evidence.logOf(exchange.id) })}`
    }
  </article> `;
}

function blockedPart(part: PartlyBlocked, anchors: Anchors): Markup {
  const { evidence } = part.unjudged;
  const exchange = evidence.at(-1);
  return html`<p class="says">${describeBlockedPart(part)}</p>
    ${adviceList(part.unjudged)}
    ${exchange !== undefined && html`<p class="quiet">It was blocked in ${anchors.exchangeLink(exchange)}.</p>`}
    <p class="label">Waived or known failure:</p>`;
}

function body(one: RequirementFinding, { anchors, evidence }: CardContext, open: boolean): Markup {
  const { requirement, deciding, others, exchanges, evidenceOf } = one;
  const exchange = exchanges.at(-1);
  const call = exchange && hasConnection(exchange) ? exchange.call : undefined;
  const broken = exchange ? brokenPartsOf(deciding, exchange) : [];
  return html`${comparison(requirement.message, deciding)} ${adviceList(deciding, requirement.remediation)}
  ${exchange && call && callExcerpt(call, breaksOf(deciding, exchange), anchors.exchangeLink(exchange.id))}
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

function sameAnswer({ lead }: SameCause, anchors: Anchors): Markup {
  return html`<p class="same">
    Received the same answer as ${anchors.requirementLink(lead.requirement.id)}: probably the same cause.
  </p>`;
}

function sharing(cause: SameCause, anchors: Anchors): Markup {
  return html`<div class="same">
    <p>${describeSameCause(cause)}</p>
    <ul>
      ${cause.rest.map(({ requirement }) => html`<li>${outcomeMark(outcomeOf(requirement))} ${anchors.requirementLink(requirement.id)}</li> `)}
    </ul>
  </div>`;
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
          ${adviceList(check)} ${check.counterexample && counterexampleView(check.counterexample)}
        </li> `;
      })}
    </ul>
  </details>`;
}
