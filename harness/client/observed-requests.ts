import { Brand } from '../../specs/brand.ts';
import { isWeakSecret } from '../../service/secret-strength.ts';
import type { ApiExchangeRecord } from '../../service/api/install-recording.ts';
import { secretsOf, type ResolvedConfig } from '../config/settings.ts';
import type { Inbox } from '../wire/inbox.ts';
import type { Arrival } from '../wire/observation.ts';
import type { ApiExchange, ClientTraffic } from './api-exchange.ts';
import { clientExchange, issuedSecrets } from './client-exchange.ts';
import { RecordedExchanges } from './recorded-exchanges.ts';

/** Maximum number of requests that are judged; many times what a run causes. */
const maxExchanges = 3_000;

/**
 * The requests to API v1 that the endpoint sends on its own while it handles the events of a run. Agent replies to a
 * given `replyUrl` are not among them: the checks of own-ai-chat know which event they belong to, and judge them.
 */
export class ObservedRequests {
  readonly #recorded = new RecordedExchanges({ mostExchanges: maxExchanges, withRefusedBodies: true });
  #traffic: ClientTraffic | undefined;

  add(record: ApiExchangeRecord): void {
    this.#recorded.add(record);
  }

  /**
   * The requests up to the first call of this method, so that all rules judge the same ones.
   *
   * @param inbox the inbox that received them
   */
  traffic(inbox: Inbox, config: ResolvedConfig): ClientTraffic {
    return (this.#traffic ??= this.#read(inbox, config));
  }

  #read({ service, strays }: Inbox, config: ResolvedConfig): ClientTraffic {
    const { apiKey } = config.service;
    const { baseUrl } = service;
    const exchanges = [
      ...this.#recorded.kept.map((record) => clientExchange(record, baseUrl, 'undisturbed')),
      ...strays.flatMap((stray) => strayExchange(stray, baseUrl)),
    ];
    return {
      exchanges: exchanges.map(labelled).toSorted((a, b) => a.at - b.at),
      isObserved: true,
      // Without a configured key, the endpoint cannot know the one of the simulated inbox.
      apiKeys: apiKey === undefined ? [] : [apiKey],
      keyPrefix: Brand.named(config.brand).keyPrefix,
      // A secret that can be guessed occurs in other strings by chance.
      secrets: [...secretsOf(config), ...issuedSecrets(service)].filter(({ value }) => !isWeakSecret(value)),
      // Events may offer other skills than the config lists.
      skills: [],
    };
  }
}

/** The label of the exchange in a report. */
function labelled(exchange: ApiExchange): ApiExchange {
  return { ...exchange, label: `${exchange.label}, sent by the endpoint during the run` };
}

/** A request to an address below `baseUrl` that the service does not have; replies to old addresses are no client's. */
function strayExchange(stray: Arrival, baseUrl: string): ApiExchange[] {
  const { request, response, at } = stray;
  const path = request.url.startsWith(`${baseUrl}/`) ? request.url.slice(baseUrl.length) : undefined;
  if (path === undefined || response === undefined || /\/(agent-replies|callbacks)\b/.test(path)) return [];
  return [
    {
      ...stray,
      kind: 'api',
      label: 'a request to API v1',
      path,
      round: 'undisturbed',
      serviceTimeMs: stray.startedAt.getTime(),
      ended: 'answered',
      endedAt: at,
    },
  ];
}
