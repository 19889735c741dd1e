import type { ConfigProblem } from '../../specs/faults/config-problem.ts';
import { suggestion } from '../../specs/nearest.ts';
import { isRequirementId, requirement, requirements } from '../../specs/requirements/catalogue.ts';
import type { Waiver } from '../../specs/generated/types.ts';
import { isOwnRequirementId } from '../checks/own-requirement.ts';

/** A problem of one waiver whose form is valid. */
export interface WaiverProblem extends ConfigProblem {
  readonly kind: 'unknown-requirement' | 'one-check' | 'unobservable' | 'second-waiver' | 'no-reason';
}

const suitesHint = 'If one of your suites states it, list that suite under suites.';

/**
 * Problems of waivers beyond their form: a requirement that does not exist or that no check can observe, so that the
 * waiver could never end; two waivers of one requirement; a blank reason.
 *
 * @param hasOwnSuites the config lists suites of the integrator, so an unknown id may be theirs; their requirements are
 *   known only once the suites are loaded
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
              expected: 'a reason',
              received: 'only white space',
            },
          ]
        : []),
    ];
  });
}

function requirementProblem(
  id: string,
  hasOwnSuites: boolean,
): Pick<WaiverProblem, 'kind' | 'expected' | 'hint'> | undefined {
  const [name = ''] = id.split('#', 1);
  const isOwn = (one: string) => hasOwnSuites && isOwnRequirementId(one);
  if (name !== id && (isRequirementId(name) || isOwn(name))) {
    return { kind: 'one-check', expected: `the id of the whole requirement (${name})` };
  }
  if (isOwn(id)) return undefined;
  if (!isRequirementId(id)) {
    const hint = `${suggestion(id, Object.keys(requirements))}${isOwnRequirementId(id) ? ` ${suitesHint}` : ''}`.trim();
    return {
      kind: 'unknown-requirement',
      expected: 'the id of a requirement (svc-conform explain lists them)',
      ...(hint !== '' && { hint }),
    };
  }
  if (requirement(id).unobservable === undefined) return undefined;
  return { kind: 'unobservable', expected: 'a requirement that a check can observe' };
}
