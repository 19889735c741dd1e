import type { Report, ReportComparison } from '../../../specs/generated/types.ts';
import { counted, labelVerdict } from '../../text/wording.ts';
import type { Anchors } from './anchors.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { timeElement } from './outcome-mark.ts';

type Change = 'new' | 'known' | 'fixed' | 'gone';

const changes = [
  ['new', 'New', 'fail'],
  ['known', 'Known', 'warn'],
  ['fixed', 'Fixed', 'pass'],
  ['gone', 'Gone', 'not-exercised'],
] as const satisfies readonly (readonly [Change, title: string, tone: string])[];

/** What failed in an earlier report, in this one, and in both. */
export function reportChanges(
  { requirements }: Report,
  comparison: ReportComparison,
  { labels, anchors }: { labels: Readonly<Record<Change, string>>; anchors: Anchors },
): Markup {
  const statements = new Map(requirements.map(({ id, statement }) => [id, statement]));
  const item = (id: string) =>
    html`<li>${statements.get(id) ?? 'No longer in the catalogue.'} ${anchors.requirementLink(id)}</li> `;
  return html`<p class="quiet">Report of ${timeElement(comparison.startedAt)}: ${labelVerdict(comparison)}.</p>
    ${(comparison.notes ?? []).map((note) => html`<p class="note partial">${note}</p> `)}
    <div class="cards changes">
      ${changes.map(([key, title, tone]) => {
        const ids = comparison[key];
        return html`<div class="card change ${ids.length === 0 ? 'none' : tone}">
          <h4>${title} <span class="number">${ids.length}</span></h4>
          <p class="quiet">${labels[key]}</p>
          ${
            ids.length > 0 &&
            html`<details${ids.length <= 3 && html` open`}>
              <summary>${counted(ids.length, 'requirement')}</summary>
              <ul>
                ${ids.map(item)}
              </ul>
            </details>`
          }
        </div>`;
      })}
    </div>`;
}
