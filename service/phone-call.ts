import { recordFailure, recordSuccess } from './agent-health.ts';
import { limits, protocolRevision } from '../specs/limits.ts';
import type {
  CallLanguage,
  ResumedCall,
  SessionStarted,
  SkillOutcome,
  SkillRefused,
} from '../specs/generated/types.ts';
import { CallTranscript } from './call-transcript.ts';
import type { Conversations } from './conversations.ts';
import type { CrmWebhook } from './crm-webhook.ts';
import { cutText, oneLine } from './cut-text.ts';
import { fullName } from './full-name.ts';
import type { InboxCore } from './inbox-core.ts';
import type { CallOutcome, LiveCall, SpokenAnswer } from './outbound.ts';
import { phoneLines } from './phone-lines.ts';
import { cutNote, type CallSkills, type Skills } from './skills.ts';
import { withoutSecrets } from './without-secrets.ts';
import type { AgentRecord, ContactRecord, ProjectRecord, SkillRecord } from './workspace.ts';

/** An inbox with the parts that calls use. */
export interface CallInbox extends InboxCore {
  readonly conversations: Conversations;
  readonly crmWebhook: CrmWebhook;
  readonly skills: Skills;
}

/** State of a caller. */
export type CallState = 'connecting' | 'with-ai' | 'leaving-message' | 'put-through' | 'with-team' | 'over';

/** How a call is billed (interface: Limits, Billing). */
export type CallCharge = { as: 'own-ai-call'; startedMinutes: number } | { as: 'answered-call' };

/** Who calls whom. */
export interface CallParties {
  contact: ContactRecord;
  project: ProjectRecord;
  /** `undefined`: no own-AI assistant answers the project. */
  agent: AgentRecord | undefined;
  /** Numbers in international form. */
  from: string;
  to: string;
  language: CallLanguage;
}

/** In place of a skill's key when a team member took the call over (assumption resumed-after). */
const takeoverKey = 'takeover';
/** Unicode code points of a frame that an event of the service carries. */
const loggedFrameCharacters = 2_000;
const minuteMs = 60_000;

/** One phone call, from the greeting until the caller hangs up (interface: Own-AI phone frames). */
export class PhoneCall {
  readonly callId: string;
  readonly callSid: string;
  readonly contact: ContactRecord;
  readonly project: ProjectRecord;
  readonly agent: AgentRecord | undefined;
  readonly #inbox: CallInbox;
  readonly #parties: CallParties;
  readonly #answeredAt: number;
  readonly #used: CallSkills = { forwards: 0 };
  readonly #transcript: CallTranscript;
  #state: CallState = 'connecting';
  #live: LiveCall | undefined;
  /** The follow-up work after the AI's part has ended. */
  #settled: Promise<void> = Promise.resolve();
  #hasConnected = false;
  #forwardedTo: SkillRecord | undefined;
  #charge: CallCharge | undefined;

  constructor(inbox: CallInbox, parties: CallParties) {
    this.#inbox = inbox;
    this.#parties = parties;
    this.contact = parties.contact;
    this.project = parties.project;
    this.agent = parties.agent;
    this.callId = inbox.ids.text();
    this.callSid = inbox.ids.text('CA');
    this.#answeredAt = inbox.clock.now();
    this.#transcript = new CallTranscript((text) => inbox.conversations.addTurn(parties.project, 'agent', text));
  }

  get state(): CallState {
    return this.#state;
  }

  /** How the call is billed; `undefined` until it is over. */
  get charge(): CallCharge | undefined {
    return this.#charge;
  }

  /**
   * Greets the caller with the data known so far, and connects the AI. Without an AI the caller can leave a message.
   */
  async begin(): Promise<void> {
    const name = fullName(this.contact);
    this.#speak(phoneLines[this.#parties.language].greeting(name), 'greeting');
    await this.#connect();
  }

  /**
   * The caller says a sentence. With the AI, resolves once it has answered, or will not; otherwise the sentence is the
   * caller's message, or is ignored, and the outcome is `call-ended`.
   */
  async say(text: string): Promise<SpokenAnswer> {
    return await this.#ask(text, false);
  }

  /** The caller says a sentence, and interrupts the answer as soon as it has begun. */
  async interrupt(text: string): Promise<SpokenAnswer> {
    const answer = await this.#ask(text, true);
    if (answer.outcome === 'begun') {
      this.#live?.interrupt();
      this.#transcript.close();
    }
    return answer;
  }

  /** The caller presses a key, one of `0` to `9`, `*` and `#`. */
  press(digit: string): void {
    this.#live?.press(digit);
  }

  /** The caller hangs up. Resolves once the connection to the AI is down. */
  async hangUp(): Promise<void> {
    await this.#endAi();
    this.#finish('the caller hung up');
  }

  /**
   * A team member takes the call over in the app. Without a pickup the caller is with the AI again, on a new
   * connection.
   */
  async takeOver({ pickedUp }: { pickedUp: boolean }): Promise<void> {
    if (this.#state === 'over') return;
    const wasWithAi = this.#state === 'with-ai';
    this.#log(`a team member takes the call over, ${pickedUp ? 'and picks up' : 'but does not pick up'}`, { pickedUp });
    await this.#endAi();
    if (this.state === 'over') return;
    if (pickedUp) {
      this.#state = 'with-team';
      this.#inbox.conversations.takeOver(this.project);
    } else if (wasWithAi && this.state === 'with-ai') {
      // Unless another team member has the call by now, or has redialled.
      const resumedAfter: SkillRefused = { key: takeoverKey, ok: false, reason: 'no-answer' };
      await this.#connect({ resumed: 'handover_failed', resumedAfter });
    }
  }

  /** No pickup at the target of the forward: the caller is with the AI again. Without effect on any other call. */
  async nobodyAtTarget(): Promise<void> {
    if (this.#state !== 'put-through' || !this.#forwardedTo) return;
    const { key } = this.#forwardedTo;
    this.#log(`no pickup at the target of ${key}`, { key });
    const resumedAfter: SkillRefused = { key, ok: false, reason: 'no-answer' };
    await this.#connect({ resumed: 'handover_failed', resumedAfter });
  }

  async #ask(text: string, onlyBegun: boolean): Promise<SpokenAnswer> {
    const { conversations } = this.#inbox;
    const isHeard = this.#state === 'with-ai' || this.#state === 'leaving-message';
    if (!isHeard) return { outcome: 'call-ended', text: '' };
    this.#transcript.close();
    conversations.addTurn(this.project, 'customer', text);
    const what = { contactId: this.contact.id, channel: 'phone', callId: this.callId, text };
    this.#inbox.log('customer', `says: ${oneLine(text)}`, what, this.project);
    if (!this.#live) {
      conversations.notifyTeam(this.project, `A caller has left a message: ${text}`, 'push');
      return { outcome: 'call-ended', text: '' };
    }
    const answer = await this.#live.ask(text, { onlyBegun });
    const isOver = answer.outcome === 'action' || answer.outcome === 'call-ended' || this.#forwardedTo !== undefined;
    if (isOver) await this.#settled;
    if (answer.outcome === 'nothing') this.#log('the AI has not answered', {});
    return answer;
  }

  async #connect(resumed: Partial<Pick<ResumedCall, 'resumed' | 'resumedAfter'>> = {}): Promise<void> {
    const { agent } = this;
    const { outbound } = this.#inbox;
    this.#state = 'connecting';
    this.#forwardedTo = undefined;
    if (!agent) return this.#fail('no own-AI assistant answers the conversation');
    if (agent.voiceUrl === '') return this.#fail('the own AI has no phone address');
    if (!agent.secret) return this.#fail('the own AI has no secret');
    const live = await outbound.call({
      callId: this.callId,
      url: agent.voiceUrl,
      secret: agent.secret,
      label: resumed.resumed === undefined ? 'a call' : 'a call whose takeover did not work out',
      setupMs: limits.phoneSetupMs,
      // The longest configurable time; the waiting time on the phone is not shown (assumption phone-waiting-time).
      answerMs: limits.ownAiTimeoutSecondsMax * 1000,
      runSkills: (named, said) => this.#runSkills(named, said),
      onFrame: (from, text) => this.#logFrame(from, text),
      onSpeech: (text, last) => this.#transcript.add(text, last),
    });
    if ('failed' in live) return this.#fail(`no connection to the own AI: ${live.failed}`);
    // Meanwhile the caller may have hung up, or a team member may have picked up.
    if (this.state !== 'connecting') return await live.end();
    this.#state = 'with-ai';
    this.#hasConnected = true;
    this.#live = live;
    live.start({ ...this.#started(agent), ...resumed } as SessionStarted);
    this.#settled = live.over.then((outcome) => this.#afterAi(outcome));
  }

  #started({ agentId }: AgentRecord) {
    const { workspace, skills } = this.#inbox;
    const { from, to, language } = this.#parties;
    const { contact, callId, callSid, project } = this;
    return {
      type: 'session.started' as const,
      protocol: protocolRevision,
      callId,
      callSid,
      projectId: project.id,
      workspaceId: workspace.id,
      agentId,
      from,
      to,
      language,
      // The number replaces an unknown name (assumption call-contact-name).
      contact: { id: contact.id, name: fullName(contact) ?? from },
      skills: skills.allowedNow(project, this.#used),
    };
  }

  /** Ends the AI's part, if any, as the service does. */
  async #endAi(): Promise<void> {
    await this.#live?.end();
    await this.#settled;
  }

  #afterAi({ how, text, note, detail }: CallOutcome): void {
    const { conversations } = this.#inbox;
    this.#live = undefined;
    this.#transcript.close();
    conversations.addTurn(this.project, 'agent', text);
    if (how === 'closed-by-ai' || how === 'frame-too-large') {
      const size = `a frame of more than ${limits.phoneFrameBytes} bytes`;
      const end = how === 'frame-too-large' ? size : `the own AI closed the connection in mid-call`;
      return this.#fail(detail === undefined ? end : `${end} (${detail})`);
    }
    if (this.agent) recordSuccess(this.agent, this.#inbox.clock.now());
    const cut = cutNote(note);
    if (cut !== '') conversations.notifyTeam(this.project, cut, 'note');
    if (how === 'end') return this.#finish('the AI ended it');
    if (how === 'forward') {
      this.#state = 'put-through';
      const { key = '', name = '' } = this.#forwardedTo ?? {};
      return this.#log(`put through to ${name}, and then along its no-answer chain`, { key });
    }
    if (how !== 'handover') return;
    if (!conversations.handOver(this.project)) {
      conversations.notifyTeam(this.project, 'The AI has handed a call over.', 'push');
    }
    this.#takeMessage();
  }

  /** The AI is unreachable or gone: the caller leaves a message, and the team sees why (interface: Errors). */
  #fail(why: string): void {
    const { conversations, workspace } = this.#inbox;
    const reason = withoutSecrets(workspace, why);
    if (this.agent) recordFailure(this.agent, this.#inbox.clock.now(), reason);
    if (this.#state === 'over' || this.#state === 'with-team') return;
    const note = `A call went to the team: ${reason}.`;
    if (!conversations.handToTeam(this.project, note)) conversations.notifyTeam(this.project, note, 'note');
    this.#takeMessage(reason);
  }

  #takeMessage(reason?: string): void {
    this.#state = 'leaving-message';
    this.#speak(phoneLines[this.#parties.language].leaveMessage, 'speech');
    this.#log('the caller can leave a message', reason === undefined ? {} : { reason });
  }

  #runSkills(
    named: readonly (string | number)[],
    { note, announcement }: { note?: string; announcement?: string },
  ): SkillOutcome[] {
    const outcomes = this.#inbox.skills.run(this.project, named, { note, announcement }, this.#used);
    const ran = outcomes
      .filter(({ ok, reason }) => ok && reason === undefined)
      .flatMap(({ key }) => this.agent?.skills.filter((skill) => skill.key === key) ?? []);
    this.#forwardedTo = ran.find(({ kind }) => kind === 'forward');
    const { transfer } = phoneLines[this.#parties.language];
    const own = ran.map((skill) => skill.announcement ?? (skill.kind === 'forward' ? transfer : ''));
    // An announcement of the AI is spoken once, however many skills run; an empty one suppresses all.
    const said = announcement === undefined ? own : ran.length > 0 ? [announcement] : [];
    for (const line of said) this.#speak(line, 'announcement');
    return outcomes;
  }

  /** Speaks to the caller as the service, and logs it; nothing for an empty text. */
  #speak(text: string, kind: 'greeting' | 'speech' | 'announcement'): void {
    if (text === '') return;
    if (kind === 'announcement') this.#inbox.conversations.addTurn(this.project, 'system', text);
    const what = { kind, channel: 'phone', callId: this.callId, text, from: 'system' };
    this.#inbox.log('to-customer', `${oneLine(text)} (phone)`, what, this.project);
  }

  #finish(why: string): void {
    if (this.#state === 'over') return;
    const { clock, crmWebhook } = this.#inbox;
    this.#state = 'over';
    const ms = clock.now() - this.#answeredAt;
    const startedMinutes = Math.max(1, Math.ceil(ms / minuteMs));
    this.#charge = this.#hasConnected ? { as: 'own-ai-call', startedMinutes } : { as: 'answered-call' };
    this.#log(`over: ${why}`, { charge: this.#charge, ms });
    const { contact, project } = this;
    clock.schedule(clock.now() + limits.crmFinishedCallDelayMs, async () => {
      await crmWebhook.send('FinishedCall', { contact, project });
    });
  }

  #logFrame(from: 'service' | 'ai', text: string): void {
    const cut = cutText(text, loggedFrameCharacters);
    const shown = withoutSecrets(this.#inbox.workspace, cut, { isForeign: from === 'ai' });
    this.#log(`${from === 'ai' ? 'AI' : 'service'}: ${oneLine(shown)}`, { from, frame: shown });
  }

  #log(text: string, data: Record<string, unknown>): void {
    const known = { callId: this.callId, state: this.#state, ...data };
    this.#inbox.log('call', `call: ${text}`, known, this.project);
  }
}
