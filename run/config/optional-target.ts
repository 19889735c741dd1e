import { nearestConfig } from '../../harness/config/config-file.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { readTarget, type RunTarget, type TargetOptions } from './read-target.ts';

/** The endpoint that flags, a named config or the nearest one tell; `undefined` when nothing does. Throws as {@link readTarget}. */
export async function optionalTarget(options: TargetOptions): Promise<ResolvedConfig | undefined> {
  return (await optionalTargetWithFlags(options))?.config;
}

/** The same, with the flags that name it again. */
export async function optionalTargetWithFlags(options: TargetOptions): Promise<RunTarget | undefined> {
  const { config, crmUrl, crmToken, hooksUrl, hooksSecret, chatUrl, chatSecret, phoneUrl, phoneSecret } = options;
  const flags = [config, crmUrl, crmToken, hooksUrl, hooksSecret, chatUrl, chatSecret, phoneUrl, phoneSecret];
  const isNamed = flags.some((flag) => flag !== undefined);
  const isThere = isNamed || nearestConfig(process.cwd()) !== undefined;
  return isThere ? await readTarget(options, process.env) : undefined;
}
