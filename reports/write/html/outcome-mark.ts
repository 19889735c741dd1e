import { groups, type Group } from '../../model/groups.ts';
import { formatTime, outcomeLabels } from '../../text/wording.ts';
import { html, type Markup } from './markup.ts';

/** The outcome or group as a coloured sign and word. */
export function outcomeMark(group: Group): Markup {
  const { sign, word } = outcomeLabels[group];
  return html`<span class="mark ${group}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

/** A time for people and machines. */
export function timeElement(iso: string): Markup {
  return html`<time datetime="${iso}">${formatTime(iso)}</time>`;
}

/** The failure at the part that caused it. */
export function failureMark(failure: string): Markup {
  return html`<span aria-hidden="true">${outcomeLabels.fail.sign}</span> <strong>failed here:</strong> ${failure}`;
}

const countLabels: Readonly<Record<Group, string>> = {
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

/** The number of requirements in each group that has any. */
export function countItems(counts: Readonly<Record<Group, number>>): Markup[] {
  return groups
    .filter((group) => counts[group] > 0)
    .map(
      (group) =>
        html`<li class="${group}">
          <span aria-hidden="true">${outcomeLabels[group].sign}</span> <strong>${counts[group]}</strong>
          ${countLabels[group]}
        </li> `,
    );
}
