import type { Agent, AgentChange, AgentSecret, AgentTest } from '../specs/generated/types.ts';
import { isAllowedAddress } from './is-allowed-address.ts';
import { timestamp } from './clock.ts';
import type { InboxCore } from './inbox-core.ts';
import type { OwnAiChat } from './own-ai-chat.ts';
import type { OwnAiPhone } from './own-ai-phone.ts';
import { Problem } from './problem.ts';
import { waitingSeconds } from './waiting-seconds.ts';
import type { AgentRecord } from './workspace.ts';

/** An inbox with the parts that assistants use. */
interface AgentsInbox extends InboxCore {
  readonly chat: OwnAiChat;
  readonly phone: OwnAiPhone;
}

/** The own-AI assistants of one inbox (interface: Own-AI assistant; API v1). */
export class AgentDirectory {
  readonly #inbox: AgentsInbox;

  constructor(inbox: AgentsInbox) {
    this.#inbox = inbox;
  }

  list(): AgentRecord[] {
    return [...this.#inbox.workspace.agents.values()];
  }

  /** Throws {@link Problem} not_found. */
  get(id: number | undefined): AgentRecord {
    const agent = id === undefined ? undefined : this.#inbox.workspace.agents.get(id);
    if (!agent) throw new Problem('not_found', 'No such assistant in this inbox.');
    return agent;
  }

  /**
   * Changes the given fields; an empty address disconnects that channel. Throws {@link Problem} not_found,
   * invalid_chat_url and invalid_voice_url, and then changes nothing.
   */
  change(id: number | undefined, change: AgentChange): AgentRecord {
    const agent = this.get(id);
    const { chatUrl, voiceUrl, timeoutSeconds, voiceId } = change;
    if (chatUrl && !isAllowedAddress(chatUrl, 'https')) throw new Problem('invalid_chat_url');
    if (voiceUrl && !isAllowedAddress(voiceUrl, 'wss')) throw new Problem('invalid_voice_url');
    if (chatUrl !== undefined) agent.chatUrl = chatUrl;
    if (voiceUrl !== undefined) agent.voiceUrl = voiceUrl;
    if (timeoutSeconds !== undefined) agent.timeoutSeconds = waitingSeconds(timeoutSeconds);
    if (voiceId !== undefined) agent.voiceId = voiceId;
    return agent;
  }

  /** A new secret, readable only here; the previous one stops working (interface: API v1). */
  replaceSecret(id: number | undefined): AgentSecret {
    const agent = this.get(id);
    const secret = this.#inbox.ids.text('whsec_');
    agent.secret = secret;
    return { secret };
  }

  /**
   * Pings the chat address, then opens and closes the phone connection once. A channel without an address is skipped;
   * an assistant without any address fails (assumption agent-test-without-address).
   */
  async test(id: number | undefined): Promise<AgentTest> {
    const agent = this.get(id);
    const { chatUrl, voiceUrl } = agent;
    if (chatUrl === '' && voiceUrl === '') {
      return { success: false, statusCode: null, durationMs: 0, error: 'the own AI has no address' };
    }
    const ping = chatUrl === '' ? undefined : await this.#inbox.chat.ping(agent);
    const probe = voiceUrl === '' ? undefined : await this.#inbox.phone.probe(agent);
    const error = ping?.error ?? probe?.error ?? null;
    return {
      success: (ping?.ok ?? true) && (probe?.ok ?? true),
      statusCode: ping?.statusCode ?? null,
      durationMs: Math.round((ping ?? probe)?.durationMs ?? 0),
      error,
    };
  }

  /** The assistant as the API shows it: without its secret and without the refusals set for its skills. */
  wire(agent: AgentRecord): Agent {
    const { secret, lastSuccessAt, lastFailureAt, skills, ...shown } = agent;
    return {
      ...shown,
      hasSecret: secret !== undefined,
      lastSuccessAt: lastSuccessAt === null ? null : timestamp(lastSuccessAt),
      lastFailureAt: lastFailureAt === null ? null : timestamp(lastFailureAt),
      skills: skills.map(({ refuse: _refuse, needsApproval: _needsApproval, ...skill }) => skill),
    };
  }
}
