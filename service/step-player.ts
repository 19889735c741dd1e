import { appointmentEventTypes } from '../specs/appointment-event-types.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { limits } from '../specs/limits.ts';
import type {
  ConnectStep,
  CustomerAcceptsStep,
  CustomerCallsStep,
  SkillRefusesStep,
  WaitForStep,
} from '../specs/generated/types.ts';
import type { ApiTroubles } from './api-troubles.ts';
import { pressKey } from './press-key.ts';
import { SpanError } from './clock.ts';
import type { ServiceEvent } from './service-events.ts';
import type { ServiceInbox } from './service-inbox.ts';
import { defaultCustomer } from './default-customer.ts';
import type { Step } from './step.ts';
import type { AgentRecord, AppointmentRecord, ContactRecord, ProjectRecord } from './workspace.ts';
import { isJsonContainer } from '../specs/json-object.ts';

/** The result of a step. */
export interface StepResult {
  step: Step['name'];
  /** `seq` of the last event before the step began. */
  since: number;
  /** The subject of the step, if it has one. */
  contactId?: number;
  projectId?: number;
  appointmentId?: number;
  /** Service events meanwhile, oldest first. */
  events: readonly ServiceEvent[];
  /** The event that the step waited for. */
  event?: ServiceEvent;
}

/** A step that cannot be played: its subject does not exist, or the event that it waits for does not occur. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly code: 'not_found' | 'not_possible' | 'not_seen';

  constructor(code: StepError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Secrets for signing deliveries to addresses that a step connects. */
export interface StepSecrets {
  webhookToken: string;
  webhookSecret: string;
}

const waitSeconds = 10;
/** Phone numbers that an error lists. */
const shownNumbers = 10;

type About = Partial<Pick<StepResult, 'contactId' | 'projectId' | 'appointmentId' | 'event'>>;

/** Plays steps in one inbox. Steps may overlap. */
export class StepPlayer {
  readonly #inbox: ServiceInbox;
  readonly #secrets: StepSecrets;
  readonly #troubles: ApiTroubles;

  constructor(inbox: ServiceInbox, options: { secrets: StepSecrets; troubles: ApiTroubles }) {
    this.#inbox = inbox;
    this.#secrets = options.secrets;
    this.#troubles = options.troubles;
  }

  /** `seq` of the latest event. */
  get seq(): number {
    return this.#inbox.events.kept.at(-1)?.seq ?? 0;
  }

  /**
   * Plays one step and waits until its effects are complete. Throws {@link StepError}, or `Problem` if the service
   * refuses. `since`: for wait-for, if the step has none.
   */
  async play(step: Step, since?: number): Promise<StepResult> {
    const before = this.seq;
    const about = await this.#do(step, since ?? before);
    return { step: step.name, since: before, ...about, events: this.#eventsAfter(before) };
  }

  #eventsAfter(seq: number): ServiceEvent[] {
    return this.#inbox.events.kept.filter((event) => event.seq > seq);
  }

  async #do(step: Step, since: number): Promise<About> {
    const { contacts, conversations, clock } = this.#inbox;
    switch (step.name) {
      case 'connect':
        this.#connect(step.body);
        return {};
      case 'customer-writes': {
        const { text, channel = 'whatsapp' } = step.body;
        const project = await this.#inbox.customers.write(this.#contact(step.body), { channel, text });
        return about(project);
      }
      case 'customer-taps':
        return await this.#inConversation(step.body, (project) => conversations.customerTaps(project));
      case 'customer-calls':
        return await this.#call(step.body);
      case 'customer-accepts':
      case 'customer-declines': {
        const { id, contactId, projectId } = this.#appointment(step.body);
        const { appointments } = this.#inbox;
        await (step.name === 'customer-accepts' ? appointments.accept(id) : appointments.decline(id));
        return { appointmentId: id, contactId, projectId };
      }
      case 'customer-unreachable': {
        const contact = this.#contact(step.body);
        contact.undeliverable = step.body.unreachable ?? true;
        return { contactId: contact.id };
      }
      case 'consent': {
        const contact = this.#contact(step.body);
        const { marketing, service } = step.body;
        if (marketing !== undefined) contact.marketingConsent = marketing;
        if (service !== undefined) contact.serviceConsent = service;
        return { contactId: contact.id };
      }
      case 'team-replies':
        return await this.#inConversation(step.body, (project) => conversations.teamReplies(project, step.body.text));
      case 'team-takes-over':
        return await this.#inConversation(step.body, (project) => conversations.takeOver(project));
      case 'team-switches-off':
        return await this.#inConversation(step.body, (project) => conversations.switchOff(project));
      case 'team-mutes': {
        const { minutes = limits.autoReplyPauseMinutes } = step.body;
        return await this.#inConversation(step.body, (project) => conversations.mute(project, minutes));
      }
      case 'hand-back':
        return await this.#inConversation(step.body, (project) => conversations.handBack(project));
      case 'assistant-changes': {
        const agentId = step.body.to === 'own-ai' ? this.#agent().agentId : null;
        return await this.#inConversation(step.body, (project) => conversations.answerWith(project, agentId));
      }
      case 'conversation-pauses':
        return await this.#inConversation(step.body, (project) => this.#inbox.crmWebhook.conversationPaused(project));
      case 'manual':
      case 'form-submitted':
        return await this.#inConversation(step.body, async (project) => {
          const contact = contacts.get(project.contactId);
          const eventType = step.name === 'manual' ? 'Manual' : 'FormSubmitted';
          await this.#inbox.crmWebhook.send(eventType, { contact, project });
        });
      case 'skill-refuses':
        this.#refuse(step.body);
        return {};
      case 'api-trouble':
        this.#troubles.order(step.body);
        return {};
      case 'time-passes': {
        const { days = 0, hours = 0, minutes = 0, seconds = 0 } = step.body;
        const ms = Math.round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000);
        await clock.move(ms).catch((error: unknown) => {
          throw error instanceof SpanError ? new StepError('not_possible', error.message) : error;
        });
        this.#inbox.log('clock', `${formatSpan(ms)} passed`, { ms });
        return {};
      }
      case 'wait-for':
        return { event: await this.#seen(step.body, step.body.since ?? since) };
    }
  }

  /** Throws {@link StepError} for a number that no contact has: usually it is misspelt. */
  #contact({ from }: { from?: string }): ContactRecord {
    if (from === undefined) return defaultCustomer(this.#inbox);
    const contact = this.#inbox.contacts.byPhone(from);
    if (contact) return contact;
    const known = [...this.#inbox.workspace.contacts.values()].flatMap(({ phone }) => phone ?? []);
    const shown = known.length === 0 ? 'none' : known.slice(0, shownNumbers).join(', ');
    throw new StepError(
      'not_found',
      `No contact has the phone number ${from}; known are ${shown}. POST /v1/contacts creates one.`,
    );
  }

  async #inConversation(
    where: { from?: string; projectId?: number },
    what: (project: ProjectRecord) => unknown,
  ): Promise<About> {
    const { conversations } = this.#inbox;
    const { projectId } = where;
    const project =
      projectId === undefined ? conversations.current(this.#contact(where)) : conversations.get(projectId);
    await what(project);
    return about(project);
  }

  #appointment({ appointmentId, externalId }: CustomerAcceptsStep): AppointmentRecord {
    const all = [...this.#inbox.workspace.appointments.values()];
    const found =
      appointmentId !== undefined
        ? all.find(({ id }) => id === appointmentId)
        : externalId !== undefined
          ? all.findLast((one) => one.externalId === externalId)
          : all.findLast(({ status }) => status === 'proposed');
    if (found) return found;
    const which =
      appointmentId !== undefined
        ? `the id ${appointmentId}`
        : externalId !== undefined
          ? `the externalId ${externalId}`
          : 'status proposed, which the customer could answer';
    throw new StepError('not_found', `There is no appointment with ${which}.`);
  }

  #agent(): AgentRecord {
    const [agent] = this.#inbox.workspace.agents.values();
    if (!agent) throw new StepError('not_possible', 'The inbox has no own-AI assistant.');
    return agent;
  }

  #refuse({ key, reason }: SkillRefusesStep): void {
    const { skills } = this.#agent();
    const skill = skills.find((one) => one.key === key);
    if (!skill) {
      const known = skills.map((one) => one.key).join(', ');
      throw new StepError('not_found', `The assistant has no skill ${key}; it has ${known === '' ? 'none' : known}.`);
    }
    delete skill.refuse;
    delete skill.needsApproval;
    if (reason === 'pending-approval') skill.needsApproval = true;
    else if (reason !== null) skill.refuse = reason;
  }

  #connect({ crmWebhook, apiWebhooks, chat, phone }: ConnectStep): void {
    const { workspace, ids, clock } = this.#inbox;
    const { webhookToken, webhookSecret } = this.#secrets;
    if (crmWebhook !== undefined) {
      workspace.crmWebhook = crmWebhook === '' ? undefined : { url: crmWebhook, token: webhookToken };
    }
    if (chat !== undefined) this.#agent().chatUrl = chat;
    if (phone !== undefined) this.#agent().voiceUrl = phone;
    if (apiWebhooks === undefined) return;
    if (apiWebhooks === '') {
      workspace.subscriptions.clear();
      return;
    }
    const id = ids.integer();
    workspace.subscriptions.set(id, {
      id,
      url: apiWebhooks,
      events: [...appointmentEventTypes],
      description: null,
      secret: webhookSecret,
      createdAt: clock.now(),
    });
  }

  async #call({ from, to, language, say = [] }: CustomerCallsStep): Promise<About> {
    const contact = this.#contact(from === undefined ? {} : { from });
    // Needed only if the assistant that answers calls is not the first one.
    const agents = this.#inbox.agents.list();
    const voice = agents[0]?.voiceUrl === '' && agents.find(({ voiceUrl }) => voiceUrl !== '');
    const call = await this.#inbox.phone.call({
      from: from ?? contact.phone ?? '',
      contact,
      ...(voice && { agent: voice }),
      ...(to !== undefined && { to }),
      ...(language !== undefined && { language }),
    });
    for (const act of say) {
      if (typeof act === 'string') await call.say(act);
      else if (act.press !== undefined) await pressKey(this.#inbox.events, call, act.press);
      else if (act.interrupt !== undefined) await call.interrupt(act.interrupt);
      else if (act['team-picks-up'] !== undefined) await call.takeOver({ pickedUp: act['team-picks-up'] });
      else if (act['target-picks-up'] === false) await call.nobodyAtTarget();
    }
    await call.hangUp();
    return about(call.project);
  }

  /** The first matching event after `since`; waits for one. */
  async #seen(
    { event: type, where = {}, withinSeconds = waitSeconds }: WaitForStep,
    since: number,
  ): Promise<ServiceEvent> {
    const fits = (event: ServiceEvent) => event.seq > since && event.type === type && has(event.data, where);
    const already = this.#inbox.events.kept.find(fits);
    if (already) return already;
    return await new Promise((resolve, reject) => {
      const off = this.#inbox.events.listen((event) => {
        if (!fits(event)) return;
        done();
        resolve(event);
      });
      const timer = setTimeout(() => {
        done();
        const seen = this.#eventsAfter(since).filter((event) => event.type === type);
        const others = seen.length === 0 ? 'none' : `others: ${seen.map(({ text }) => text).join('; ')}`;
        const wanted = `${type}${Object.keys(where).length > 0 ? ` with ${shortJson(where)}` : ''}`;
        reject(new StepError('not_seen', `expected an event ${wanted} within ${withinSeconds} s, received ${others}`));
      }, withinSeconds * 1000);
      // A service that has ended must not keep the process alive for an event that cannot occur any more.
      timer.unref();
      const done = () => {
        clearTimeout(timer);
        off();
      };
    });
  }
}

function about({ id, contactId }: ProjectRecord): About {
  return { projectId: id, contactId };
}

/** Whether a value is equal to another, or an object with at least its fields. */
function has(value: unknown, wanted: unknown): boolean {
  if (!isJsonContainer(wanted)) return value === wanted;
  if (!isJsonContainer(value) || Array.isArray(value) !== Array.isArray(wanted)) return false;
  if (Array.isArray(value) && Array.isArray(wanted) && value.length !== wanted.length) return false;
  return Object.entries(wanted).every(([name, inner]) => Object.hasOwn(value, name) && has(value[name], inner));
}

/** `1 day 2 hours`. */
function formatSpan(ms: number): string {
  let rest = ms;
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return parts.length === 0 ? 'No time' : parts.join(' ');
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
  ['millisecond', 1],
] as const;
