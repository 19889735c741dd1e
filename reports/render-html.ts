import { createHash } from 'node:crypto';
import type { Report } from '../specs/types.ts';
import { groupOf, groups } from './groups.ts';
import type { Group } from './groups.ts';
import { createAnchors } from './html/anchors.ts';
import { evidenceSection } from './html/evidence-section.ts';
import { findingsSection } from './html/findings-section.ts';
import { html, Markup } from './html/markup.ts';
import { notSeenSection } from './html/not-seen-section.ts';
import { requirementsSection } from './html/requirements-section.ts';
import { script } from './html/script.ts';
import { style } from './html/style.ts';
import { surfacesSection } from './html/surfaces-section.ts';
import { timingsSection } from './html/timings-section.ts';
import { countItems, moment } from './html/words.ts';
import { longDuration, selectionNotes, verdictReason, verdictWord } from './wording.ts';

export interface HtmlOptions {
  /** Exchanges shown in the evidence section; further ones are counted and stay in report.json. */
  readonly maxExchanges?: number | undefined;
}

const defaultMaxExchanges = 500;

/**
 * The report as one page that stands alone: no request goes out from it, and its policy admits only its own style and
 * script. It reads the same without the script.
 */
export function renderHtml(report: Report, { maxExchanges = defaultMaxExchanges }: HtmlOptions = {}): string {
  const anchors = createAnchors(report, maxExchanges);
  const policy = [
    "default-src 'none'",
    `style-src '${integrity(style)}'`,
    `script-src '${integrity(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const sections = [
    { id: 'mend', title: 'What to mend', body: findingsSection(report, anchors) },
    { id: 'surfaces', title: 'Surfaces', body: surfacesSection(report) },
    { id: 'requirements', title: 'Requirements', body: requirementsSection(report, anchors) },
    { id: 'timings', title: 'Times', body: timingsSection(report) },
    { id: 'not-seen', title: 'Not seen', body: notSeenSection(report) },
    { id: 'evidence', title: 'Evidence', body: evidenceSection(report, anchors) },
  ].filter(({ body }) => body !== undefined);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>${verdictWord(report)} - svc-conform report of ${report.startedAt}</title>
        ${inline('style', style)}
      </head>
      <body>
        <a class="skip" href="#mend">Skip to what to mend</a>
        <header class="verdict ${report.verdict}">
          <div class="page">
            <p class="quiet name">svc-conform report</p>
            <h1>${verdictWord(report)}</h1>
            <p class="why">${verdictReason(report)}</p>
            ${selectionNotes(report.selection).map((note) => html`<p class="partial">${note}</p> `)} ${totals(report)}
            <p class="quiet">
              ${moment(report.startedAt)} · took ${longDuration(report.durationMs)} · seed ${report.seed}
            </p>
            <nav aria-label="Sections">
              <ul>
                ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
              </ul>
            </nav>
          </div>
        </header>
        <main class="page">
          ${sections.map(({ body }) => html`${body} `)}
          <footer class="quiet">svc-conform ${report.harness.version} · own-AI protocol ${report.protocol}</footer>
        </main>
        ${inline('script', script)}
      </body>
    </html> `;
  return page.source;
}

function totals(report: Report): Markup {
  const counts = Map.groupBy(report.requirements, groupOf);
  const totalOf = Object.fromEntries(groups.map((group) => [group, counts.get(group)?.length ?? 0]));
  return html`<ul class="counts" aria-label="Requirements by verdict">
    ${countItems(totalOf as Record<Group, number>)}
  </ul>`;
}

// The policy's hash covers every byte between the tags, so nothing may come between them and the text.
function inline(tag: 'style' | 'script', text: string): Markup {
  return new Markup(`<${tag}>${text}</${tag}>`);
}

function integrity(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
