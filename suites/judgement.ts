import type { CheckKit } from '../harness/check.ts';
import type { Finding } from '../harness/finding.ts';
import type { WireExchange } from '../harness/observation.ts';
import type { RequirementId } from '../specs/requirements/catalogue.ts';
import { conclude } from './matchers/expect.ts';

/** What one rule says about one body: it holds (`true`), it does not, or the body has nothing that the rule is about. */
export type Judgement = true | 'nothing' | Finding;

/** One rule about bodies of one kind. */
export interface Facet<Body> {
  requirement: RequirementId;
  /** Reads as the required behaviour. */
  title: string;
  judge: (body: Body) => Judgement;
  /** What an endpoint has to show for the rule to be exercised. */
  needs: string;
}

/** Judges every body by one rule; not exercised when none has anything to judge. The first fault ends the check. */
export function judgeAll<Body>(
  { notExercised }: Pick<CheckKit, 'notExercised'>,
  facet: Facet<Body>,
  bodies: readonly { exchange: WireExchange; body: Body }[],
): void {
  let judged = 0;
  for (const { exchange, body } of bodies) {
    const judgement = facet.judge(body);
    if (judgement === 'nothing') continue;
    judged++;
    conclude(exchange, judgement === true ? undefined : judgement);
  }
  if (judged === 0) notExercised(facet.needs);
}
