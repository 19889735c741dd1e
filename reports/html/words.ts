import { groups } from '../groups.ts';
import type { Group } from '../groups.ts';
import { outcomeWords } from '../wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** The outcome or group as sign and word, coloured. */
export function mark(group: Group): Markup {
  const { sign, word } = outcomeWords[group];
  return html`<span class="mark ${group}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

/** A time for people and machines: `2026-10-12 09:30:00 UTC`. Anything that is no ISO time stays as it is. */
export function moment(iso: string): Markup {
  const utc = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso);
  return html`<time datetime="${iso}">${utc ? `${utc[1]} ${utc[2]} UTC` : iso}</time>`;
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

/** How many requirements each group has, those without any left out. */
export function countItems(counts: Readonly<Record<Group, number>>): Markup[] {
  return groups
    .filter((group) => counts[group] > 0)
    .map(
      (group) =>
        html`<li class="${group}">
          <span aria-hidden="true">${outcomeWords[group].sign}</span> <strong>${counts[group]}</strong>
          ${countWords[group]}
        </li> `,
    );
}
