import type { CheckResult, Report, RequirementResult } from '../../../specs/generated/types.ts';
import { ownLabel, formatRepeats } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/**
 * What a report says of a requirement beside its verdict: whether it is one of the integrator's own, new or excused, and
 * how often it failed.
 */
export type Badges = (requirement: RequirementResult, check?: CheckResult) => Markup[];

/** The badges of a report: from its requirements, its baseline, its waivers and its repeats. */
export function badgesOf({ gate }: Report): Badges {
  const isNew = new Set(gate?.baseline?.new);
  const isKnown = new Set(gate?.baseline?.known);
  const waivers = new Map(gate?.waivers?.map((waiver) => [waiver.requirement, waiver]));
  return (requirement, check) => {
    const { id } = requirement;
    const waiver = waivers.get(id);
    const often = formatRepeats(check);
    return [
      ...ownBadge(requirement),
      isNew.has(id) && badge('new', 'new since the baseline'),
      isKnown.has(id) && badge('known', 'known from the baseline'),
      waiver?.state === 'applied' && badge('known', `waived until ${waiver.until}`),
      waiver?.state === 'expired' && badge('new', `waiver expired on ${waiver.until}`),
      often !== undefined && badge('often', often),
    ].filter((one) => one !== false);
  };
}

/** Tells a requirement of the integrator's own from one of the interface. */
export function ownBadge({ own }: RequirementResult): Markup[] {
  return own ? [badge('own', ownLabel)] : [];
}

function badge(kind: string, words: string): Markup {
  return html`<span class="badge ${kind}">${words}</span> `;
}
