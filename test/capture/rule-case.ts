import type { RecordedMessage } from './recorded.ts';

/** A recording that holds one rule, and one that breaks it. */
export interface RuleCase {
  requirement: string;
  /** Which of the rules of this requirement; default: its only one. */
  title?: RegExp;
  right: readonly RecordedMessage[];
  wrong: readonly RecordedMessage[];
}
