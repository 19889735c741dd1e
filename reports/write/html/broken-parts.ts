import type { BrokeIn, CheckResult, Exchange } from '../../../specs/types.ts';
import { failureWords } from '../../model/findings.ts';

/** The part of an exchange at which a rule broke, with the words of the finding. Texts hold what came from outside. */
export interface BrokenPart extends BrokeIn {
  readonly words: string;
}

/** Where the rule of a check broke in this exchange; empty where it broke elsewhere, or where nothing names a part. */
export function brokenPartsOf(check: CheckResult | undefined, { id }: Exchange): BrokenPart[] {
  return check?.brokeIn?.exchange === id ? [{ ...check.brokeIn, words: failureWords(check) }] : [];
}
