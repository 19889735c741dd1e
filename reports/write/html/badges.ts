import type { CheckResult, Report, RequirementResult } from '../../../specs/generated/types.ts';
import { ownLabel, formatRepeats } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/**
 * Labels of a requirement in addition to its verdict: whether it is the integrator's own, new or excused, and how often it
 * failed.
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
    const repeats = formatRepeats(check);
    return [
      ...ownBadge(requirement),
      isNew.has(id) && badge('new', 'new since the baseline'),
      isKnown.has(id) && badge('known', 'known from the baseline'),
      waiver?.state === 'applied' && badge('known', `waived until ${waiver.until}`),
      waiver?.state === 'expired' && badge('new', `waiver expired on ${waiver.until}`),
      repeats !== undefined && badge('often', repeats),
    ].filter((one) => one !== false);
  };
}

/** Marks the integrator's own requirements. */
export function ownBadge({ own }: RequirementResult): Markup[] {
  return own ? [badge('own', ownLabel)] : [];
}

function badge(kind: string, label: string): Markup {
  return html`<span class="badge ${kind}">${label}</span> `;
}
