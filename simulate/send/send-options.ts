import type { TargetOptions } from '../../run/config/read-target.ts';

/** An action of the caller, in the order of the flags. */
export type CallerInput = { say: string } | { press: string };

/** The flags of `send`. */
export interface SendOptions extends TargetOptions {
  text?: string;
  acts: CallerInput[];
  /** `--set` and `--set-json` as they were written, in their order. */
  sets: { form: '--set' | '--set-json'; text: string }[];
  body?: string;
  apiKey?: string;
  /** Seconds. */
  wait?: number;
  json?: boolean;
}
