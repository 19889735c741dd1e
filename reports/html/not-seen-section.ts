import type { Report, RequirementResult } from '../../specs/types.ts';
import { reasonsOf } from '../findings.ts';
import { counted } from '../wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** What the verdict says nothing about, grouped by reason. */
export function notSeenSection(report: Report): Markup | undefined {
  const groups = (['not-exercised', 'not-applicable'] as const).flatMap((outcome) => {
    const reasons = reasonsOf(report, outcome);
    if (reasons.length === 0) return [];
    const title = outcome === 'not-exercised' ? 'Not exercised' : 'Not applicable';
    return [
      html`<h3>${title}</h3>
        ${reasons.map(({ reason, requirements }) => group(reason, requirements))}`,
    ];
  });
  if (groups.length === 0) return undefined;
  return html`<section id="not-seen" aria-labelledby="not-seen-title">
    <h2 id="not-seen-title">What was not seen</h2>
    <p>The verdict says nothing about these: they neither passed nor failed.</p>
    ${groups}
  </section>`;
}

function group(reason: string, requirements: readonly RequirementResult[]): Markup {
  return html`<details class="reason">
    <summary>${reason} <span class="quiet">${counted(requirements.length, 'requirement')}</span></summary>
    <ul>
      ${requirements.map(
        ({ statement, id, message }) =>
          html`<li>
            ${statement}
            <code>${id}</code
            >${message !== undefined && message !== reason && html`<br /><span class="quiet">${message}</span>`}
          </li>`,
      )}
    </ul>
  </details> `;
}
