import { groups } from '../../model/groups.ts';
import type { Group } from '../../model/groups.ts';
import { formatTime, outcomeLabels } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** The outcome or group as sign and word, coloured. */
export function outcomeMark(group: Group): Markup {
  const { sign, word } = outcomeLabels[group];
  return html`<span class="mark ${group}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

/** A moment for people and machines. */
export function timeElement(iso: string): Markup {
  return html`<time datetime="${iso}">${formatTime(iso)}</time>`;
}

/** The finding beside what it is about. */
export function brokeHere(failure: string): Markup {
  return html`<span aria-hidden="true">${outcomeLabels.fail.sign}</span> <strong>broke here:</strong> ${failure}`;
}

const countWords: Readonly<Record<Group, string>> = {
  fail: 'failing',
  blocked: 'blocked',
  warn: 'with a warning',
  advice: 'with advice',
  pass: 'passing',
  'not-exercised': 'not exercised',
  unobservable: 'not observable',
  'not-selected': 'not selected',
  'not-applicable': 'not applicable',
};

/** How many requirements each group has, those without any omitted. */
export function countItems(counts: Readonly<Record<Group, number>>): Markup[] {
  return groups
    .filter((group) => counts[group] > 0)
    .map(
      (group) =>
        html`<li class="${group}">
          <span aria-hidden="true">${outcomeLabels[group].sign}</span> <strong>${counts[group]}</strong>
          ${countWords[group]}
        </li> `,
    );
}
