import { nearestConfig } from '../../harness/config/config-file.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { readTarget, type RunTarget, type TargetOptions } from './read-target.ts';

/** The endpoint of the flags, a given config or the nearest one; `undefined` without any. Throws like {@link readTarget}. */
export async function optionalTarget(options: TargetOptions): Promise<ResolvedConfig | undefined> {
  return (await optionalTargetWithFlags(options))?.config;
}

/** Like {@link optionalTarget}, with the flags that select the same target again. */
export async function optionalTargetWithFlags(options: TargetOptions): Promise<RunTarget | undefined> {
  const { config, target, crmUrl, crmToken, hooksUrl, hooksSecret, chatUrl, chatSecret, phoneUrl, phoneSecret } =
    options;
  const flags = [config, target, crmUrl, crmToken, hooksUrl, hooksSecret, chatUrl, chatSecret, phoneUrl, phoneSecret];
  const isNamed = flags.some((flag) => flag !== undefined);
  const isThere = isNamed || nearestConfig(process.cwd()) !== undefined;
  return isThere ? await readTarget(options, process.env) : undefined;
}
