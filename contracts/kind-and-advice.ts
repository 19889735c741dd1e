import { assumptions, type AssumptionId } from '../specs/assumptions.ts';
import type { ContractFinding } from './contract-finding.ts';

/** Advice for an expectation of something that does not exist. */
export const omitAdvice = 'Remove it from the contract, and do not rely on it.';

/** Kind and advice of a finding: not shown if it rests on an assumption, else the given ones. */
export function kindAndAdvice(
  assumption: AssumptionId | undefined,
  kind: ContractFinding['kind'],
  advice: string,
): Pick<ContractFinding, 'kind' | 'advice' | 'assumption'> {
  return assumption === undefined
    ? { kind, advice }
    : { kind: 'not-shown', assumption, advice: openAdvice(assumption) };
}

/** Advice for an expectation that the interface leaves open. */
export function openAdvice(id: AssumptionId): string {
  const { notShown, weDo } = assumptions[id];
  return `Not shown: ${lowered(notShown)} ${weDo} Ask the vendor before you rely on it.`;
}

function lowered(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
