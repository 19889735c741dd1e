import type { CheckKit } from '../harness/checks/check.ts';
import { currentRecord } from '../harness/checks/check-record.ts';
import type { Finding } from '../harness/checks/finding.ts';
import type { WireExchange } from '../harness/wire/observation.ts';
import type { RequirementId } from '../specs/requirements/catalogue.ts';
import { conclude } from './matchers/expect.ts';
import { notReadFault } from './not-read-fault.ts';

/** Verdict of one rule on one body: met (`true`), a finding, or `nothing` where the rule does not apply. */
export type Judgement = true | 'nothing' | Finding;

/** Reason why the content of a body is unknown, to be read after "received". */
export interface Unread {
  unread: string;
}

/** One rule about bodies of one kind. */
export interface Aspect<Body> {
  requirement: RequirementId;
  /** Reads as the required behaviour. */
  title: string;
  judge: (body: Body) => Judgement;
  /** The missing observation, if the rule was not exercised. */
  needs: string;
}

/** A body to judge, or the reason why it cannot be judged. */
export type JudgeableBody<Body> = { exchange: WireExchange } & ({ body: Body } | Unread);

/**
 * Judges every body by one rule; not exercised when none has anything to judge. The first fault ends the check. Throws
 * {@link HarnessFault} `not-read` where all others meet the rule, and some were not read.
 */
export function judgeAll<Body>(
  { notExercised }: Pick<CheckKit, 'notExercised'>,
  facet: { judge: (body: Body) => Judgement | Unread; needs: string },
  bodies: readonly JudgeableBody<Body>[],
): void {
  let judged = 0;
  const unread: { exchange: WireExchange; why: string }[] = [];
  for (const one of bodies) {
    const { exchange } = one;
    const judgement = 'unread' in one ? one : facet.judge(one.body);
    if (judgement === 'nothing') continue;
    if (judgement !== true && 'unread' in judgement) {
      unread.push({ exchange, why: judgement.unread });
      continue;
    }
    judged++;
    conclude(exchange, judgement === true ? undefined : judgement);
  }
  const [first] = unread;
  if (first) {
    currentRecord()?.decideBy(first.exchange);
    throw notReadFault(first.why, first.exchange, unread.length - 1);
  }
  if (judged === 0) notExercised(facet.needs);
}
