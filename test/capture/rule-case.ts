import type { RecordedMessage } from './recorded.ts';

/** Recordings that meet one rule, and recordings that break it. */
export interface RuleCase {
  requirement: string;
  /** Title of the rule, if the requirement has several. */
  title?: RegExp;
  right: readonly RecordedMessage[];
  wrong: readonly RecordedMessage[];
}
