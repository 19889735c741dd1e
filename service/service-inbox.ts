import { AgentReplies } from './agent-replies.ts';
import { AgentDirectory } from './agent-directory.ts';
import { ApiWebhooks } from './api-webhooks.ts';
import { Appointments } from './appointments.ts';
import type { Clock } from './clock.ts';
import { Contacts } from './contacts.ts';
import { Conversations } from './conversations.ts';
import { CrmWebhook } from './crm-webhook.ts';
import { Customers } from './customers.ts';
import type { InboxCore, ServiceCommons } from './inbox-core.ts';
import { Messages } from './messages.ts';
import { Notes } from './notes.ts';
import type { Outbound } from './outbound.ts';
import { OwnAiChat } from './own-ai-chat.ts';
import { OwnAiPhone } from './own-ai-phone.ts';
import type { ServiceEvents, ServiceEventType } from './service-events.ts';
import type { ServiceIds } from './service-ids.ts';
import { Skills } from './skills.ts';
import { withoutSecrets } from './without-secrets.ts';
import type { ProjectRecord, Workspace } from './workspace.ts';

/** One inbox of the service: its state, and the parts that act on it. */
export class ServiceInbox implements InboxCore {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly ids: ServiceIds;
  readonly events: ServiceEvents;
  readonly baseUrl: () => string;
  #outbound: Outbound;
  #hasEnded = false;

  readonly contacts: Contacts;
  readonly conversations: Conversations;
  readonly messages: Messages;
  readonly notes: Notes;
  readonly appointments: Appointments;
  readonly apiWebhooks: ApiWebhooks;
  readonly agents: AgentDirectory;
  readonly skills: Skills;
  readonly agentReplies: AgentReplies;
  readonly crmWebhook: CrmWebhook;
  readonly customers: Customers;
  readonly chat: OwnAiChat;
  readonly phone: OwnAiPhone;

  constructor(workspace: Workspace, { clock, ids, events, outbound, baseUrl }: ServiceCommons) {
    this.workspace = workspace;
    this.clock = clock;
    this.ids = ids;
    this.events = events;
    this.#outbound = outbound;
    this.baseUrl = baseUrl;
    this.contacts = new Contacts(this);
    this.conversations = new Conversations(this);
    this.messages = new Messages(this);
    this.notes = new Notes(this);
    this.appointments = new Appointments(this);
    this.apiWebhooks = new ApiWebhooks(this);
    this.agents = new AgentDirectory(this);
    this.skills = new Skills(this);
    this.agentReplies = new AgentReplies(this);
    this.crmWebhook = new CrmWebhook(this);
    this.customers = new Customers(this);
    this.chat = new OwnAiChat(this);
    this.phone = new OwnAiPhone(this);
  }

  /** The way to the integrator; nothing is sent once the service has ended. */
  get outbound(): Outbound {
    return this.#outbound;
  }

  /** The service has ended, and this inbox with it. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends nothing any more, even if it is under way or falls due. */
  end(): void {
    this.#hasEnded = true;
    this.#outbound = noOutbound;
  }

  /** Adds an event of this inbox. `text` is one line for people. Secrets are redacted in both. */
  log(type: ServiceEventType, text: string, data: Record<string, unknown> = {}, project?: ProjectRecord): void {
    const { id: workspaceId } = this.workspace;
    const [shown, shownData] = withoutSecrets(this.workspace, [text, data] as const);
    this.events.add({ type, workspaceId, text: shown, data: shownData, ...(project && { projectId: project.id }) });
  }
}

const detail = 'the service has ended';
const noOutbound: Outbound = {
  post: () => Promise.resolve({ outcome: 'unreachable', detail, ms: 0 }),
  call: () => Promise.resolve({ failed: detail }),
};
