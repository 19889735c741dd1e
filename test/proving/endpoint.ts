import { branded } from './branded.ts';
import { chatHandler, correctChat, sentences, type ChatSeams } from './chat.ts';
import { clientHandler } from './client-start.ts';
import type { ClientSeams } from './client.ts';
import { correctCrm, crmHandler, knownCaller, type CrmSeams } from './crm.ts';
import { correctHooks, hookHandler, type HookSeams } from './hooks.ts';
import { Journal } from './journal.ts';
import { correctLinks } from './links.ts';
import { phoneUpgrade } from './phone-line.ts';
import { callerSentences, correctPhone, type PhoneSeams } from './phone.ts';
import {
  json,
  plainTransport,
  refuseUpgrade,
  WireServer,
  type Handler,
  type Security,
  type TransportSeams,
  type Upgrade,
} from './wire.ts';

/**
 * A correct integrator that proves the suites: written from the interface document alone, without code of the harness.
 * A mutant or a variant replaces a few of its seams.
 */
export interface Seams {
  crm?: Partial<CrmSeams>;
  hooks?: Partial<HookSeams>;
  chat?: Partial<ChatSeams>;
  phone?: Partial<PhoneSeams>;
  transport?: Partial<TransportSeams>;
  client?: Partial<ClientSeams>;
  /** The lines of the file of deep links, in place of the correct ones. */
  links?: readonly string[];
  /** Each surface on a separate port. */
  separatePorts?: boolean;
  /** The brand whose names it knows and writes; default: that of the document. */
  brand?: string;
}

/** Invented credentials and skills of the proving endpoint. */
export const setUp = {
  token: 'Nq7Lr2Xs9Tb4Vd6Pz1KcHw3Mf8Yg5Ja',
  hookSecret: 'hook_6dJ2vX9pQ4sL8bT1nC7wZ3kR5mF0yH',
  agentSecret: 'whsec_c3ZjLWNvbmZvcm0gcHJvdmluZyBzZWNyZXQgMQ==',
  apiKey: 'svc_sk_proving_7Yh2Kd9Qw4Lx',
  skills: [
    skill(11, 'sales', 'forward'),
    skill(12, 'urgent', 'alert'),
    skill(13, 'call-back', 'alert', 'We call you back.'),
    skill(14, 'workshop', 'forward'),
    skill(15, 'invoice', 'alert'),
    skill(16, 'complaint', 'alert'),
    skill(17, 'parking', 'alert'),
  ],
  stimuli: { knownCaller, chat: sentences, phone: callerSentences },
};

/** The API key of a service with this brand. */
export function apiKeyOf(brand: string | undefined): string {
  return brand === undefined ? setUp.apiKey : branded(brand).key(setUp.apiKey);
}

function skill(id: number, key: string, kind: 'forward' | 'alert', announcement: string | null = null) {
  return { id, key, name: key, kind, announcement };
}

/** Addresses of a running proving endpoint. */
export interface RunningEndpoint extends AsyncDisposable {
  crm: string;
  hooks: string;
  chat: string;
  voice: string;
  state: string;
  /** A POST to this address runs its API client once. */
  client: string;
  /** The lines of its file of deep links. */
  links: readonly string[];
}

/** Starts the endpoint with these seams in place of the default ones, over TLS if `security` is given. */
export async function startEndpoint(seams: Seams = {}, security?: Security): Promise<RunningEndpoint> {
  const journal = new Journal();
  const names = seams.brand === undefined ? undefined : branded(seams.brand);
  const crm = { ...correctCrm(), ...seams.crm };
  const routes: Record<string, Handler> = {
    '/crm': crmHandler(names ? { ...crm, compose: names.compose(crm.compose) } : crm, setUp.token, journal),
    '/hooks': hookHandler({ ...correctHooks(), ...seams.hooks }, setUp.hookSecret, journal),
    '/chat': chatHandler({ ...correctChat(), ...seams.chat }, setUp.agentSecret, apiKeyOf(seams.brand), journal),
    '/client': clientHandler(seams.client),
    '/state': () => Promise.resolve(json(200, { journal: journal.entries })),
  };
  const plainRoute: Handler = (request) => routes[request.path]?.(request) ?? Promise.resolve({ status: 404 });
  const route = names ? names.handler(plainRoute) : plainRoute;
  const phone = { ...correctPhone(), ...seams.phone };
  const plainCall = phoneUpgrade(phone, setUp.agentSecret, journal);
  const call = names ? names.upgrade(plainCall) : plainCall;
  const upgrade: Upgrade = async (request, socket, head) => {
    if (request.url?.split('?')[0] === '/voice') await call(request, socket, head);
    else refuseUpgrade(socket, { status: 404 });
  };
  const transport = { ...plainTransport, ...seams.transport };
  const servers: WireServer[] = [];
  const listen = async (how: TransportSeams, over: Security) => {
    const server = await WireServer.listen(route, how, upgrade, over);
    servers.push(server);
    return server.origin;
  };
  const shared = await listen(transport, security);
  const origin = () => (seams.separatePorts === true ? listen(transport, security) : Promise.resolve(shared));
  return {
    crm: `${await origin()}/crm`,
    hooks: `${await origin()}/hooks`,
    chat: `${await origin()}/chat`,
    voice: `${(await origin()).replace('http', 'ws')}/voice${phone.query}`,
    // Not under test, so without the seams; the command that starts the client supports plain addresses only.
    state: `${await listen(plainTransport, security)}/state`,
    client: `${await listen(plainTransport, undefined)}/client`,
    links: seams.links ?? correctLinks,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    },
  };
}
