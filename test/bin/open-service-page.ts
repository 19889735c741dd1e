import { request as httpRequest } from 'node:http';
import { StandaloneTransport } from '../../harness/wire/harness-outbound.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { openPagedService } from '../../simulate/serve/open-paged-service.ts';

export const agentSecret = 'whsec_of-the-page-tests';
export const apiKey = 'svc_sk_of_the_page_tests';
const secrets = { webhookToken: 'token-of-the-page-tests', webhookSecret: 'whk_of-the-page-tests' };

export interface Visited {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

/** An open call for the log of a service. */
export const openCall = (frames: CallObservation['frames']): CallObservation => ({
  kind: 'call',
  label: 'a call',
  startedAt: new Date(),
  at: 0,
  request: { method: 'GET', url: 'ws://127.0.0.1:1/', headers: [], body: new Uint8Array() },
  answer: { outcome: 'answered', status: 101, headers: [], body: new Uint8Array(), bodyBytes: 0, truncated: false },
  times: { connectMs: null, firstByteMs: 1, totalMs: 1, lagMs: 0 },
  callId: 'c1',
  frames,
  framesOmitted: 0,
  answers: [],
});

/** A running service with its page, as `serve` starts it, for one customer. */
export async function openServicePage({
  chat = '',
  voice = '',
  crm,
  publicUrl,
}: { chat?: string; voice?: string; crm?: string; publicUrl?: string } = {}) {
  const transport = new StandaloneTransport();
  const running = await openPagedService({
    transport,
    greetingMs: 0,
    secrets,
    publicUrl,
    inboxes: [
      {
        apiKeys: { [apiKey]: 'Tests' },
        agents: [{ secret: agentSecret, chatUrl: chat, voiceUrl: voice, skills: [] }],
        ...(crm !== undefined && { crmWebhook: { url: crm, token: secrets.webhookToken } }),
      },
    ],
  });
  const { controlUrl } = running;
  const ownUrl = new URL(controlUrl).origin;
  /** A request with these headers and no others; `fetch` would set some itself. */
  const visit = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Visited> =>
    await new Promise((resolve, reject) => {
      const request = httpRequest(ownUrl + path, { method, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      request.on('error', reject).end();
    });
  return {
    ...running,
    controlPath: new URL(controlUrl).pathname,
    visit,
    play: async (step: string, body: unknown = {}) =>
      await fetch(`${controlUrl}/${step}`, { method: 'POST', body: JSON.stringify(body) }),
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await transport[Symbol.asyncDispose]();
    },
  };
}
