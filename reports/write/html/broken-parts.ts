import type { BrokeIn, CheckResult, Exchange } from '../../../specs/generated/types.ts';
import { describeFailure } from '../../model/findings.ts';

/** The part of an exchange at which a rule broke, with its failure message, which contains outside text. */
export interface BrokenPart extends BrokeIn {
  readonly failure: string;
}

/** Where the rule of a check broke in this exchange; empty where it broke elsewhere, or where nothing names a part. */
export function brokenPartsOf(check: CheckResult | undefined, { id }: Exchange): BrokenPart[] {
  return check?.brokeIn?.exchange === id ? [{ ...check.brokeIn, failure: describeFailure(check) }] : [];
}
