import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { isWeakSecret } from '../../service/secret-strength.ts';
import type { Report } from '../../specs/generated/types.ts';

/** Conditions of the environment that weaken the result of a run; `undefined` when there are none. */
export function runEnvironment(
  config: ResolvedConfig,
  environment: NodeJS.ProcessEnv = process.env,
): Report['environment'] {
  const { crmWebhook, apiWebhooks, chat, phone, service, pact } = config;
  const secrets = {
    'webhook token': crmWebhook?.token,
    'webhook secret': apiWebhooks?.secret,
    'agent secret': chat?.secret,
    'phone secret': phone?.secret === chat?.secret ? undefined : phone?.secret,
    'API key': service.apiKey,
    'broker token': pact?.broker?.token,
  };
  const weakSecrets = (Object.keys(secrets) as (keyof typeof secrets)[]).filter((name) => {
    const secret = secrets[name];
    return secret !== undefined && isWeakSecret(secret);
  });
  const isUnverified = environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  if (!isUnverified && weakSecrets.length === 0) return undefined;
  return {
    ...(isUnverified && { tlsVerification: 'disabled' as const }),
    ...(weakSecrets.length > 0 && { weakSecrets }),
  };
}
