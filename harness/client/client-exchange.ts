import type { ApiExchangeRecord } from '../../service/api/install-recording.ts';
import type { NamedSecret } from '../../service/redact.ts';
import type { SimulatedService } from '../../service/simulated-service.ts';
import { apiArrival } from '../wire/api-effects.ts';
import type { ApiExchange, Round, TroubleKind } from './api-exchange.ts';

/** Converts a request of a client and its outcome for the checks. */
export function clientExchange(
  record: ApiExchangeRecord,
  baseUrl: string,
  round: Round,
  met: ReadonlyMap<number, TroubleKind> = new Map(),
): ApiExchange {
  const trouble = met.get(record.at);
  return {
    ...apiArrival(record, baseUrl),
    kind: 'api',
    path: record.url,
    round,
    serviceTimeMs: record.serviceTimeMs,
    ...(trouble !== undefined && { trouble }),
    ...(record.unsentStatus !== undefined && { unsentStatus: record.unsentStatus }),
    ended: record.response !== 'cut' ? 'answered' : record.abandoned === true ? 'abandoned' : 'cut',
    endedAt: record.endedAt,
  };
}

/** Secrets that a client has received or created at this service and must keep confidential. */
export function issuedSecrets({ inboxes }: SimulatedService): NamedSecret[] {
  return inboxes.flatMap(({ workspace }) => [
    ...[...workspace.keys.keys()].map((value) => ({ name: 'API key', value })),
    ...[...workspace.agents.values()]
      .flatMap(({ secret }) => secret ?? [])
      .map((value) => ({ name: 'agent secret', value })),
    ...(workspace.crmWebhook ? [{ name: 'webhook token', value: workspace.crmWebhook.token }] : []),
    ...[...workspace.subscriptions.values()].map(({ secret: value }) => ({ name: 'webhook secret', value })),
  ]);
}
