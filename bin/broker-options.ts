import { resolveConfig } from '../harness/config/resolve-config.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { assertReference } from '../run/config/endpoint-flags.ts';
import { HarnessFault } from '../harness/checks/faults.ts';

/** The flags that name a broker; they override `pact.broker` of the config. */
export interface BrokerOptions {
  brokerUrl?: string;
  /** `env:NAME`. */
  brokerToken?: string;
  publish?: boolean;
  providerVersion?: string;
  providerBranch?: string;
}

/**
 * Merges the flags of a broker into the config.
 *
 * @throws HarnessFault when a flag needs another one; HarnessFault for an invalid value, as in the config
 */
export function withBroker(
  config: ResolvedConfig,
  { brokerUrl, brokerToken, publish, providerVersion, providerBranch }: BrokerOptions,
  environment: NodeJS.ProcessEnv,
): ResolvedConfig {
  const known = config.pact?.broker;
  const given = [brokerUrl, brokerToken, publish, providerVersion, providerBranch].some((flag) => flag !== undefined);
  if (!given) return config;
  const url = brokerUrl ?? known?.url;
  if (url === undefined) {
    throw new HarnessFault('flag-missing:broker');
  }
  const version = providerVersion ?? known?.providerVersion;
  if (publish === true && version === undefined) {
    throw new HarnessFault('flag-missing:provider-version');
  }
  if (brokerToken !== undefined) assertReference(brokerToken, '--broker-token');
  const { pact } = resolveConfig(
    { pact: { broker: { url, ...(brokerToken !== undefined && { token: brokerToken }) } } },
    environment,
    'The command line',
  );
  // The token of one broker is never sent to another.
  const token = pact?.broker?.token ?? (url === known?.url ? known.token : undefined);
  const branch = providerBranch ?? known?.providerBranch;
  return {
    ...config,
    pact: {
      ...config.pact,
      broker: {
        url,
        publish: publish ?? known?.publish ?? false,
        ...(token !== undefined && { token }),
        ...(version !== undefined && { providerVersion: version }),
        ...(branch !== undefined && { providerBranch: branch }),
      },
    },
  };
}
