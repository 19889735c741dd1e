import type { Outcome } from '../verdict.ts';
import { groupWords } from '../wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** The outcome as sign and word, coloured. */
export function mark(outcome: Outcome): Markup {
  const { sign, word } = groupWords[outcome];
  return html`<span class="mark ${outcome}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

/** A time for people and machines: `2026-10-12 09:30:00 UTC`. Anything that is no ISO time stays as it is. */
export function moment(iso: string): Markup {
  const utc = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso);
  return html`<time datetime="${iso}">${utc ? `${utc[1]} ${utc[2]} UTC` : iso}</time>`;
}
