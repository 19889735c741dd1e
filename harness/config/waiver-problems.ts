import { isRequirementId, requirement } from '../../specs/requirements/catalogue.ts';
import type { Waiver } from '../../specs/generated/types.ts';
import { isOwnRequirementId } from '../checks/own-requirement.ts';

/** What is wrong about one waiver of a config whose form is right. */
export interface WaiverProblem {
  kind: 'unknown-requirement' | 'one-check' | 'unobservable' | 'second-waiver' | 'no-reason';
  /** Key in the config: `waivers.0.requirement`. */
  key: string;
  expected: string;
  received: string;
}

/**
 * What is wrong with waivers beyond their form: a requirement that does not exist or that no check can observe, so that
 * the waiver could never end; two for one requirement; a reason that says nothing.
 *
 * @param hasOwnSuites suites of the integrator's own are named, so that an id which we do not know may be of theirs; what
 * they state is seen only when they are loaded
 */
export function waiverProblems(waivers: readonly Waiver[], { hasOwnSuites = false } = {}): WaiverProblem[] {
  return waivers.flatMap(({ requirement: id, reason }, at) => {
    const key = `waivers.${at}`;
    const isSecond = waivers.findIndex((other) => other.requirement === id) < at;
    const wrong = requirementProblem(id, hasOwnSuites);
    return [
      ...(wrong ? [{ ...wrong, key: `${key}.requirement`, received: id }] : []),
      ...(isSecond
        ? [
            {
              kind: 'second-waiver' as const,
              key: `${key}.requirement`,
              expected: 'one waiver per requirement',
              received: `another one for ${id}`,
            },
          ]
        : []),
      ...(reason.trim() === ''
        ? [
            {
              kind: 'no-reason' as const,
              key: `${key}.reason`,
              expected: 'a reason in words',
              received: 'nothing but white space',
            },
          ]
        : []),
    ];
  });
}

/** The problem as a line of a message about the config. */
export function waiverProblemLine({ key, expected, received }: WaiverProblem): string {
  return `  ${key}: expected ${expected}, received ${received}`;
}

function requirementProblem(id: string, hasOwnSuites: boolean): Pick<WaiverProblem, 'kind' | 'expected'> | undefined {
  const [name = ''] = id.split('#', 1);
  const isOwn = (one: string) => hasOwnSuites && isOwnRequirementId(one);
  if (name !== id && (isRequirementId(name) || isOwn(name))) {
    return { kind: 'one-check', expected: `the id of the whole requirement (${name})` };
  }
  if (isOwn(id)) return undefined;
  if (!isRequirementId(id)) {
    return {
      kind: 'unknown-requirement',
      expected: 'the id of a requirement (svc-conform explain lists them)',
    };
  }
  if (requirement(id).unobservable === undefined) return undefined;
  return { kind: 'unobservable', expected: 'a requirement that a check can observe' };
}
