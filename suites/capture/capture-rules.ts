import { check, type CheckKit } from '../../harness/checks/check.ts';
import { currentRecord } from '../../harness/checks/check-record.ts';
import { noCapture, type Capture } from '../../harness/capture/capture.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { WireExchange } from '../../harness/wire/observation.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { conclude } from '../matchers/expect.ts';

/** One recorded exchange that a rule applies to, with the finding unless it passes. */
export interface CaptureJudged {
  exchange: WireExchange;
  finding?: Finding | undefined;
  /** The earlier exchange that shows why. */
  beside?: WireExchange;
  /** The recorder's time, if it is compared with a limit. */
  sample?: { name: string; limit: number; ms: number };
}

/** One rule about recorded traffic. */
export interface CaptureRule {
  requirement: RequirementId;
  /** Reads as the required behaviour. */
  title: string;
  /** The traffic that the recording lacks, if the rule was not exercised. */
  needs: string | ((capture: Capture) => string);
  /** Exchanges to which the rule applies; none for those that give nothing to judge. */
  judge: (capture: Capture, config: ResolvedConfig) => CaptureJudged[];
}

/** Declares the checks of these rules: each judges all that was recorded, and the first fault ends it. */
export function captureChecks(rules: readonly CaptureRule[]): void {
  for (const { requirement, title, needs, judge } of rules) {
    const judgeRecording = async ({ settings, notExercised }: CheckKit) => {
      const { capture = noCapture, config } = settings;
      const judged = judge(capture, config);
      if (judged.length === 0) notExercised(typeof needs === 'string' ? needs : needs(capture));
      for (const { exchange, finding, beside, sample } of judged) {
        if (sample) currentRecord()?.samples.push(sample);
        if (beside) currentRecord()?.keep(beside);
        conclude(exchange, finding);
      }
      return await Promise.resolve();
    };
    check(requirement, `in a recording, ${title}`, judgeRecording, { source: 'recording' });
  }
}
