import type { Config } from '../specs/generated/types.ts';

export type { Config, Report } from '../specs/generated/types.ts';

/** Gives a config written in TypeScript or JavaScript its type: `export default defineConfig({ … })`. */
export function defineConfig(config: Config): Config {
  return config;
}
