import { Clock } from '../../service/clock.ts';
import type { LiveCall } from '../../service/outbound.ts';
import type { SeedAgent, SeedOptions, SeedSkill } from '../../service/seed.ts';
import type { ServiceEvent, ServiceEventType } from '../../service/service-events.ts';
import type { ServiceInbox } from '../../service/service-inbox.ts';
import type { SimulatedService } from '../../service/simulated-service.ts';
import type { AgentRecord, ContactRecord, ProjectChannel, ProjectRecord } from '../../service/workspace.ts';
import type { ChatAnswer, CrmEvent, MessageReceived } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { begin, openService, type OpenService, type Sent } from './open-service.ts';

export const chatUrl = 'https://integrator.example/chat';
export const voiceUrl = 'wss://integrator.example/voice';
const crmUrl = 'https://integrator.example/crm';

export const sales: SeedSkill = { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null };
export const support: SeedSkill = { id: 2, key: 'support', name: 'Support', kind: 'forward', announcement: null };
export const urgent: SeedSkill = { id: 3, key: 'urgent', name: 'Urgent', kind: 'alert', announcement: null };
export const leak: SeedSkill = { id: 4, key: 'leak', name: 'Leak', kind: 'alert', announcement: null };

/** The outcomes of a skill that ran and of one that was refused. */
export const done = (key: string) => ({ key, ok: true });
export const refused = (key: string, reason: string) => ({ key, ok: false, reason });

/** An answer of the API; `body` is parsed. */
export interface Answered {
  status: number;
  body: Record<string, unknown>;
}

/** An answer of the AI: a JSON body with 200, or a status alone. */
export type AiAnswer = ChatAnswer | number;

/** A service whose own AI is the test: it records the events of the AI and returns the answers. */
export class TalkingService implements AsyncDisposable {
  readonly #open: OpenService;
  /** Chat events, oldest first. */
  readonly taken: MessageReceived[] = [];
  readonly dialled: { url: string; secret: string; ended: boolean }[] = [];
  /** Names of the CRM events, oldest first. */
  readonly crm: CrmEvent['eventType'][] = [];
  /** The answer of the AI to an event or a ping. */
  answer: (event: MessageReceived | undefined) => AiAnswer = () => 204;
  /** The answer of the CRM. */
  answerOfCrm: () => object | number | Promise<number> = () => 204;
  /** Reasons why calls are not established. */
  phoneFails: string | undefined;

  private constructor(open: OpenService) {
    this.#open = open;
    open.outbound.answer = async (sent) => {
      const answer = await this.#take(sent);
      return typeof answer === 'number' ? { status: answer } : { status: 200, json: answer };
    };
    open.outbound.pickup = ({ url, secret }) => this.#pickUp(url, secret);
  }

  /** `agent`: the assistant of the inbox, which has an address and four skills by default. */
  static async open({ agent = {}, ...seed }: SeedOptions & { agent?: SeedAgent } = {}): Promise<TalkingService> {
    const agents = [{ chatUrl, skills: [sales, support, urgent, leak], ...agent }];
    // Advances only when it is moved, so that every time is exact.
    const clock = new Clock(begin, () => begin);
    return new TalkingService(
      await openService({ agents, crmWebhook: { url: crmUrl, token: 'crm-token' }, ...seed }, { clock }),
    );
  }

  get service(): SimulatedService {
    return this.#open.service;
  }

  /** Sent requests, oldest first. */
  get requests(): readonly Sent[] {
    return this.#open.outbound.sent;
  }

  get inbox(): ServiceInbox {
    return this.service.inbox;
  }

  get conversations(): ServiceInbox['conversations'] {
    return this.inbox.conversations;
  }

  get agent(): AgentRecord {
    const [agent] = this.inbox.workspace.agents.values();
    if (!agent) throw new Error('expected an assistant, received none');
    return agent;
  }

  /** The contact with this number; each test may have its own. */
  contact(phone = '+4915228817386'): ContactRecord {
    return this.inbox.contacts.forPhone(phone);
  }

  /** A customer writes; asserts that the event to the AI matches the schema. */
  async writes(
    text: string,
    { phone, channel = 'webchat' }: { phone?: string; channel?: Exclude<ProjectChannel, 'phone'> } = {},
  ): Promise<ProjectRecord> {
    return await this.inbox.customers.write(this.contact(phone), { channel, text });
  }

  /** A customer writes and the AI gives this answer. */
  async writesAndGets(answer: AiAnswer, text = 'Hello?'): Promise<ProjectRecord> {
    this.answer = () => answer;
    return await this.writes(text);
  }

  /** The latest chat event. */
  get event(): MessageReceived {
    const event = this.taken.at(-1);
    if (!event) throw new Error('expected a chat event, received none');
    return event;
  }

  /** A request to the API. */
  async api(method: string, path: string, body?: object): Promise<Answered> {
    const { status, json } = await this.#open.api(method, path, body === undefined ? {} : { body });
    return { status, body: json as Record<string, unknown> };
  }

  /** A reply of the AI. */
  async reply(project: ProjectRecord, body: object): Promise<Answered> {
    return await this.api('POST', `/v1/projects/${project.id}/agent-replies`, body);
  }

  /** Service events of these types, oldest first. */
  reported(...types: ServiceEventType[]): ServiceEvent[] {
    return this.service.events.kept.filter(({ type }) => types.includes(type));
  }

  /** Messages that went to customers. */
  get saidToCustomer(): unknown[] {
    return this.reported('to-customer').map(({ data }) => data.text);
  }

  /** Notes and alerts for the team, as `kind: text`. */
  get shownToTeam(): string[] {
    return this.reported('to-team').map(({ data }) => `${String(data.kind)}: ${String(data.text)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open[Symbol.asyncDispose]();
  }

  async #take({ url, json }: Sent): Promise<object | number> {
    if (url === crmUrl) {
      this.crm.push((json as CrmEvent).eventType);
      return await this.answerOfCrm();
    }
    const isPing = !Object.hasOwn(json as object, 'data');
    if (isPing) return this.answer(undefined);
    const event = json as MessageReceived;
    const wrong = validate('messageReceived', event);
    if (wrong.length > 0) throw new Error(`expected a valid event, received ${JSON.stringify(wrong)}`);
    this.taken.push(event);
    return this.answer(event);
  }

  #pickUp(url: string, secret: string): LiveCall | { failed: string } {
    const call = { url, secret, ended: false };
    this.dialled.push(call);
    if (this.phoneFails !== undefined) return { failed: this.phoneFails };
    return {
      start: () => undefined,
      ask: () => Promise.resolve({ outcome: 'nothing', text: '' }),
      press: () => undefined,
      interrupt: () => undefined,
      end: () => {
        call.ended = true;
        return Promise.resolve();
      },
      over: new Promise(() => undefined),
    };
  }
}
