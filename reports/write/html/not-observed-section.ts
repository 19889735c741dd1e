import type { Report, RequirementResult } from '../../../specs/generated/types.ts';
import { reasonsOf } from '../../model/findings.ts';
import { counted } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

const kinds = [
  ['not-exercised', 'Not exercised', 'Not tested in this run; this does not count against the endpoint.'],
  ['unobservable', 'Cannot be observed from outside', 'No black-box check can observe these.'],
  ['not-selected', 'Not selected in this run', undefined],
  ['not-applicable', 'Not applicable', undefined],
] as const;

/** Requirements that the verdict does not cover, by kind and reason. */
export function notObservedSection(report: Report): Markup | undefined {
  const parts = kinds.flatMap(([kind, title, meaning]) => {
    const reasons = reasonsOf(report, kind)
      .map(({ reason, requirements }) => ({ reason, requirements: requirements.filter(isConfigured) }))
      .filter(({ requirements }) => requirements.length > 0);
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
  return html`<section id="not-judged" aria-labelledby="not-judged-title">
    <h2 id="not-judged-title">Not judged</h2>
    <p>The verdict does not cover these requirements: they neither passed nor failed.</p>
    ${parts}
  </section>`;
}

/** Surfaces that are not configured are named in one line of the surfaces. */
function isConfigured({ notJudged }: RequirementResult): boolean {
  return notJudged !== 'not-configured';
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
