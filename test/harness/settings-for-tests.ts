import type { ResolvedConfig, RunSettings } from '../../harness/config/settings.ts';

/** Credentials that are valid nowhere else. */
export const credentials = {
  token: 'Tk9Wm3Xq7Lr2Bv5Nc8Zd1Fh4Js6Gp0Ya',
  hookSecret: 'hook_Ub7Rm4Xe1Qs8Wn5Kd2Vf9Lh6Cz3Tg0P',
  agentSecret: 'whsec_dGhlIHNlY3JldCBvZiB0aGUgaGFybmVzcyB0ZXN0cw==',
  apiKey: 'svc_sk_Hq5Zt8Ny1Mb4',
};

/** The address of an endpoint under test; a surface without an address is not configured. */
export interface Addresses {
  crm?: string;
  hooks?: string;
  chat?: string;
  phone?: string;
  state?: string;
}

export function configOf(
  { crm, hooks, chat, phone, state }: Addresses,
  over: Partial<ResolvedConfig> = {},
): ResolvedConfig {
  return {
    ...(crm !== undefined && { crmWebhook: { url: crm, token: credentials.token } }),
    ...(hooks !== undefined && { apiWebhooks: { url: hooks, secret: credentials.hookSecret } }),
    ...(chat !== undefined && { chat: { url: chat, secret: credentials.agentSecret, timeoutSeconds: 2 } }),
    ...(phone !== undefined && { phone: { url: phone, secret: credentials.agentSecret, timeoutSeconds: 2 } }),
    ...(state !== undefined && { observe: { url: state } }),
    skills: [
      { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null },
      { id: 2, key: 'urgent', name: 'Urgent', kind: 'alert', announcement: 'One moment.' },
    ],
    stimuli: {},
    service: { host: '127.0.0.1', port: 0, apiKey: credentials.apiKey },
    ...over,
  };
}

/** Settings of a short run. */
export function settingsOf(config: ResolvedConfig, over: Partial<RunSettings> = {}): RunSettings {
  return {
    config,
    seed: 7,
    runs: 20,
    callbackWaitMs: 1_500,
    callbackLimitMs: 1_500,
    answerTimeoutMs: 20_000,
    quietMs: 100,
    retryWatchMs: 300,
    propertyMs: 20_000,
    shrinkMs: 10_000,
    only: [],
    ...over,
  };
}
