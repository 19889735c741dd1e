import type { CheckResult } from '../specs/generated/types.ts';
import type { FaultCode } from '../harness/checks/faults.ts';
import type { CauseId } from './causes.ts';
import { isRequirementId, requirement as requirementOf } from '../specs/requirements/catalogue.ts';
import type { ProbeName } from '../specs/requirements/probe.ts';
import { isEndpointSurface } from '../specs/surfaces.ts';

/** Probes that cover their whole subject regardless of the requirement: one run serves all requirements. */
export const wholeProbes: ReadonlySet<ProbeName> = new Set(['token', 'window', 'call', 'timing']);

/** The cheapest probe that can name why a requirement fails; `undefined` without one. */
export function probeFor(requirement: string): ProbeName | undefined {
  return isRequirementId(requirement) ? requirementOf(requirement).probe : undefined;
}

/** Requirements that fail for any event that is rejected, although they are not about its content. */
const rejectsAnyEvent = /\/(?:accepts-the-token|accepts-valid-signature|redelivery-(?:at-once-)?has-the-same-outcome)$/;

/** The probes that may find why a requirement fails: its own, and that of the content if the event itself is rejected. */
export function probesFor(requirement: string): readonly ProbeName[] {
  const probe = probeFor(requirement);
  if (!probe) return [];
  return rejectsAnyEvent.test(requirement) ? [probe, 'payload'] : [probe];
}

/** Probes of one subject: one of them may find the cause of what fails for another. */
const together: readonly (readonly ProbeName[])[] = [
  ['signature', 'weakness', 'window'],
  ['answer', 'payload'],
  ['call', 'dialogue'],
];

/** The probes of the same subject as this one, with it. */
export function probesOfSubject(probe: ProbeName): readonly ProbeName[] {
  return together.find((some) => some.includes(probe)) ?? [probe];
}

/** Whether two probes examine the same subject. */
export function isOfSameSubject(one: ProbeName | undefined, other: ProbeName | undefined): boolean {
  return one !== undefined && other !== undefined && probesOfSubject(one).includes(other);
}

const ofAuthentication: readonly (ProbeName | undefined)[] = ['weakness', 'signature', 'window', 'token', 'upgrade'];

/** Whether a probe examines which requests are accepted, whatever their content. */
export function isOfAuthentication(probe: ProbeName | undefined): boolean {
  return ofAuthentication.includes(probe);
}

/** The part of a requirement's id after its surface. */
export function slugOf(requirement: string): string {
  return requirement.slice(requirement.indexOf('/') + 1);
}

/** Whether a probe can find the cause of this failed check; failed contracts name their own. */
export function isDiagnosedFailure({ verdict, requirement, source }: CheckResult): boolean {
  return verdict === 'fail' && source !== 'contract' && probeFor(requirement) !== undefined;
}

/** Faults that prevent any judgement until the connection works. */
const connectionFaults: readonly (string | undefined)[] = [
  'target-unreachable',
  'client-certificate-required',
  'target-silent',
  'control-failed',
  'not-tried',
  'target-throttles',
];

/** Causes that the run itself has established, by fault code: they need no probe. */
const establishedCauses = {
  'target-stopped': 'http/crashes',
  'target-throttles': 'http/rate-limited',
} as const satisfies Partial<Record<FaultCode, CauseId>>;

const tooManyRequests = 429;

/**
 * Whether a pause is certainly due to a limit. A diagnosis distinguishes the others: a 503 may be a maintenance page, and a
 * 429 that states no pause the refusal of a signature.
 */
function isLimit(pause: CheckResult['pause']): boolean {
  return pause?.status === tooManyRequests && pause.seconds !== undefined;
}

/** The cause that the run itself has established for this check, if any. */
export function establishedCause({ code, pause, surface }: CheckResult): CauseId | undefined {
  if (code === undefined || !Object.hasOwn(establishedCauses, code) || !isEndpointSurface(surface)) return undefined;
  if (code === 'target-throttles' && !isLimit(pause)) return undefined;
  return establishedCauses[code as keyof typeof establishedCauses];
}

/** Whether a fault of the connection, which a diagnosis can explain, blocked this check. */
export function isBlockedByConnection({ verdict, code, surface }: CheckResult): boolean {
  return verdict === 'blocked' && connectionFaults.includes(code) && isEndpointSurface(surface);
}
