import type { BrokeAtPart, CheckResult, Exchange } from '../../../specs/generated/types.ts';
import { describeFailure } from '../../model/findings.ts';

/** The part of an exchange that violated a rule, with its failure message, which contains outside text. */
export interface BrokenPart extends BrokeAtPart {
  readonly failure: string;
}

/** The part of this exchange that violated the rule of the check; empty when there is none or it is unknown. */
export function brokenPartsOf(check: CheckResult | undefined, { id }: Exchange): BrokenPart[] {
  const { brokeAt } = check ?? {};
  if (!check || !brokeAt || !('part' in brokeAt) || brokeAt.exchange !== id) return [];
  return [{ ...brokeAt, failure: describeFailure(check) }];
}
