/** `svc-conform`: types for a config file, and a run without the command line. docs/run.md shows one. */
import type { Config } from '../specs/generated/types.ts';

export type { Config, Report, RunEvent } from '../specs/generated/types.ts';
export { run } from '../run/run.ts';
export type { RunRequest, RunResult } from '../run/run-request.ts';

/** Gives a config written in TypeScript or JavaScript its type: `export default defineConfig({ … })`. */
export function defineConfig(config: Config): Config {
  return config;
}
