import { request as httpRequest } from 'node:http';
import { HarnessOutbound, StandaloneTransport } from '../../harness/wire/harness-outbound.ts';
import { ControlledService } from '../../service/controlled-service.ts';
import { ServicePage } from '../../simulate/serve/page/service-page.ts';
import { TrafficLog } from '../../simulate/serve/traffic-log.ts';
import { Brand } from '../../specs/brand.ts';

export const agentSecret = 'whsec_of-the-page-tests';
export const apiKey = 'svc_sk_of_the_page_tests';
const secrets = { webhookToken: 'token-of-the-page-tests', webhookSecret: 'whk_of-the-page-tests' };

export interface Visited {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

/** A running service with its page, as `serve` starts it, for one customer. */
export async function openServicePage({ chat = '', crm }: { chat?: string; crm?: string } = {}) {
  const wire = new StandaloneTransport();
  const traffic = new TrafficLog();
  const outbound = new HarnessOutbound(traffic.logging(wire), { greetingMs: 0 });
  const opened: { page?: ServicePage } = {};
  const running: ControlledService = await ControlledService.open({
    outbound,
    secrets,
    inboxes: [
      {
        apiKeys: { [apiKey]: 'Tests' },
        agents: [{ secret: agentSecret, chatUrl: chat, voiceUrl: '', skills: [] }],
        ...(crm !== undefined && { crmWebhook: { url: crm, token: secrets.webhookToken } }),
      },
    ],
    page: (...visit) => opened.page?.handle(...visit) ?? false,
    apiHooks: traffic.hooks(() => running.service.baseUrl),
  });
  const { service, controlUrl } = running;
  const page = new ServicePage({ inbox: service.inbox, traffic, brand: Brand.named(), controlUrl });
  opened.page = page;
  /** A request with these headers and no others; `fetch` would set some itself. */
  const visit = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Visited> =>
    await new Promise((resolve, reject) => {
      const request = httpRequest(service.baseUrl + path, { method, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      request.on('error', reject).end();
    });
  return {
    service,
    traffic,
    page,
    controlUrl,
    controlPath: new URL(controlUrl).pathname,
    visit,
    play: async (step: string, body: unknown = {}) =>
      await fetch(`${controlUrl}/${step}`, { method: 'POST', body: JSON.stringify(body) }),
    async [Symbol.asyncDispose]() {
      page[Symbol.dispose]();
      await outbound[Symbol.asyncDispose]();
      await running[Symbol.asyncDispose]();
      await wire[Symbol.asyncDispose]();
    },
  };
}
