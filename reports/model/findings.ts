import type { CheckResult, Exchange, Report, RequirementResult } from '../../specs/generated/types.ts';
import { groupOf, groups, type Group } from './groups.ts';
import type { Break } from '../text/transcript.ts';
import { formatExpectation, observedTarget } from '../text/wording.ts';
import { configKeyOf, surfaces, isSurface } from '../../specs/surfaces.ts';

/** Requirements that were not judged for the same reason. */
export interface Reason {
  readonly reason: string;
  readonly requirements: readonly RequirementResult[];
}

/** Summary of one surface. */
export interface SurfaceView {
  readonly surface: string;
  /** The address, command or file that was checked, or that the requests of the endpoint were. */
  readonly target: string | undefined;
  readonly counts: Readonly<Record<Group, number>>;
  /** Set when the run omitted the whole surface. */
  readonly omitted: 'not-selected' | 'not-applicable' | undefined;
  readonly requirements: readonly RequirementResult[];
}

/** The frame of this exchange that violated the rule of the check; empty when there is none or it is unknown. */
export function breaksOf(check: CheckResult | undefined, { id }: Exchange): Break[] {
  const { brokeAt } = check ?? {};
  if (!check || !brokeAt || !('frame' in brokeAt) || brokeAt.exchange !== id) return [];
  return [{ frame: brokeAt.frame, failure: describeFailure(check) }];
}

/** The failure of a check in one line. */
export function describeFailure(check: CheckResult): string {
  return formatExpectation(check) ?? check.message ?? check.title;
}

/** Why the requirements of a group were not judged, the most frequent reason first. */
export function reasonsOf(report: Report, group: Group): Reason[] {
  const rows = report.requirements.filter((requirement) => groupOf(requirement) === group);
  return [...Map.groupBy(rows, ({ message }) => message ?? 'no reason was recorded')]
    .map(([reason, requirements]) => ({ reason, requirements }))
    .toSorted((a, b) => b.requirements.length - a.requirements.length);
}

/** Surfaces that the run omitted for this reason, with the config key that would include them. */
export function omittedSurfaces(views: readonly SurfaceView[], why: 'not-selected' | 'not-applicable'): string[] {
  return views
    .filter(({ omitted }) => omitted === why)
    .map(({ surface }) => {
      const key = isSurface(surface) ? configKeyOf(surface) : undefined;
      return why === 'not-applicable' && key !== undefined ? `${surface} (config key ${key})` : surface;
    });
}

/** Each surface that has requirements, in the interface's order, others after it. */
export function surfaceViews(report: Report): SurfaceView[] {
  const bySurface = Map.groupBy(report.requirements, (requirement) => requirement.surface);
  const known = surfaces.filter((surface) => bySurface.has(surface));
  const order = new Set([...known, ...bySurface.keys()]);
  return [...order].map((surface) => {
    const requirements = bySurface.get(surface) ?? [];
    const counts = Object.fromEntries(groups.map((group) => [group, 0])) as Record<Group, number>;
    for (const requirement of requirements) counts[groupOf(requirement)] += 1;
    const omitted = (['not-selected', 'not-applicable'] as const).find(
      (group) => counts[group] === requirements.length,
    );
    const { url, command, file } = report.target[surface] ?? {};
    const isObserved = report.checks.some((check) => check.surface === surface && check.source === 'observed');
    const target = url ?? command ?? file ?? (isObserved ? observedTarget : undefined);
    return { surface, target, counts, omitted, requirements };
  });
}
