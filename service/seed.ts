import { appointmentEventTypes } from '../specs/appointment-event-types.ts';
import type { ApiWebhookEvent, Skill } from '../specs/types.ts';
import type { Clock } from './clock.ts';
import type { ServiceIds } from './service-ids.ts';
import { waitingSeconds } from './waiting-seconds.ts';
import type { AgentRecord, ContactRecord, SkillRecord, SubscriptionRecord, Workspace } from './workspace.ts';

/** A skill of a seeded assistant; without opening hours and allowed, where nothing else is said. */
export type SeedSkill = Skill & Partial<Pick<SkillRecord, 'hoursLimited' | 'refuse' | 'needsApproval'>>;

/** A seeded own-AI assistant. Empty addresses: not connected. A secret is made up; `null`: it has none. */
export interface SeedAgent extends Partial<
  Pick<
    AgentRecord,
    | 'agentId'
    | 'name'
    | 'chatUrl'
    | 'voiceUrl'
    | 'timeoutSeconds'
    | 'voiceId'
    | 'skillsPerHourLimit'
    | 'forwardsPerCallLimit'
  >
> {
  secret?: string | null;
  skills?: readonly SeedSkill[];
}

/** A seeded subscription; to all six events where none are named. */
export interface SeedSubscription extends Partial<Pick<SubscriptionRecord, 'description' | 'secret'>> {
  url: string;
  events?: readonly ApiWebhookEvent['type'][];
}

/** What an inbox begins with. Whatever is omitted is filled pleasantly; an empty list leaves a part empty. */
export interface SeedOptions {
  name?: string;
  /** IANA name; default Europe/Berlin. Throws RangeError for one that does not exist. */
  timeZone?: string;
  hasOwnWhatsAppNumber?: boolean;
  /** Minutes before an appointment at which reminders go out; default: the interface's. */
  reminderMinutesBefore?: readonly number[];
  /** API key to its name, by which messages are shown; default: one that is made up. */
  apiKeys?: Readonly<Record<string, string>>;
  /** The first one answers new conversations. */
  agents?: readonly SeedAgent[];
  /** Skills of the assistant, where `agents` is omitted. */
  skills?: readonly SeedSkill[] | undefined;
  /** Default: no CRM is connected. */
  crmWebhook?: { url: string; token: string } | undefined;
  contacts?: readonly Partial<ContactRecord>[];
  senders?: Workspace['senders'];
  templates?: Workspace['templates'];
  /** Default: none. */
  subscriptions?: readonly SeedSubscription[];
}

/** What the interface does not put a number to: GET /v1/agents lists them, and these are ours. */
const [skillsPerHourLimit, forwardsPerCallLimit] = [20, 3];

/** The inbox as it is when the service starts. */
export function seededWorkspace(options: SeedOptions, ids: ServiceIds, clock: Clock): Workspace {
  const { timeZone = 'Europe/Berlin', crmWebhook, apiKeys = { [ids.text('svc_sk_')]: 'Default key' } } = options;
  // Told here, and not at the first appointment.
  new Intl.DateTimeFormat('en', { timeZone });
  const name = options.name ?? 'Example inbox';
  const skills = options.skills ?? defaultSkills(ids);
  const agents = (options.agents ?? [{ skills }]).map((seed) => agentOf(seed, ids));
  const contacts = (options.contacts ?? defaultContacts).map((seed) => contactOf(seed, ids));
  const subscriptions = (options.subscriptions ?? []).map((seed) => subscriptionOf(seed, ids, clock));
  return {
    id: ids.integer(),
    name,
    timeZone,
    hasOwnWhatsAppNumber: options.hasOwnWhatsAppNumber ?? true,
    ...(options.reminderMinutesBefore && { reminderMinutesBefore: options.reminderMinutesBefore }),
    senders: options.senders ?? defaultSenders(name),
    templates: options.templates ?? defaultTemplates(),
    crmWebhook,
    contacts: new Map(contacts.map((contact) => [contact.id, contact])),
    projects: new Map(),
    appointments: new Map(),
    agents: new Map(agents.map((agent) => [agent.agentId, agent])),
    subscriptions: new Map(subscriptions.map((subscription) => [subscription.id, subscription])),
    keys: new Map(Object.entries(apiKeys)),
  };
}

function agentOf({ secret, skills = [], timeoutSeconds, ...seed }: SeedAgent, ids: ServiceIds): AgentRecord {
  return {
    agentId: ids.integer(),
    name: 'Own AI',
    chatUrl: '',
    voiceUrl: '',
    voiceId: '',
    skillsPerHourLimit,
    forwardsPerCallLimit,
    ...seed,
    timeoutSeconds: waitingSeconds(timeoutSeconds),
    secret: secret === null ? undefined : (secret ?? ids.text('whsec_')),
    lastSuccessAt: null,
    lastFailureAt: null,
    lastError: null,
    consecutiveFailures: 0,
    skills: skills.map((skill) => ({ hoursLimited: false, ...skill })),
  };
}

function contactOf(seed: Partial<ContactRecord>, ids: ServiceIds): ContactRecord {
  return {
    id: ids.integer(),
    phone: null,
    email: null,
    firstName: null,
    lastName: null,
    serviceConsent: false,
    marketingConsent: false,
    undeliverable: false,
    ...seed,
    // Not shared with the seed, which several inboxes may begin with.
    crm: { ...seed.crm },
    lastWroteAt: { ...seed.lastWroteAt },
  };
}

function subscriptionOf(seed: SeedSubscription, ids: ServiceIds, clock: Clock): SubscriptionRecord {
  const { url, events = appointmentEventTypes, description = null, secret = ids.text('whk_') } = seed;
  return { id: ids.integer(), url, events: [...events], description, secret, createdAt: clock.now() };
}

/** Numbers from the range that Germany reserves for fiction, and names that are reserved for examples. */
const defaultContacts: readonly Partial<ContactRecord>[] = [
  {
    phone: '+4915228817386',
    firstName: 'Erika',
    lastName: 'Mustermann',
    email: 'erika@example.com',
    serviceConsent: true,
    marketingConsent: true,
  },
  { phone: '+4915228895456', firstName: 'Max', lastName: 'Beispiel', serviceConsent: true },
  { email: 'kim@example.org', firstName: 'Kim', lastName: 'Sample' },
];

function defaultSkills(ids: ServiceIds): SeedSkill[] {
  return [
    {
      id: ids.integer(),
      key: 'sales',
      name: 'Sales',
      description: 'Puts the customer through to the sales team.',
      kind: 'forward',
      announcement: 'One moment, I am putting you through to sales.',
    },
    {
      id: ids.integer(),
      key: 'urgent',
      name: 'Urgent',
      description: 'Tells the team at once.',
      kind: 'alert',
      announcement: null,
    },
  ];
}

function defaultSenders(name: string): Workspace['senders'] {
  return [
    { id: '4930231255000', channel: 'whatsapp', name },
    { id: '4930231255001', channel: 'sms', name },
    { id: 'inbox@example.com', channel: 'email', name },
  ];
}

function defaultTemplates(): Workspace['templates'] {
  return [
    { name: 'order_ready', language: 'en', text: 'Your order is ready.' },
    { name: 'rueckruf', language: 'de', text: 'Wir haben versucht, Sie zu erreichen.' },
  ];
}
