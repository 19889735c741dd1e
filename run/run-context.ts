import type { RunSettings } from '../harness/config/settings.ts';
import type { Redact } from '../service/redact.ts';
import type { RunOutput } from './run-step.ts';

/** The context that all stages of a run share. */
export interface RunContext {
  /** The config and the seed of the run, its waits and numbers of generated values. */
  settings: RunSettings;
  /** Redacts the secrets of the config. */
  redact: Redact;
  /** The clock of dates that a report states. */
  now: () => Date;
  output: RunOutput;
}
