import { HarnessOutbound, type OutboundTransport } from '../../harness/wire/harness-outbound.ts';
import type { ApiHooks } from '../../service/api/install-recording.ts';
import { ControlledService, type ControlledOptions } from '../../service/controlled-service.ts';
import { Brand } from '../../specs/brand.ts';
import { ServicePage } from './page/service-page.ts';
import { TrafficLog } from './traffic-log.ts';

export interface PagedOptions extends Omit<ControlledOptions, 'outbound' | 'page' | 'apiHooks'> {
  /** Carries the traffic of the service. */
  transport: OutboundTransport;
  /** Receives the requests to API v1, in addition to the page. */
  onExchange?: ApiHooks['onExchange'];
  /** Milliseconds of the greeting of a call. */
  greetingMs?: number;
}

/** A running service with its page, and the traffic that the page shows. */
export interface PagedService extends AsyncDisposable, Pick<ControlledService, 'service' | 'player' | 'controlUrl'> {
  page: ServicePage;
  traffic: TrafficLog;
}

/** Starts the service with its page. Throws the errors of listening (`EADDRINUSE` …). */
export async function openPagedService({
  transport,
  onExchange,
  greetingMs,
  ...options
}: PagedOptions): Promise<PagedService> {
  const traffic = new TrafficLog();
  const outbound = new HarnessOutbound(traffic.logging(transport), greetingMs === undefined ? {} : { greetingMs });
  // The service may be asked before both are known.
  const opened: { page?: ServicePage; baseUrl?: string } = {};
  const hooks = traffic.hooks(() => opened.baseUrl ?? '');
  const running = await ControlledService.open({
    ...options,
    outbound,
    page: (...visit) => opened.page?.handle(...visit) ?? false,
    apiHooks: {
      ...hooks,
      onExchange: (exchange) => {
        onExchange?.(exchange);
        hooks.onExchange(exchange);
      },
    },
  });
  const { service, player, controlUrl } = running;
  const { brand = Brand.named() } = options;
  const page = new ServicePage({ inbox: service.inbox, traffic, brand, controlUrl });
  Object.assign(opened, { page, baseUrl: service.baseUrl });
  return {
    service,
    player,
    controlUrl,
    page,
    traffic,
    [Symbol.asyncDispose]: async () => {
      page[Symbol.dispose]();
      await running[Symbol.asyncDispose]();
      await outbound[Symbol.asyncDispose]();
    },
  };
}
