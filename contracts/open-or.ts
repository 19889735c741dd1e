import { assumptions, type AssumptionId } from '../specs/assumptions.ts';
import type { ContractFinding } from './contract-finding.ts';

/** What to do about something that is not there. */
export const omitAdvice = 'Leave it out of the contract, and do not build on it.';

/** Kind and advice of a finding: that it is not shown where it rests on an assumption, else the ones that are given. */
export function openOr(
  assumption: AssumptionId | undefined,
  kind: ContractFinding['kind'],
  advice: string,
): Pick<ContractFinding, 'kind' | 'advice' | 'assumption'> {
  return assumption === undefined
    ? { kind, advice }
    : { kind: 'not-shown', assumption, advice: openAdvice(assumption) };
}

/** What to do about an expectation that the interface leaves open. */
export function openAdvice(id: AssumptionId): string {
  const { notShown, weDo } = assumptions[id];
  return `Not shown: ${lowered(notShown)} ${weDo} Ask the vendor before you build on it.`;
}

function lowered(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
