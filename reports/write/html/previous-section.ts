import type { Report } from '../../../specs/generated/types.ts';
import { previousLabels } from '../../text/wording.ts';
import type { Anchors } from './anchors.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { reportChanges } from './report-changes.ts';

/** What changed since the previous run; `undefined` when nothing failed then or now. */
export function previousSection(report: Report, anchors: Anchors): Markup | undefined {
  const { previous } = report;
  if (!previous) return undefined;
  const { new: failing, known, fixed, gone } = previous;
  if ([failing, known, fixed, gone].every(({ length }) => length === 0)) return undefined;
  return html`<section id="previous" aria-labelledby="previous-title">
    <h2 id="previous-title">Since the last run</h2>
    ${reportChanges(report, previous, { labels: previousLabels, anchors })}
  </section>`;
}
