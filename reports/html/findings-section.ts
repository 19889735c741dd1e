import type { Counterexample, Report } from '../../specs/types.ts';
import { blockedGroups, breaksOf, findingsOf } from '../findings.ts';
import type { BlockedGroup, Finding } from '../findings.ts';
import { indentJson } from '../indent-json.ts';
import { sameCauses } from '../same-cause.ts';
import type { CauseOf, SameCause } from '../same-cause.ts';
import { outcomeOf } from '../verdict.ts';
import { counted, eventWord, hasConnection, sameCauseWords } from '../wording.ts';
import type { Anchors } from './anchors.ts';
import { callExcerpt } from './call.ts';
import { exchangeDetails } from './exchange.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { mark } from './words.ts';

/** What to mend, first things first: musts, what was blocked, warnings, advice. */
export function findingsSection(report: Report, anchors: Anchors): Markup {
  const causeOf = sameCauses(report);
  const groups = blockedGroups(report);
  const failing = (outcome: 'fail' | 'warn' | 'advice') =>
    findingsOf(report, outcome).map((one) => finding(one, anchors, causeOf(one)));
  const parts = [
    part('Musts that do not hold', failing('fail')),
    part(
      'Could not be judged',
      groups.map((group) => blocked(group, causeOf, anchors)),
      groups.reduce((sum, { findings }) => sum + findings.length, 0),
    ),
    part('Warnings', failing('warn')),
    part('Advice', failing('advice')),
  ];
  const nothing = parts.every((one) => one === undefined);
  return html`<section id="mend" aria-labelledby="mend-title">
    <h2 id="mend-title">What to mend</h2>
    ${nothing ? html`<p>Nothing that was seen needs mending.</p>` : parts}
  </section>`;
}

function part(title: string, articles: readonly Markup[], count = articles.length): Markup | undefined {
  return articles.length === 0
    ? undefined
    : html`<h3>${title} <span class="count">${count}</span></h3>
        ${articles}`;
}

function finding(one: Finding, anchors: Anchors, cause?: SameCause): Markup {
  const { requirement } = one;
  const outcome = outcomeOf(requirement);
  const leads = cause?.lead.requirement.id === requirement.id;
  return html`<article class="finding ${outcome}" ${anchors.findingAttribute(requirement.id)}>
    <h4>${requirement.statement}</h4>
    <p class="quiet">
      ${mark(outcome)} ${outcome !== 'advice' && html`<span class="level">${requirement.level}</span>`}
      <code>${requirement.id}</code> · ${requirement.section}
    </p>
    ${
      cause && !leads
        ? html`<p class="same">The same answer as to ${findingLink(cause.lead, anchors)}: probably the same cause.</p>
            <details>
              <summary>What was expected, what was received, and how to repeat it</summary>
              ${findingBody(one, anchors)}
            </details>`
        : html`${findingBody(one, anchors)}${cause && sharing(cause, anchors)}`
    }
  </article> `;
}

function findingBody({ requirement, deciding, others, exchanges, evidenceOf }: Finding, anchors: Anchors): Markup {
  const exchange = exchanges.at(-1);
  const call = exchange && hasConnection(exchange) ? exchange.call : undefined;
  return html`${outcomeText(requirement.message, deciding)}
    <dl class="advice-list">
      ${entry('Probable cause', deciding?.hint)} ${entry('What to change', requirement.mend || undefined)}
      ${repeat(deciding)}
    </dl>
    ${exchange && call && callExcerpt(call, breaksOf(deciding, exchange), anchors.exchangeLink(exchange.id))}
    ${deciding?.counterexample && counterexample(deciding.counterexample)}
    ${others.length > 0 && alsoFailing(others, evidenceOf, anchors)}
    ${
      exchange &&
      html`<p class="label">Evidence</p>
        ${exchangeDetails(exchange, { isTold: call !== undefined })}`
    }
    ${
      exchanges.length > 1 &&
      earlier(
        exchanges.slice(0, -1).map(({ id }) => id),
        anchors,
      )
    }`;
}

function repeat(check: Finding['deciding']): Markup | undefined {
  return check?.reproduce === undefined
    ? undefined
    : html`<div>
        <dt>Repeat it</dt>
        <dd><code class="command">${check.reproduce}</code></dd>
      </div>`;
}

function findingLink({ requirement }: Finding, anchors: Anchors): Markup {
  const anchor = anchors.findingAnchor(requirement.id);
  const id = html`<code>${requirement.id}</code>`;
  return anchor === undefined ? id : html`<a href="#${anchor}">${id}</a>`;
}

function sharing(cause: SameCause, anchors: Anchors): Markup {
  return html`<div class="same">
    <p>${sameCauseWords(cause)}</p>
    <ul>
      ${cause.rest.map((one) => html`<li>${mark(outcomeOf(one.requirement))} ${findingLink(one, anchors)}</li> `)}
    </ul>
  </div>`;
}

function outcomeText(message: string | undefined, deciding: Finding['deciding']): Markup {
  const { expected, received } = deciding ?? {};
  if (expected === undefined || received === undefined) return html`<p class="says">${message}</p>`;
  const repeats = message === `expected ${expected}, received ${received}`;
  return html`${!repeats && html`<p class="says">${message}</p>`}
    <dl class="pair">
      <div>
        <dt>Expected</dt>
        <dd><pre>${expected}</pre></dd>
      </div>
      <div>
        <dt>Received</dt>
        <dd><pre>${received}</pre></dd>
      </div>
    </dl>`;
}

function entry(term: string, text: string | undefined): Markup | undefined {
  return text === undefined
    ? undefined
    : html`<div>
        <dt>${term}</dt>
        <dd>${text}</dd>
      </div>`;
}

function alsoFailing(others: Finding['others'], evidenceOf: Finding['evidenceOf'], anchors: Anchors): Markup {
  return html`<details>
    <summary>${counted(others.length, 'more check')} of this requirement with the same verdict</summary>
    <ul class="others">
      ${others.map((check) => {
        const exchange = evidenceOf(check).at(-1);
        return html`<li>
          ${check.title}${exchange && html` · ${anchors.exchangeLink(exchange.id)}`}
          ${check.message !== undefined && html`<br /><span class="quiet">${check.message}</span>`}
          <dl class="advice-list">${entry('Probable cause', check.hint)} ${repeat(check)}</dl>
          ${check.counterexample && counterexample(check.counterexample)}
        </li> `;
      })}
    </ul>
  </details>`;
}

function earlier(ids: readonly string[], anchors: Anchors): Markup {
  return html`<p class="quiet">
    Exchanges before it: ${ids.map((id, index) => [index > 0 && ', ', anchors.exchangeLink(id)])}
  </p>`;
}

function counterexample(example: Counterexample): Markup {
  const { seed, path, runs, shrinks, event, differences } = example;
  return html`<details>
    <summary>Smallest failing ${eventWord(example)}</summary>
    <p class="quiet">
      seed ${seed}, path ${path}, found after ${counted(runs, 'run')} and ${counted(shrinks, 'shrink')}
    </p>
    ${
      differences.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label="What differs">
        <table>
          <caption>
            What differs from the nearest event that was accepted
          </caption>
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col">Failing</th>
              <th scope="col">Accepted</th>
            </tr>
          </thead>
          <tbody>
            ${differences.map(
              (one) =>
                html`<tr>
                  <th scope="row"><code>${one.pointer || '(the whole body)'}</code></th>
                  <td><code>${one.failing}</code></td>
                  <td><code>${one.accepted}</code></td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
    <pre>${indentJson(event)}</pre>
  </details>`;
}

function blocked(group: BlockedGroup, causeOf: CauseOf, anchors: Anchors): Markup {
  const [first] = group.findings;
  const cause = first && causeOf(first);
  if (group.findings.length === 1 && first) return finding(first, anchors, cause);
  const exchange = first?.exchanges.at(-1);
  return html`<article class="finding blocked">
    <h4>${group.surface}: ${counted(group.findings.length, 'requirement')} blocked</h4>
    <p class="quiet">${mark('blocked')} one cause for all of them</p>
    <p class="says">${group.cause}</p>
    ${cause && html`<p class="same">The same answer as to ${findingLink(cause.lead, anchors)}: probably the same cause.</p>`}
    ${first?.deciding?.hint !== undefined && html`<dl class="advice-list">${entry('Probable cause', first.deciding.hint)}</dl>`}
    <details>
      <summary>Which requirements</summary>
      <ul>
        ${group.findings.map(
          ({ requirement }) => html`<li>${requirement.statement} <code>${requirement.id}</code></li>`,
        )}
      </ul>
    </details>
    ${
      exchange &&
      html`<p class="label">Evidence</p>
        ${exchangeDetails(exchange)}`
    }
  </article> `;
}
