import type { BrokeIn, CheckResult, Exchange } from '../../../specs/generated/types.ts';
import { describeFailure } from '../../model/findings.ts';

/** The part of an exchange that violated a rule, with its failure message, which contains outside text. */
export interface BrokenPart extends BrokeIn {
  readonly failure: string;
}

/** The part of this exchange that violated the rule of the check; empty when there is none or it is unknown. */
export function brokenPartsOf(check: CheckResult | undefined, { id }: Exchange): BrokenPart[] {
  return check?.brokeIn?.exchange === id ? [{ ...check.brokeIn, failure: describeFailure(check) }] : [];
}
