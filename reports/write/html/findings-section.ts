import type { Report } from '../../../specs/generated/types.ts';
import type { CauseEntry } from '../../model/cause-entries.ts';
import { entriesToFix, findingGroups } from '../../model/finding-groups.ts';
import { runProblems, type RunProblem } from '../../model/gate-status.ts';
import { counted } from '../../text/wording.ts';
import { entryCard, findingCard } from './finding-card.ts';
import type { CardContext } from './finding-card.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** Up to this many findings are unfolded; of more, only the first two. Excused ones are folded. */
const openUpTo = 4;
const openOfMany = 2;

/** All causes: of failures, blocked requirements, warnings and advice; then excused failures. */
export function findingsSection(report: Report, context: CardContext): Markup {
  const groups = findingGroups(report);
  const { fails, blocked, partlyBlocked, excused, warns, advice } = groups;
  const all = entriesToFix(groups);
  const opened = new Set(all.slice(0, all.length <= openUpTo ? openUpTo : openOfMany));
  const entries = (title: string, found: readonly CauseEntry[]) =>
    part(
      title,
      found.map((one) => entryCard(one, context, opened.has(one))),
      counted(found.length, 'cause'),
    );
  const parts = [
    entries('Failures', fails),
    entries('Could not be judged', blocked),
    part(
      'Could not be judged in part',
      partlyBlocked.map((one) => findingCard(one.finding, context, one)),
    ),
    part(
      'Other reasons why the gate failed',
      runProblems(report).map((one) => problemCard(one, context)),
    ),
    entries('Warnings', warns),
    entries('Advice', advice),
    part(
      'Waived or known failures',
      excused.map(({ finding }) => findingCard(finding, context)),
    ),
  ];
  const isClean = parts.every((one) => one === undefined);
  return html`<section id="fix" aria-labelledby="fix-title">
    <h2 id="fix-title">What to fix</h2>
    ${isClean ? html`<p>Nothing to fix.</p>` : parts}
  </section>`;
}

function problemCard({ about, status, message }: RunProblem, { anchors }: CardContext): Markup {
  return html`<article class="finding ${status}">
    ${about !== 'run' && anchors.requirementLink(about)}
    <p class="says">${message}</p>
  </article>`;
}

function part(title: string, articles: readonly Markup[], count = String(articles.length)): Markup | undefined {
  return articles.length === 0
    ? undefined
    : html`<h3>${title} <span class="count">${count}</span></h3>
        ${articles}`;
}
