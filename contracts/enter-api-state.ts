import type { ApiTrouble } from '../service/api/install-recording.ts';
import { timestamp } from '../service/clock.ts';
import { renumberAgent, renumberAppointment, renumberContact } from '../service/renumber.ts';
import type { ServiceInbox } from '../service/service-inbox.ts';
import type {
  AgentRecord,
  AppointmentRecord,
  ContactRecord,
  ProjectRecord,
  SkillRecord,
} from '../service/workspace.ts';
import { readIso8601 } from '../specs/iso-8601.ts';
import type { ApiStateName } from '../generators/contracts/api-state-names.ts';
import { formatStateFault, type StateFault } from './api-states.ts';
import type { ApiStateValues, ReadApiState } from './api-states.ts';
import type { StubIntegrator } from './stub-integrator.ts';

/** The objects that a state changes. */
export interface StateScene {
  readonly inbox: ServiceInbox;
  readonly integrator: StubIntegrator;
  /** Orders a failure for the next request to the API. */
  readonly order: (trouble: ApiTrouble) => void;
  /** Sends a note with this Idempotency-Key as another request of the same API key. */
  readonly useIdempotencyKey: (key: string) => Promise<void>;
}

/** A state that contradicts what is already there. */
export class StateConflict extends Error {
  override readonly name = 'StateConflict';
  readonly fault: StateFault;

  constructor(fault: StateFault) {
    super(formatStateFault(fault));
    this.fault = fault;
  }
}

/** From the range that Germany reserves for fiction. */
const somePhone = '+4915228817386';
const dayMs = 86_400_000;

/**
 * Puts the inbox into a state. Returns the values that it set, by parameter name. Throws {@link StateConflict} for a
 * state that contradicts an earlier one, and the errors of the service.
 */
export async function enterApiState(scene: StateScene, { name, params }: ReadApiState): Promise<ApiStateValues> {
  return { ...params, ...(await setters[name](scene, params)) };
}

type Setter = (scene: StateScene, wanted: ApiStateValues) => ApiStateValues | Promise<ApiStateValues>;

const setters: Readonly<Record<ApiStateName, Setter>> = {
  'a contact exists': ({ inbox }, wanted) => {
    const contact = contactOf(inbox, wanted);
    const { firstName, lastName, email, serviceConsent } = wanted;
    if (contact.phone !== null)
      inbox.contacts.upsert(given({ phone: contact.phone, firstName, lastName, email, serviceConsent }));
    return aboutContact(contact);
  },
  'no such contact': ({ inbox: { workspace, contacts } }, { contactId, phone, email }) =>
    isAbsent(
      (contactId !== undefined && workspace.contacts.has(contactId)) ||
        (phone !== undefined && contacts.byPhone(phone) !== undefined) ||
        (email !== undefined && contacts.byEmail(email) !== undefined),
      'contact',
    ),
  'the contact has given marketing consent': ({ inbox }, wanted) => withConsent(inbox, wanted, true),
  'the contact has not given marketing consent': ({ inbox }, wanted) => withConsent(inbox, wanted, false),
  'the contact cannot be reached': ({ inbox }, wanted) => {
    const { contact, about } = projectOf(inbox, wanted);
    contact.undeliverable = true;
    return about;
  },
  'the WhatsApp window is open': ({ inbox }, wanted) => {
    const { contact, project, about } = projectOf(inbox, wanted);
    contact.lastWroteAt.whatsapp = inbox.clock.now();
    project.channel = 'whatsapp';
    return about;
  },
  'the WhatsApp window is closed': ({ inbox }, wanted) => {
    const { contact, project, about } = projectOf(inbox, wanted);
    contact.lastWroteAt.whatsapp = inbox.clock.now() - 2 * dayMs;
    project.channel = 'whatsapp';
    return about;
  },
  'a project exists': ({ inbox }, wanted) => projectOf(inbox, wanted).about,
  'no such project': ({ inbox: { workspace } }, { projectId }) =>
    isAbsent(projectId !== undefined && workspace.projects.has(projectId), 'project'),
  'the project has messages': ({ inbox }, wanted) => {
    const { project, about } = projectOf(inbox, wanted);
    const { conversations, ids } = inbox;
    const { text = 'Is my order ready?' } = wanted;
    conversations.addTurn(project, 'customer', text, { messageId: ids.integer() });
    conversations.addTurn(project, 'agent', 'Yes, it is.', { messageId: ids.integer() });
    return about;
  },
  'the own AI answers the project': ({ inbox }, wanted) => {
    const { project, about } = projectOf(inbox, wanted);
    const { agentId } = agentOf(inbox, wanted);
    inbox.conversations.answerWith(project, agentId);
    inbox.conversations.handBack(project);
    return { ...about, agentId };
  },
  'auto-reply is paused': ({ inbox }, wanted) => {
    const { project, about } = projectOf(inbox, wanted);
    inbox.conversations.mute(project);
    return about;
  },
  'auto-reply is off': ({ inbox }, wanted) => {
    const { project, about } = projectOf(inbox, wanted);
    inbox.conversations.takeOver(project);
    return about;
  },
  'no own AI answers the project': ({ inbox }, wanted) => {
    const { project, about } = projectOf(inbox, wanted);
    inbox.conversations.answerWith(project, null);
    return about;
  },
  'a message was logged': ({ inbox }, wanted) => {
    const { project, about } = projectOf(inbox, wanted);
    const { externalId = 'mail-1', channel = 'email' } = wanted;
    inbox.messages.log({
      projectId: project.id,
      direction: 'in',
      channel: channel as 'email',
      text: 'Thank you.',
      externalId,
    });
    return { ...about, externalId, channel };
  },
  'an appointment is proposed': ({ inbox }, wanted) => withAppointment(inbox, wanted, false),
  'an appointment is confirmed': ({ inbox }, wanted) => withAppointment(inbox, wanted, true),
  'an appointment is cancelled': ({ inbox }, wanted) => {
    const about = withAppointment(inbox, wanted, true);
    inbox.appointments.cancel(about.appointmentId);
    return about;
  },
  'no such appointment': ({ inbox: { workspace } }, { appointmentId }) =>
    isAbsent(appointmentId !== undefined && workspace.appointments.has(appointmentId), 'appointment'),
  'an assistant exists': ({ inbox }, wanted) => {
    const agent = agentOf(inbox, wanted);
    const { name, chatUrl, voiceUrl } = wanted;
    Object.assign(agent, given({ name, chatUrl, voiceUrl }));
    return { agentId: agent.agentId };
  },
  'no such assistant': ({ inbox: { workspace } }, { agentId }) =>
    isAbsent(agentId !== undefined && workspace.agents.has(agentId), 'assistant'),
  'the inbox has no assistant': ({ inbox: { workspace } }) => {
    workspace.agents.clear();
    return {};
  },
  'the assistant has no secret': ({ inbox }, wanted) => {
    const agent = agentOf(inbox, wanted);
    agent.secret = undefined;
    return { agentId: agent.agentId };
  },
  'the own AI passes the test': (scene, wanted) => connected(scene, wanted, true),
  'the own AI fails the test': (scene, wanted) => connected(scene, wanted, false),
  'a skill is attached': ({ inbox }, wanted) => skillOf(inbox, wanted).about,
  'no such skill': ({ inbox }, wanted) =>
    isAbsent(
      agentOf(inbox, wanted).skills.some(({ key, id }) => key === wanted.key || String(id) === wanted.key),
      'skill',
    ),
  'the skill is refused': ({ inbox }, wanted) => {
    const { skill, about } = skillOf(inbox, wanted);
    const { reason = 'outside-hours' } = wanted;
    skill.refuse = reason as NonNullable<SkillRecord['refuse']>;
    return { ...about, reason };
  },
  'the skill waits for approval': ({ inbox }, wanted) => {
    const { skill, about } = skillOf(inbox, wanted);
    skill.needsApproval = true;
    return about;
  },
  'the inbox has no senders': ({ inbox: { workspace } }) => {
    workspace.senders.length = 0;
    return {};
  },
  'the inbox has no templates': ({ inbox: { workspace } }) => {
    workspace.templates.length = 0;
    return {};
  },
  'the API key is not known': ({ inbox: { workspace } }) => {
    workspace.keys.clear();
    return {};
  },
  'too many requests were sent': ({ order }, { seconds = 30 }) => {
    order({ kind: 'answer-instead', status: 429, code: 'rate_limited', retryAfterSeconds: seconds });
    return { seconds };
  },
  'the Idempotency-Key was used for another request': async ({ useIdempotencyKey }, { idempotencyKey }) => {
    await useIdempotencyKey(idempotencyKey ?? neededKey());
    return {};
  },
  'a request with the Idempotency-Key is being processed': ({ order }) => {
    order({ kind: 'answer-instead', status: 409, code: 'idempotency_key_in_use' });
    return {};
  },
};

function neededKey(): never {
  throw new StateConflict({
    expected: 'the parameter idempotencyKey, or the header Idempotency-Key in the request',
    received: 'neither',
  });
}

function isAbsent(isThere: boolean, what: string): ApiStateValues {
  if (isThere)
    throw new StateConflict({
      expected: `no ${what} like this`,
      received: 'one: the inbox has it from the start, or an earlier state created it',
    });
  return {};
}

/** The given contact, or the latest one; created if it does not exist. */
function contactOf({ workspace, contacts }: ServiceInbox, { contactId, phone, email }: ApiStateValues): ContactRecord {
  const known = contactId === undefined ? undefined : workspace.contacts.get(contactId);
  if (known) return known;
  const contact =
    phone === undefined && email !== undefined ? contacts.forEmail(email) : contacts.forPhone(phone ?? somePhone);
  if (contactId !== undefined) renumberContact(workspace, contact, contactId);
  return contact;
}

function aboutContact({ id, phone, email }: ContactRecord): ApiStateValues {
  return { contactId: id, ...(phone !== null && { phone }), ...(email !== null && { email }) };
}

function withConsent(inbox: ServiceInbox, wanted: ApiStateValues, consent: boolean): ApiStateValues {
  const contact = contactOf(inbox, wanted);
  contact.marketingConsent = consent;
  return aboutContact(contact);
}

/** The given project, or the current one of the contact; created if it does not exist. */
function projectOf(
  inbox: ServiceInbox,
  wanted: ApiStateValues,
): { project: ProjectRecord; contact: ContactRecord; about: ApiStateValues } {
  const { workspace, conversations, clock } = inbox;
  const { projectId } = wanted;
  const known = projectId === undefined ? undefined : workspace.projects.get(projectId);
  const contact = known ? conversations.contactOf(known) : contactOf(inbox, wanted);
  const project =
    known ??
    (projectId === undefined
      ? conversations.current(contact)
      : conversations.open(contact, 'whatsapp', { id: projectId, chatHasBegun: true }));
  // An ongoing conversation: the customer wrote recently.
  contact.lastWroteAt.whatsapp ??= clock.now();
  return { project, contact, about: { projectId: project.id, contactId: contact.id } };
}

function withAppointment(inbox: ServiceInbox, wanted: ApiStateValues, confirmed: boolean): ApiStateValues {
  const { workspace, appointments, clock } = inbox;
  const { appointmentId, externalId, title, start } = wanted;
  const known = appointmentId === undefined ? undefined : workspace.appointments.get(appointmentId);
  const appointment = known ?? made();
  return { appointmentId: appointment.id, contactId: appointment.contactId, projectId: appointment.projectId };

  function made(): AppointmentRecord {
    const { phone } = contactOf(inbox, wanted);
    const begins = start === undefined ? undefined : readIso8601(start)?.ms;
    const record = appointments.create({
      phone: phone ?? somePhone,
      start: timestamp(begins ?? clock.now() + 2 * dayMs),
      confirmed,
      ...given({ externalId, title }),
    });
    if (appointmentId !== undefined) renumberAppointment(workspace, record, appointmentId);
    return record;
  }
}

/** The given assistant, or the first one. */
function agentOf({ workspace }: ServiceInbox, { agentId }: ApiStateValues): AgentRecord {
  const [first] = workspace.agents.values();
  if (!first) throw new StateConflict({ expected: 'an inbox with an assistant', received: 'one without any' });
  const known = agentId === undefined ? first : workspace.agents.get(agentId);
  if (known) return known;
  // The one of the initial inbox gets the id of the contract.
  if (agentId !== undefined) renumberAgent(workspace, first, agentId);
  return first;
}

function connected({ inbox, integrator }: StateScene, wanted: ApiStateValues, answers: boolean): ApiStateValues {
  const agent = agentOf(inbox, wanted);
  agent.chatUrl = wanted.chatUrl ?? 'https://ai.example.com/chat';
  agent.voiceUrl = wanted.voiceUrl ?? 'wss://ai.example.com/voice';
  integrator.answers = answers;
  return { agentId: agent.agentId };
}

function skillOf(inbox: ServiceInbox, wanted: ApiStateValues): { skill: SkillRecord; about: ApiStateValues } {
  const agent = agentOf(inbox, wanted);
  const { key, skillId, kind, name } = wanted;
  let skill = agent.skills.find((one) =>
    skillId === undefined ? key === undefined || one.key === key : one.id === skillId,
  );
  if (!skill) {
    const id = skillId ?? inbox.ids.integer();
    skill = {
      id,
      key: key ?? `skill-${id}`,
      name: name ?? key ?? 'Skill',
      kind: 'alert',
      announcement: null,
      hoursLimited: false,
    };
    agent.skills.push(skill);
  }
  Object.assign(skill, given({ key, kind, name }));
  return { skill, about: { agentId: agent.agentId, key: skill.key, skillId: skill.id } };
}

/** Without the fields that are `undefined`. */
function given<T extends object>(fields: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>;
  };
}
