import type { Report } from '../../../specs/generated/types.ts';
import { createAnchors } from './anchors.ts';
import { badgesOf } from './badges.ts';
import { fixesOf, type CodeSamples } from './code-samples.ts';
import { containerSection, startedTitle } from './container-section.ts';
import { callsSection, evidenceSection } from './evidence-section.ts';
import { gatherEvidence } from './evidence.ts';
import { findingsSection } from './findings-section.ts';
import { gateSection } from './gate-section.ts';
import { htmlPage } from './html-page.ts';
import { html } from './markup.ts';
import { notObservedSection } from './not-observed-section.ts';
import { previousSection } from './previous-section.ts';
import { requirementsSection } from './requirements-section.ts';
import { script } from './script.ts';
import { styleOf } from './style.ts';
import { surfacesSection } from './surfaces-section.ts';
import { timingsSection } from './timings-section.ts';
import { verdictHeader } from './verdict-header.ts';
import { labelReport } from '../../text/headline.ts';

export interface HtmlOptions {
  /** Characters of exchanges as markup; further ones are packed for the page's script. */
  readonly writtenCharacters?: number | undefined;
  /** Code for the fixes; default: none. */
  readonly samples?: CodeSamples | undefined;
}

const defaultWrittenCharacters = 400_000;

/**
 * The report as one self-contained page: it sends no requests, and its policy allows only its own style and script. Without
 * the script it is complete except for packed exchanges.
 */
export function renderHtml(
  report: Report,
  { writtenCharacters = defaultWrittenCharacters, samples = new Map() }: HtmlOptions = {},
): string {
  const evidence = gatherEvidence(report, writtenCharacters);
  const anchors = createAnchors(report, evidence);
  const badges = badgesOf(report);
  const sections = [
    {
      id: 'fix',
      title: 'What to fix',
      body: findingsSection(report, { anchors, badges, evidence, fixes: fixesOf(samples) }),
    },
    { id: 'gate', title: 'Gate', body: gateSection(report, anchors) },
    { id: 'previous', title: 'Since the last run', body: previousSection(report, anchors) },
    { id: 'surfaces', title: 'Surfaces', body: surfacesSection(report) },
    { id: 'timings', title: 'Times', body: timingsSection(report) },
    { id: 'calls', title: 'Calls', body: callsSection(evidence) },
    { id: 'requirements', title: 'Requirements', body: requirementsSection(report, anchors, badges) },
    { id: 'not-judged', title: 'Not judged', body: notObservedSection(report) },
    { id: 'container', title: startedTitle(report.start), body: containerSection(report) },
    { id: 'evidence', title: 'Evidence', body: evidenceSection(evidence) },
  ].filter(({ body }) => body !== undefined);
  const body = html`<a class="skip" href="#fix">Skip to what to fix</a>
    ${verdictHeader(report, anchors)}
    <nav class="sections" aria-label="Sections">
      <ul class="page">
        ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      </ul>
    </nav>
    <main class="page">${sections.map(({ body: section }) => html`${section} `)}</main>
    <footer class="page quiet">svc-conform ${report.harness.version} · own-AI protocol ${report.protocol}</footer>`;
  const title = `${labelReport(report)} - svc-conform report of ${report.startedAt}`;
  return htmlPage({ title, style: styleOf(report), script, body });
}
