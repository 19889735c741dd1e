import type { Report, RequirementResult } from '../../../specs/generated/types.ts';
import { reasonsOf } from '../../model/findings.ts';
import { counted } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

const kinds = [
  ['not-exercised', 'Not exercised', 'Nothing was seen to judge these by, which no endpoint is blamed for.'],
  ['unobservable', 'Cannot be observed from outside', 'No check can see these, whatever the endpoint does.'],
  ['not-selected', 'Not selected in this run', undefined],
  ['not-applicable', 'Not applicable', undefined],
] as const;

/** What the verdict says nothing about, by kind and reason. */
export function notObservedSection(report: Report): Markup | undefined {
  const parts = kinds.flatMap(([kind, title, meaning]) => {
    const reasons = reasonsOf(report, kind);
    if (reasons.length === 0) return [];
    const count = reasons.reduce((sum, { requirements }) => sum + requirements.length, 0);
    const reasonOf = (reason: string) => (kind === 'not-selected' ? 'Which requirements' : reason);
    return [
      html`<h3>${title} <span class="count">${count}</span></h3>
        ${meaning !== undefined && html`<p class="quiet">${meaning}</p>`}
        ${
          kind === 'unobservable'
            ? statements(reasons.flatMap(({ requirements }) => requirements))
            : reasons.map(({ reason, requirements }) => group(reasonOf(reason), requirements))
        }`,
    ];
  });
  if (parts.length === 0) return undefined;
  return html`<section id="not-seen" aria-labelledby="not-seen-title">
    <h2 id="not-seen-title">What was not seen</h2>
    <p>The verdict says nothing about these: they neither passed nor failed.</p>
    ${parts}
  </section>`;
}

function statements(requirements: readonly RequirementResult[]): Markup {
  return html`<details class="reason">
    <summary>
      Which requirements, and why <span class="quiet">${counted(requirements.length, 'requirement')}</span>
    </summary>
    <ul>
      ${requirements.map(
        ({ statement, id, message }) =>
          html`<li>
            ${statement} <code>${id}</code>${message !== undefined && html`<br /><span class="quiet">${message}</span>`}
          </li> `,
      )}
    </ul>
  </details> `;
}

function group(reason: string, requirements: readonly RequirementResult[]): Markup {
  return html`<details class="reason">
    <summary>${reason} <span class="quiet">${counted(requirements.length, 'requirement')}</span></summary>
    <ul>
      ${requirements.map(({ statement, id }) => html`<li>${statement} <code>${id}</code></li> `)}
    </ul>
  </details> `;
}
