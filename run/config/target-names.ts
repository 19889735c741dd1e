import type { Redact } from '../../service/redact.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { Report } from '../../specs/generated/types.ts';
import { type Surface, configKeyOf } from '../../specs/surfaces.ts';

/** The target as a report shows it: an address, a command or a file for each configured surface. */
export function targetNames(config: ResolvedConfig, surfaces: readonly Surface[], redact: Redact): Report['target'] {
  const target: Report['target'] = {};
  for (const surface of surfaces) {
    const named = config[configKeyOf(surface)];
    if (!named) continue;
    if ('url' in named) target[surface] = { url: redact(named.url) };
    else target[surface] = 'command' in named ? { command: redact(named.command) } : { file: redact(named.file) };
  }
  const { phone } = config;
  if (phone && target['own-ai-phone'] && phone.secret === config.chat?.secret)
    target['own-ai-phone'].sharesSecret = true;
  return target;
}
