import { limits } from '../specs/limits.ts';
import type { CallLanguage } from '../specs/generated/types.ts';
import { plainPhone, type Contacts } from './contacts.ts';
import { InFlight } from './in-flight.ts';
import { PhoneCall, type CallInbox } from './phone-call.ts';
import { withoutSecrets } from './without-secrets.ts';
import type { AgentRecord, ContactRecord, Workspace } from './workspace.ts';

/** An inbox with the parts that the phone uses. */
interface PhoneInbox extends CallInbox {
  readonly contacts: Contacts;
}

/** An incoming call. */
export interface IncomingCall {
  /** The caller's number, international form. */
  from: string;
  /** The number that was called; default: one of the inbox. */
  to?: string;
  /** Default: the language of the contact if calls support it, else de-DE. */
  language?: CallLanguage;
  /** Default: the contact with this number, created if there is none. */
  contact?: ContactRecord;
  /** Default: the assistant that answers the contact's conversation. */
  agent?: AgentRecord;
}

/** Outcome of a connection that was opened and closed. */
export interface AgentProbeResult {
  ok: boolean;
  durationMs: number;
  /** The error; `null` on success. */
  error: string | null;
}

/** The number of an inbox without one; from the range that Germany reserves for fiction. */
const someNumber = '+493023125000';

/** Incoming calls, and the own AI that answers them (interface: Own-AI phone frames). */
export class OwnAiPhone {
  readonly #inbox: PhoneInbox;
  readonly #lookups = new InFlight();

  constructor(inbox: PhoneInbox) {
    this.#inbox = inbox;
  }

  /**
   * Handles an incoming call: asks the CRM, for up to two seconds, then greets the caller and connects the AI. Resolves
   * once the connection is established or has failed; the owner of the call ends it with `hangUp`.
   */
  async call({ from, to, language, contact, agent }: IncomingCall): Promise<PhoneCall> {
    const { workspace, contacts, conversations, crmWebhook } = this.#inbox;
    const caller = contact ?? contacts.forPhone(from);
    const number = plainPhone(from);
    const project = conversations.current(caller, 'phone');
    if (agent) conversations.answerWith(project, agent.agentId);
    const called = plainPhone(to ?? numberOf(workspace) ?? someNumber);
    const what = { contactId: caller.id, channel: 'phone', from: number, to: called };
    this.#inbox.log('customer', `calls from ${number}`, what, project);
    const lookup = crmWebhook.send('IncomingCallLookup', { contact: caller, project });
    this.#lookups.add(lookup);
    await within(lookup, limits.crmLookupAnswerMs);
    const call = new PhoneCall(this.#inbox, {
      contact: caller,
      project,
      agent: workspace.agents.get(project.agentId ?? Number.NaN),
      from: number,
      to: called,
      language: language ?? (caller.crm.language === 'en-US' ? 'en-US' : 'de-DE'),
    });
    await call.begin();
    return call;
  }

  /** Opens and closes the phone connection once, without a frame. Changes no status. */
  async probe(agent: AgentRecord): Promise<AgentProbeResult> {
    const { ids, outbound, workspace } = this.#inbox;
    const { voiceUrl: url, secret } = agent;
    if (url === '') return { ok: false, durationMs: 0, error: 'the own AI has no phone address' };
    if (!secret) return { ok: false, durationMs: 0, error: 'the own AI has no secret' };
    const from = performance.now();
    const live = await outbound.call({
      callId: ids.text(),
      url,
      secret,
      label: 'the connection test',
      setupMs: limits.phoneSetupMs,
      answerMs: limits.ownAiTimeoutSecondsMax * 1000,
      runSkills: () => [],
    });
    const durationMs = Math.round(performance.now() - from);
    if ('failed' in live) return { ok: false, durationMs, error: withoutSecrets(workspace, live.failed) };
    await live.end();
    return { ok: true, durationMs, error: null };
  }

  /** Resolves when no lookup is under way that outlasted its greeting. */
  async settled(): Promise<void> {
    await this.#lookups.settled();
  }
}

/** The number of the inbox's first sender that has one. */
function numberOf({ senders }: Workspace): string | undefined {
  const sender = senders.find(({ id }) => /^\+?[1-9]\d{6,14}$/.test(id));
  return sender && `+${sender.id.replace('+', '')}`;
}

/** Waits for some work, at most this many milliseconds of real time. */
async function within(what: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
    timer.unref();
  });
  await Promise.race([what, enough]);
  clearTimeout(timer);
}
