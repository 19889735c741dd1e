import { configSecrets, type ResolvedConfig } from '../../harness/config/settings.ts';
import { isWeakSecret } from '../../service/secret-strength.ts';
import type { Report } from '../../specs/generated/types.ts';

/** Conditions of the environment that weaken the result of a run; `undefined` when there are none. */
export function runEnvironment(
  config: ResolvedConfig,
  environment: NodeJS.ProcessEnv = process.env,
): Report['environment'] {
  const weakSecrets = configSecrets(config)
    .filter(({ value }) => isWeakSecret(value))
    .map(({ name }) => name);
  const isUnverified = environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  if (!isUnverified && weakSecrets.length === 0) return undefined;
  return {
    ...(isUnverified && { tlsVerification: 'disabled' as const }),
    ...(weakSecrets.length > 0 && { weakSecrets }),
  };
}
