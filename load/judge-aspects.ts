import type { Finding } from '../harness/checks/finding.ts';
import type { RequirementId } from '../specs/requirements/catalogue.ts';
import type { Aspect } from '../suites/judgement.ts';
import type { LoadViolation } from './traffic.ts';

/** The finding as a list of violations: empty without a finding. */
export function violations(requirement: RequirementId, finding: Finding | undefined): LoadViolation[] {
  return finding ? [{ requirement, finding }] : [];
}

/** The violations of an event that was sent at this load. */
export function atLoad(load: number, found: readonly LoadViolation[]): LoadViolation[] {
  return found.map((violation) => ({ ...violation, load }));
}

/** Judges one body by the rules that the checks use. */
export function judgeAspects<Body>(aspects: readonly Aspect<Body>[], body: Body): LoadViolation[] {
  return aspects.flatMap(({ requirement, judge }) => {
    const judgement = judge(body);
    return judgement === true || judgement === 'nothing' ? [] : [{ requirement, finding: judgement }];
  });
}
