import type { Counterexample, Report } from '../../specs/types.ts';
import { blockedGroups, findingsOf } from '../findings.ts';
import type { BlockedGroup, Finding } from '../findings.ts';
import { indentJson } from '../indent-json.ts';
import { outcomeOf } from '../verdict.ts';
import { counted } from '../wording.ts';
import type { Anchors } from './anchors.ts';
import { exchangeDetails } from './exchange.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { mark } from './words.ts';

/** What to mend, first things first: musts, what was blocked, warnings, advice. */
export function findingsSection(report: Report, anchors: Anchors): Markup {
  const groups = blockedGroups(report).map((group) => blocked(group, anchors));
  const failing = (outcome: 'fail' | 'warn' | 'advice') =>
    findingsOf(report, outcome).map((one) => finding(one, anchors));
  const parts = [
    part('Musts that do not hold', failing('fail')),
    part('Could not be judged', groups),
    part('Warnings', failing('warn')),
    part('Advice', failing('advice')),
  ];
  const nothing = parts.every((one) => one === undefined);
  return html`<section id="mend" aria-labelledby="mend-title">
    <h2 id="mend-title">What to mend</h2>
    ${nothing ? html`<p>Nothing that was seen needs mending.</p>` : parts}
  </section>`;
}

function part(title: string, articles: readonly Markup[]): Markup | undefined {
  return articles.length === 0
    ? undefined
    : html`<h3>${title} <span class="count">${articles.length}</span></h3>
        ${articles}`;
}

function finding({ requirement, deciding, others, exchanges }: Finding, anchors: Anchors): Markup {
  const outcome = outcomeOf(requirement);
  const exchange = exchanges.at(-1);
  return html`<article class="finding ${outcome}" ${anchors.findingAttribute(requirement.id)}>
    <h4>${requirement.statement}</h4>
    <p class="quiet">
      ${mark(outcome)} ${outcome !== 'advice' && html`<span class="level">${requirement.level}</span>`}
      <code>${requirement.id}</code> · ${requirement.section}
    </p>
    ${outcomeText(requirement.message, deciding)}
    <dl class="advice-list">
      ${entry('Probable cause', deciding?.hint)} ${entry('What to change', requirement.mend || undefined)}
      ${
        deciding?.reproduce !== undefined &&
        html`<div>
          <dt>Repeat it</dt>
          <dd><code class="command">${deciding.reproduce}</code></dd>
        </div>`
      }
    </dl>
    ${deciding?.counterexample && counterexample(deciding.counterexample)} ${others.length > 0 && alsoFailing(others)}
    ${
      exchange &&
      html`<p class="label">Evidence</p>
        ${exchangeDetails(exchange)}`
    }
    ${
      exchanges.length > 1 &&
      earlier(
        exchanges.slice(0, -1).map(({ id }) => id),
        anchors,
      )
    }
  </article> `;
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

function alsoFailing(others: Finding['others']): Markup {
  return html`<details>
    <summary>${counted(others.length, 'more check')} of this requirement with the same verdict</summary>
    <ul>
      ${others.map(({ title, message }) => html`<li>${title}${message !== undefined && html`<br /><span class="quiet">${message}</span>`}</li>`)}
    </ul>
  </details>`;
}

function earlier(ids: readonly string[], anchors: Anchors): Markup {
  return html`<p class="quiet">
    Exchanges before it: ${ids.map((id, index) => [index > 0 && ', ', anchors.exchangeLink(id)])}
  </p>`;
}

function counterexample({ seed, path, runs, shrinks, event, differences }: Counterexample): Markup {
  return html`<details>
    <summary>Smallest failing event</summary>
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

function blocked(group: BlockedGroup, anchors: Anchors): Markup {
  const [first] = group.findings;
  if (group.findings.length === 1 && first) return finding(first, anchors);
  const exchange = first?.exchanges.at(-1);
  return html`<article class="finding blocked">
    <h4>${group.surface}: ${counted(group.findings.length, 'requirement')} blocked</h4>
    <p class="quiet">${mark('blocked')} one cause for all of them</p>
    <p class="says">${group.cause}</p>
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
