import { limits } from '../specs/limits.ts';
import type { Skill, SkillOutcome, SkillRequest } from '../specs/generated/types.ts';
import type { Conversations } from './conversations.ts';
import { cutText } from './cut-text.ts';
import { fullName } from './full-name.ts';
import type { InboxCore } from './inbox-core.ts';
import { Problem } from './problem.ts';
import { outcomeOf, runSkills, type SkillReason } from './skill-rule.ts';
import type { AgentRecord, ProjectRecord, SkillRecord } from './workspace.ts';

/** An inbox with the parts that skills use. */
interface SkillsInbox extends InboxCore {
  readonly conversations: Conversations;
}

/** Limits that one call has used up. */
export interface CallSkills {
  /** Forwards that ran. */
  forwards: number;
}

/**
 * Strings that accompany skills: an alert sends the note, else the text; an empty announcement suppresses the skill's own.
 */
export interface SkillMessages {
  text?: string | undefined;
  note?: string | undefined;
  announcement?: string | undefined;
}

/** Reasons for the failure of a skill that was tried; all others keep it from being tried and offered. */
const reasonsWhenTried: readonly SkillReason[] = ['no-answer', 'failed'];

/** Forward and alert skills of the own-AI assistants (interface: Skills as tools). */
export class Skills {
  readonly #inbox: SkillsInbox;

  constructor(inbox: SkillsInbox) {
    this.#inbox = inbox;
  }

  /** The skills that are currently allowed, as events list them; none while auto-reply is not on. */
  allowedNow(project: ProjectRecord, call?: CallSkills): Skill[] {
    const agent = this.#agentOf(project);
    if (!agent || !this.#inbox.conversations.isOn(project)) return [];
    return agent.skills
      .filter((skill) => this.#hindrance(project, agent, skill, call) === undefined)
      .map(({ id, key, name, description, kind, announcement }) => ({
        id,
        key,
        name,
        ...(description !== undefined && { description }),
        kind,
        announcement,
      }));
  }

  /**
   * Runs the skills that an answer names by keys or ids, and returns their outcomes. In chat an announcement goes to
   * the customer and a forward hands the conversation to the team; in a call both concern the caller. `offered`: the only
   * skills that the AI knows; default: all of the assistant.
   */
  run(
    project: ProjectRecord,
    named: readonly (string | number)[],
    said: SkillMessages,
    where: 'chat' | CallSkills,
    offered?: readonly Pick<Skill, 'id' | 'key'>[],
  ): SkillOutcome[] {
    const isOn = this.#inbox.conversations.isOn(project);
    const agent = this.#agentOf(project);
    const isOffered = ({ id, key }: SkillRecord) => offered?.some((one) => one.id === id && one.key === key) ?? true;
    const skills = agent?.skills.filter(isOffered) ?? [];
    let { announcement } = said;
    const outcomes = runSkills(named, skills, (skill) => {
      if (!isOn || !agent) return 'not-allowed';
      const reason = this.#carryOut(project, agent, skill, { ...said, announcement }, where);
      // An announcement for several skills is made once.
      if (reason === undefined && announcement !== undefined) announcement = '';
      return reason;
    }).map((outcome) => (isOn ? outcome : outcomeOf(outcome.key, 'not-allowed')));
    for (const outcome of outcomes) this.#log(project, outcome, where);
    return outcomes;
  }

  /**
   * Runs one skill in chat, by its key or id in the address (interface: API v1). Throws {@link Problem}
   * project_not_found, and project_not_with_agent while auto-reply is not on.
   */
  runByKey(projectId: number | undefined, key: string, { note, announcement }: SkillRequest): SkillOutcome {
    const { conversations } = this.#inbox;
    const project = conversations.get(projectId);
    const agent = this.#agentOf(project);
    if (!agent || !conversations.isOn(project)) throw new Problem('project_not_with_agent');
    const byId = agent.skills.find(({ id }) => String(id) === key);
    const name = agent.skills.some((skill) => skill.key === key) ? key : (byId?.id ?? key);
    const [outcome] = this.run(project, [name], { note, announcement }, 'chat');
    return outcome ?? outcomeOf(key, 'failed');
  }

  #agentOf({ agentId }: ProjectRecord): AgentRecord | undefined {
    return agentId === null ? undefined : this.#inbox.workspace.agents.get(agentId);
  }

  /** Runs one skill, unless something prevents it. */
  #carryOut(
    project: ProjectRecord,
    agent: AgentRecord,
    skill: SkillRecord,
    said: SkillMessages,
    where: 'chat' | CallSkills,
  ): SkillReason | undefined {
    const call = where === 'chat' ? undefined : where;
    const hindrance = this.#hindrance(project, agent, skill, call) ?? skill.refuse;
    if (hindrance !== undefined) return hindrance;
    project.skillRuns.push({ key: skill.key, kind: skill.kind, at: this.#inbox.clock.now() });
    if (skill.needsApproval === true) {
      this.#inbox.conversations.notifyTeam(project, `The skill ${skill.name} waits for approval.`, 'push');
      return 'pending-approval';
    }
    if (where === 'chat') this.#announce(project, said.announcement ?? skill.announcement ?? '');
    if (skill.kind === 'alert') this.#inbox.conversations.notifyTeam(project, this.#alertText(project, said), 'alert');
    else if (call) call.forwards++;
    else this.#inbox.conversations.forward(project, skill.name, cutNote(said.note));
    return undefined;
  }

  /** The reason that currently prevents a skill from being tried (interface: Errors). */
  #hindrance(
    project: ProjectRecord,
    agent: AgentRecord,
    { kind, refuse }: SkillRecord,
    call: CallSkills | undefined,
  ): SkillReason | undefined {
    if (refuse !== undefined && !reasonsWhenTried.includes(refuse)) return refuse;
    const hourAgo = this.#inbox.clock.now() - 3_600_000;
    if (project.skillRuns.some(({ at }) => at <= hourAgo)) {
      project.skillRuns = project.skillRuns.filter(({ at }) => at > hourAgo);
    }
    if (project.skillRuns.length >= agent.skillsPerHourLimit) return 'limit-reached';
    if (kind === 'forward' && call && call.forwards >= agent.forwardsPerCallLimit) return 'limit-reached';
    return undefined;
  }

  /** The note, else the text, else a line with conversation and contact (interface: Skills as tools). */
  #alertText(project: ProjectRecord, { note, text }: SkillMessages): string {
    const { conversations } = this.#inbox;
    const contact = conversations.contactOf(project);
    const who = fullName(contact) ?? contact.phone ?? contact.email ?? `contact ${contact.id}`;
    return cutNote(note) || text || `Conversation ${project.id} with ${who} needs attention.`;
  }

  #announce(project: ProjectRecord, text: string): void {
    const { conversations } = this.#inbox;
    // A skill runs even if nothing reaches the customer.
    if (text === '' || conversations.contactOf(project).undeliverable) return;
    conversations.deliverText(project, text, { from: 'system' });
  }

  #log(project: ProjectRecord, outcome: SkillOutcome, where: 'chat' | CallSkills): void {
    const { key, ok, reason } = outcome;
    const charged = ok && reason === undefined;
    const what = { ...outcome, charged, where: where === 'chat' ? 'chat' : 'call' };
    this.#inbox.log('skill', `[${cutText(key, keyCharacters)}] ${reason ?? 'done'}`, what, project);
  }
}

/** Unicode code points of a key in one line; an unknown key can be any string. */
const keyCharacters = 100;

/** The turn that reports a skill of a direct answer to the AI: `[key]` and `(reason)`. */
export function outcomeTurn({ key, ok, reason }: SkillOutcome): string {
  const name = `[${cutText(key, keyCharacters)}]`;
  if (reason === undefined) return `Skill done: ${name}`;
  return ok ? `Skill waits: ${name} (${reason})` : `Skill refused: ${name} (${reason})`;
}

/** A note as the team sees it, cut to the limit. */
export function cutNote(note: string | null | undefined): string {
  return cutText(note ?? '', limits.ownAiNoteCharacters);
}
