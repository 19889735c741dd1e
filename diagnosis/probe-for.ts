import type { CheckResult, Exchange } from '../specs/generated/types.ts';
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

/** Asks a client to send less; a 503 with a pause may also be a maintenance page, which a diagnosis distinguishes. */
const tooManyRequests = 429;

/** The cause that the run itself has established for this check, if any. */
export function establishedCause(
  { code, surface, message = '' }: CheckResult,
  exchanges: readonly Pick<Exchange, 'response'>[],
): CauseId | undefined {
  const isKnown = code !== undefined && Object.hasOwn(establishedCauses, code) && isEndpointSurface(surface);
  if (!isKnown) return undefined;
  // The answer that ended the run may belong to no check, and then only the message has its status.
  const isAsked = exchanges.some(({ response }) => response?.status === tooManyRequests);
  const isLimit = code !== 'target-throttles' || isAsked || message.includes(` ${tooManyRequests}`);
  return isLimit ? establishedCauses[code as keyof typeof establishedCauses] : undefined;
}

/** Whether a fault of the connection, which a diagnosis can explain, blocked this check. */
export function isBlockedByConnection({ verdict, code, surface }: CheckResult): boolean {
  return verdict === 'blocked' && connectionFaults.includes(code) && isEndpointSurface(surface);
}
