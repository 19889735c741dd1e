import type { IntegratorOptions } from './integrator-options.ts';

const DEFAULT_PORT = 8080;

/** An environment variable is missing or invalid. The message is one sentence for the operator. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** @throws EnvironmentError with the name of the variable */
export function optionsFromEnvironment(env: NodeJS.ProcessEnv): IntegratorOptions {
  const need = (name: string, what: string): string => {
    const value = env[name];
    // An empty secret would still sign and verify, for anyone.
    if (value === undefined || value === '') throw new EnvironmentError(`${name} is not set; it is ${what}.`);
    return value;
  };
  return {
    crmToken: need('CRM_TOKEN', 'the token of the CRM webhook'),
    hookSecret: need('HOOK_SECRET', 'the secret of the webhook subscription'),
    agentSecret: need('AGENT_SECRET', 'the secret of the own-AI assistant (whsec_...)'),
    apiKey: need('SVC_API_KEY', 'the API key that later replies are sent with'),
    ...(env['BRAND'] && { brand: env['BRAND'] }),
    ...(env['SVC_BASE_URL'] && { baseUrl: env['SVC_BASE_URL'] }),
    host: env['HOST'] || '127.0.0.1',
    port: portFrom(env['PORT']),
    answer: answerFrom(env['ANSWER']),
  };
}

function portFrom(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new EnvironmentError(`PORT is not valid: expected 0 to 65535, received "${text}".`);
  return port;
}

function answerFrom(text: string | undefined): 'now' | 'later' {
  if (text === undefined || text === '') return 'now';
  if (text === 'now' || text === 'later') return text;
  throw new EnvironmentError(`ANSWER is not valid: expected now or later, received "${text}".`);
}
