import type { CheckResult, Report } from '../../specs/types.ts';
import { repeatWords } from '../wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** What a run says of a failure beside its verdict: whether it is new, excused, and how often it came. */
export type Badges = (requirement: string, check?: CheckResult) => Markup[];

/** The badges of a report: from its baseline, its waivers and its repeats. */
export function badgesOf({ gate }: Report): Badges {
  const isNew = new Set(gate?.baseline?.new);
  const isKnown = new Set(gate?.baseline?.known);
  const waivers = new Map(gate?.waivers?.map((waiver) => [waiver.requirement, waiver]));
  return (requirement, check) => {
    const waiver = waivers.get(requirement);
    const often = repeatWords(check);
    return [
      isNew.has(requirement) && badge('new', 'new since the baseline'),
      isKnown.has(requirement) && badge('known', 'known from the baseline'),
      waiver?.state === 'applied' && badge('known', `waived until ${waiver.until}`),
      waiver?.state === 'expired' && badge('new', `waiver expired on ${waiver.until}`),
      often !== undefined && badge('often', often),
    ].filter((one) => one !== false);
  };
}

function badge(kind: string, words: string): Markup {
  return html`<span class="badge ${kind}">${words}</span> `;
}
