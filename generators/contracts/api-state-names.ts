/** Type of a parameter of a provider state. */
export interface StateParam {
  readonly kind: 'id' | 'text' | 'phone' | 'email' | 'boolean' | 'time' | 'seconds';
  readonly means: string;
  /** The only accepted strings. */
  readonly oneOf?: readonly string[];
}

/** Parameters of provider states, by name; a state returns its values under the same names. */
export const apiStateParams = {
  contactId: { kind: 'id', means: 'id of the contact' },
  phone: { kind: 'phone', means: 'its phone number in international form' },
  email: { kind: 'email', means: 'its email address' },
  firstName: { kind: 'text', means: 'its first name' },
  lastName: { kind: 'text', means: 'its last name' },
  serviceConsent: { kind: 'boolean', means: 'whether it consents to service messages' },
  projectId: { kind: 'id', means: 'id of the project' },
  text: { kind: 'text', means: 'what the customer wrote' },
  channel: { kind: 'text', means: 'channel', oneOf: ['email', 'whatsapp', 'sms', 'rcs'] },
  externalId: { kind: 'text', means: 'id that the integrator gave it' },
  appointmentId: { kind: 'id', means: 'id of the appointment' },
  start: { kind: 'time', means: 'when it begins, UTC' },
  title: { kind: 'text', means: 'its title' },
  agentId: { kind: 'id', means: 'id of the assistant' },
  name: { kind: 'text', means: 'its name' },
  chatUrl: { kind: 'text', means: 'its chat address' },
  voiceUrl: { kind: 'text', means: 'its phone address' },
  key: { kind: 'text', means: 'key of the skill' },
  skillId: { kind: 'id', means: 'id of the skill' },
  kind: { kind: 'text', means: 'what the skill does', oneOf: ['forward', 'alert'] },
  reason: {
    kind: 'text',
    means: 'why it is refused',
    oneOf: ['outside-hours', 'not-allowed', 'no-target', 'no-recipient', 'no-answer', 'failed'],
  },
  idempotencyKey: { kind: 'text', means: 'the key' },
  seconds: { kind: 'seconds', means: 'seconds until the next request is accepted' },
} as const satisfies Record<string, StateParam>;

/** Name of a parameter of a provider state. */
export type ApiStateParam = keyof typeof apiStateParams;

interface ApiState {
  readonly means: string;
  /** Parameters, all optional. */
  readonly params: readonly ApiStateParam[];
  /** Values for `fromProviderState`, in addition to the parameters. */
  readonly gives?: readonly ApiStateParam[];
}

const contact = ['contactId', 'phone', 'email'] as const;
const project = ['projectId', ...contact] as const;
const appointment = ['appointmentId', 'externalId', 'start', 'title', ...contact] as const;
const ofProject = ['projectId', 'contactId'] as const;
const ofAppointment = ['appointmentId', 'contactId', 'projectId'] as const;

/**
 * The provider states of API v1 that the simulated service supports, by name. An inbox without states has one assistant
 * with two skills (`sales` and `urgent`), senders and templates, and no contact. States build on each other in order: a
 * later one uses the contact, project or assistant of an earlier one.
 */
export const apiStates = {
  'a contact exists': {
    means: 'The inbox has this contact.',
    params: [...contact, 'firstName', 'lastName', 'serviceConsent'],
    gives: contact,
  },
  'no such contact': { means: 'The inbox has no contact with this id, number or address.', params: contact },
  'the contact has given marketing consent': {
    means: 'Promotional messages may go to the contact.',
    params: contact,
    gives: contact,
  },
  'the contact has not given marketing consent': {
    means: 'Promotional messages may not go to the contact.',
    params: contact,
    gives: contact,
  },
  'the contact cannot be reached': {
    means: 'Nothing can be delivered to the contact.',
    params: project,
    gives: ofProject,
  },
  'the WhatsApp window is open': {
    means: 'The customer wrote on WhatsApp within the last 24 hours.',
    params: project,
    gives: ofProject,
  },
  'the WhatsApp window is closed': {
    means: 'The customer has not written on WhatsApp within the last 24 hours.',
    params: project,
    gives: ofProject,
  },
  'a project exists': {
    means: 'The inbox has this project; the own AI answers it.',
    params: project,
    gives: ofProject,
  },
  'no such project': { means: 'The inbox has no project with this id.', params: ['projectId'] },
  'the project has messages': {
    means: 'The customer has written in the project, and was answered.',
    params: [...project, 'text'],
    gives: ofProject,
  },
  'the own AI answers the project': {
    means: 'Auto-reply of the project is on.',
    params: [...project, 'agentId'],
    gives: [...ofProject, 'agentId'],
  },
  'auto-reply is paused': { means: 'The team has muted the project.', params: project, gives: ofProject },
  'auto-reply is off': { means: 'The team handles the project.', params: project, gives: ofProject },
  'no own AI answers the project': {
    means: 'No own-AI assistant answers the project.',
    params: project,
    gives: ofProject,
  },
  'a message was logged': {
    means: 'A message with this externalId was logged on this channel before.',
    params: ['externalId', 'channel', ...project],
    gives: ofProject,
  },
  'an appointment is proposed': {
    means: 'The appointment waits for the customer.',
    params: appointment,
    gives: ofAppointment,
  },
  'an appointment is confirmed': { means: 'Both sides have agreed.', params: appointment, gives: ofAppointment },
  'an appointment is cancelled': {
    means: 'The appointment was cancelled.',
    params: appointment,
    gives: ofAppointment,
  },
  'no such appointment': { means: 'The inbox has no appointment with this id.', params: ['appointmentId'] },
  'an assistant exists': {
    means: 'The inbox has this own-AI assistant, with a secret; without an address it is not connected.',
    params: ['agentId', 'name', 'chatUrl', 'voiceUrl'],
    gives: ['agentId'],
  },
  'no such assistant': { means: 'The inbox has no own-AI assistant with this id.', params: ['agentId'] },
  'the inbox has no assistant': { means: 'The inbox has no own-AI assistant at all.', params: [] },
  'the assistant has no secret': {
    means: 'No secret was made for it yet.',
    params: ['agentId'],
    gives: ['agentId'],
  },
  'the own AI passes the test': {
    means: 'The addresses of the assistant are set, and answer.',
    params: ['agentId', 'chatUrl', 'voiceUrl'],
    gives: ['agentId'],
  },
  'the own AI fails the test': {
    means: 'The addresses of the assistant are set, and do not answer.',
    params: ['agentId', 'chatUrl', 'voiceUrl'],
    gives: ['agentId'],
  },
  'a skill is attached': {
    means: 'The assistant has this skill, and it may run.',
    params: ['agentId', 'key', 'skillId', 'kind', 'name'],
    gives: ['agentId', 'key', 'skillId'],
  },
  'no such skill': { means: 'The assistant does not have this skill.', params: ['agentId', 'key'] },
  'the skill is refused': {
    means: 'The skill does not run at the moment.',
    params: ['agentId', 'key', 'skillId', 'kind', 'reason'],
    gives: ['agentId', 'key', 'skillId'],
  },
  'the skill waits for approval': {
    means: 'The skill runs once the team has approved it.',
    params: ['agentId', 'key', 'skillId', 'kind'],
    gives: ['agentId', 'key', 'skillId'],
  },
  'the inbox has no senders': { means: 'The inbox cannot send on any channel.', params: [] },
  'the inbox has no templates': { means: 'WhatsApp has approved no template.', params: [] },
  'the API key is not known': { means: 'The key of the request belongs to no inbox.', params: [] },
  'too many requests were sent': {
    means: 'The key has used up its requests of this minute.',
    params: ['seconds'],
  },
  'the Idempotency-Key was used for another request': {
    means: 'Another request with this key was processed before.',
    params: ['idempotencyKey'],
  },
  'a request with the Idempotency-Key is being processed': {
    means: 'The first request with this key has no answer yet.',
    params: ['idempotencyKey'],
  },
} as const satisfies Record<string, ApiState>;

/** Name of a provider state of API v1. */
export type ApiStateName = keyof typeof apiStates;

/** Every name, in the order of the table. */
export const apiStateNames = Object.keys(apiStates) as readonly ApiStateName[];

/** Meaning, parameters and values of a state. */
export function apiState(name: ApiStateName): ApiState {
  return apiStates[name];
}
