import type {
  AutoReply,
  HistoryTurn,
  ProjectData,
  ProjectDataAnswer,
  TranscriptTurn,
} from '../specs/generated/types.ts';
import { AutoReplies } from './auto-replies.ts';
import { wireAutoReply } from './auto-reply.ts';
import { oneLine } from './cut-text.ts';
import { lastChannel, sendToCustomer, sendWaiting, type MessageSender } from './customer-delivery.ts';
import { emptyContact } from './empty-contact.ts';
import { fullName } from './full-name.ts';
import { historyOf, insertTurn, transcriptOf } from './history.ts';
import { Problem } from './problem.ts';
import { applyProjectData, projectDataOf } from './project-data.ts';
import type { InboxCore } from './inbox-core.ts';
import type { ContactRecord, ProjectChannel, ProjectRecord, TurnRecord } from './workspace.ts';

/**
 * The conversations of one inbox: who has them, what was said, and what the team sees (interface: States and
 * transitions).
 */
export class Conversations {
  readonly #inbox: InboxCore;
  /** The latest project of each contact. */
  readonly #latest = new WeakMap<ContactRecord, ProjectRecord>();
  readonly #autoReplies: AutoReplies;

  constructor(inbox: InboxCore) {
    this.#inbox = inbox;
    this.#autoReplies = new AutoReplies(inbox);
    for (const project of inbox.workspace.projects.values()) this.#latest.set(this.contactOf(project), project);
  }

  /**
   * Begins a new conversation, which is then the contact's current one. The first assistant of the inbox answers it.
   */
  open(contact: ContactRecord, channel: ProjectChannel, over: Partial<ProjectRecord> = {}): ProjectRecord {
    const { workspace, ids } = this.#inbox;
    const [agentId = null] = workspace.agents.keys();
    const project: ProjectRecord = {
      id: ids.integer(),
      contactId: contact.id,
      name: `Conversation with ${fullName(contact) ?? contact.phone ?? contact.email ?? `contact ${contact.id}`}`,
      isOpen: true,
      channel,
      agentId,
      autoReply: { state: 'on' },
      turns: [],
      notes: [],
      crm: {},
      skillRuns: [],
      waiting: [],
      teamWasNotified: false,
      forwarded: false,
      chatHasBegun: false,
      unread: false,
      ...over,
    };
    workspace.projects.set(project.id, project);
    this.#latest.set(contact, project);
    return project;
  }

  /** The open project of a contact, the latest one. */
  openProject(contact: ContactRecord): ProjectRecord | undefined {
    const project = this.#latest.get(contact);
    return project?.isOpen === true ? project : undefined;
  }

  /** The current project of a contact; a new one where none is open. */
  current(contact: ContactRecord, channel?: ProjectChannel): ProjectRecord {
    return this.openProject(contact) ?? this.open(contact, channel ?? lastChannel(contact));
  }

  /** Throws {@link Problem} project_not_found. */
  get(projectId: number | undefined): ProjectRecord {
    const project = projectId === undefined ? undefined : this.#inbox.workspace.projects.get(projectId);
    if (!project) throw new Problem('project_not_found');
    return project;
  }

  /** Adds a project with exactly these fields, for a conversation that began elsewhere, and creates its contact. */
  adopt(over: Partial<ProjectRecord> & { id: number }): ProjectRecord {
    const { workspace, clock, ids } = this.#inbox;
    const { channel = 'webchat', contactId = ids.integer() } = over;
    const contact = workspace.contacts.get(contactId) ?? emptyContact(contactId);
    workspace.contacts.set(contactId, contact);
    // An adopted conversation is one in which the customer has just written.
    contact.lastWroteAt[channel] = clock.now();
    const project = this.open(contact, channel, { chatHasBegun: true, ...over });
    this.#autoReplies.awaitEndOfPause(project);
    return project;
  }

  /** The contact of a project. */
  contactOf(project: ProjectRecord): ContactRecord {
    const contact = this.#inbox.workspace.contacts.get(project.contactId);
    if (!contact) throw new RangeError(`expected a contact ${project.contactId}, received none`);
    return contact;
  }

  /** Sets the own-AI assistant that answers the conversation; `null`: none. */
  answerWith(project: ProjectRecord, agentId: number | null): void {
    project.agentId = agentId;
  }

  /** Adds a turn unless the text is empty. `at` in Unix milliseconds; default: now. */
  addTurn(
    project: ProjectRecord,
    role: TurnRecord['role'],
    text: string,
    { messageId, at = this.#inbox.clock.now() }: { messageId?: number; at?: number } = {},
  ): void {
    if (text !== '') insertTurn(project, { role, text, at, ...(messageId !== undefined && { messageId }) });
  }

  /**
   * Sends a message to the customer; returns its id. Throws {@link Problem} not_deliverable, and then the team has
   * the conversation. The first message of the AI after the team stepped in adds a note for the team.
   */
  deliverText(project: ProjectRecord, text: string, { from }: { from: MessageSender }): number {
    try {
      const messageId = sendToCustomer(this.#inbox, project, text, from);
      if (from === 'agent') this.#noteTextOfAi(project);
      return messageId;
    } catch (error) {
      if (error instanceof Problem) this.handToTeam(project, 'A message could not be delivered to the customer.');
      throw error;
    }
  }

  /** The customer taps the button of a notification: the WhatsApp window opens and waiting messages are delivered. */
  customerTaps(project: ProjectRecord): void {
    this.contactOf(project).lastWroteAt.whatsapp = this.#inbox.clock.now();
    this.#inbox.log('customer', 'taps the button', { contactId: project.contactId, channel: 'whatsapp' }, project);
    sendWaiting(this.#inbox, project);
  }

  /** A team member writes to the customer; returns the message id. Throws {@link Problem} not_deliverable. */
  teamReplies(project: ProjectRecord, text: string): number {
    this.teamReplied(project);
    return this.deliverText(project, text, { from: 'team' });
  }

  /** A team member has written to the customer, through any channel. */
  teamReplied(project: ProjectRecord): void {
    this.#autoReplies.follow(project, 'team-replied');
  }

  takeOver(project: ProjectRecord): void {
    this.#autoReplies.follow(project, 'taken-over');
  }

  switchOff(project: ProjectRecord): void {
    this.#autoReplies.follow(project, 'switched-off');
  }

  /** Pauses auto-reply; default: the time that the app offers. Without effect on a conversation that is off. */
  mute(project: ProjectRecord, minutes?: number): void {
    this.#autoReplies.follow(project, 'muted', minutes);
  }

  handBack(project: ProjectRecord): void {
    this.#autoReplies.follow(project, 'handed-back');
  }

  /**
   * Hands the conversation to the team with the reason as a note (interface: Own-AI chat event, failures). Does nothing
   * and returns `false` when the team has it already.
   */
  handToTeam(project: ProjectRecord, why: string): boolean {
    if (!this.isOn(project)) return false;
    this.#autoReplies.follow(project, 'handed-over');
    this.notifyTeam(project, why, 'note');
    this.notifyTeam(project, `A conversation waits for the team: ${why}`, 'push');
    return true;
  }

  /** The AI hands the conversation over; `false` when the team has it already. */
  handOver(project: ProjectRecord): boolean {
    if (!this.isOn(project)) return false;
    this.#autoReplies.follow(project, 'handed-over');
    this.notifyTeam(project, 'The AI has handed the conversation over.', 'push');
    return true;
  }

  /** A forward in chat: the team is notified as of a handover, and no event is sent until it is handed back. */
  forward(project: ProjectRecord, name: string, said?: string): void {
    this.#autoReplies.follow(project, 'handed-over');
    project.forwarded = true;
    this.notifyTeam(project, `The AI has forwarded the conversation to ${name}${said ? `: ${said}` : '.'}`, 'push');
  }

  /** Auto-reply as events and responses carry it. */
  autoReply(project: ProjectRecord): AutoReply {
    return wireAutoReply(this.#autoReplies.of(project));
  }

  isOn(project: ProjectRecord): boolean {
    return this.#autoReplies.of(project).state === 'on';
  }

  projectData(project: ProjectRecord): ProjectData {
    return projectDataOf(project);
  }

  /** Applies the project data of a CRM answer; omitted fields stay unchanged (interface: CRM webhook answer). */
  applyCrm(project: ProjectRecord, answer: ProjectDataAnswer): void {
    const changed = applyProjectData(project, answer);
    if (changed.length > 0)
      this.#inbox.log('crm-data', `project: ${changed.join(', ')}`, { of: 'project', changed }, project);
  }

  /** Notifies the team only: a note stays with the conversation, a push or an alert is shown once. */
  notifyTeam(project: ProjectRecord, text: string, kind: 'note' | 'push' | 'alert'): void {
    const { ids, clock } = this.#inbox;
    if (kind === 'note') project.notes.push({ id: ids.integer(), title: null, text, at: clock.now() });
    this.#inbox.log('to-team', `${kind}: ${oneLine(text)}`, { kind, text }, project);
  }

  /** The whole conversation, oldest first. */
  transcript(project: ProjectRecord): TranscriptTurn[] {
    return transcriptOf(project);
  }

  /** The last 30 turns, oldest first; with the id of a new message those before it. */
  history(project: ProjectRecord, withoutMessageId?: number): HistoryTurn[] {
    return historyOf(project, withoutMessageId);
  }

  #noteTextOfAi(project: ProjectRecord): void {
    if (this.isOn(project) || project.teamWasNotified) return;
    project.teamWasNotified = true;
    this.notifyTeam(project, 'The AI has written although the team has the conversation.', 'note');
  }
}
