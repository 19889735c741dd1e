import { secretsOf, type ResolvedConfig } from '../harness/settings.ts';
import { isWeakSecret } from '../service/secret-strength.ts';
import type { Report } from '../specs/types.ts';

/** What of the environment of a run weakens its result; `undefined` where nothing does. */
export function runEnvironment(
  config: ResolvedConfig,
  environment: NodeJS.ProcessEnv = process.env,
): Report['environment'] {
  const weakSecrets = secretsOf(config)
    .filter(({ value, isWhole, isExact }) => !isWhole && !isExact && isWeakSecret(value))
    .map(({ name }) => name);
  const isUnverified = environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  if (!isUnverified && weakSecrets.length === 0) return undefined;
  return {
    ...(isUnverified && { tlsVerification: 'disabled' as const }),
    ...(weakSecrets.length > 0 && { weakSecrets: [...new Set(weakSecrets)] }),
  };
}
