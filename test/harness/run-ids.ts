/**
 * `node test/harness/run-ids.ts`: runs every check against the correct endpoint, compares each sent event with the
 * data of the service at that moment, and prints the figures and the differences as JSON. Needs a separate process,
 * because it replaces methods of the drivers.
 */
import { isDeepStrictEqual } from 'node:util';
import { Session } from '../../harness/checks/session.ts';
import { CallConnection } from '../../harness/wire/call-connection.ts';
import type { ServiceInbox } from '../../service/service-inbox.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { startEndpoint } from '../proving/endpoint.ts';
import { proofEndpoints, type ProofEndpoint } from '../proving/proof-endpoints.ts';
import { proofSettings } from '../proving/prove.ts';
import { runRegistered } from '../proving/run-registered.ts';

type Fields = Record<string, unknown>;

/** Figures of a run, and the first differences. */
export interface RunIds {
  events: Record<string, number>;
  ids: number;
  known: number;
  /** Ids that the service knows with other data, by kind. */
  different: number;
  /** Phone numbers of callers and customers. */
  numbers: number;
  /** Numbers that occurred with several contacts. */
  shared: string[];
  examples: string[];
}

const surfaces = ['crm-webhook', 'api-webhooks', 'own-ai-chat', 'own-ai-phone'] as const;
const result: RunIds = { events: {}, ids: 0, known: 0, different: 0, numbers: 0, shared: [], examples: [] };
let inbox: ServiceInbox | undefined;
const seen = new Set<unknown>();
/** The contacts that occurred with a number. */
const contactsOf = new Map<string, Set<unknown>>();

const send = Reflect.get(Session.prototype, 'send');
Session.prototype.send = async function (makeRequest, options) {
  const make = () => {
    const request = makeRequest();
    // A changed body is no longer that of the service.
    if (request.method === 'POST' && !options.label.includes('changed after signing'))
      read(options.label, Buffer.from(request.body).toString());
    return request;
  };
  return await send.call(this, make, options);
};
const sendFrame = Reflect.get(CallConnection.prototype, 'send');
CallConnection.prototype.send = function (text) {
  read('a call', text);
  return sendFrame.call(this, text);
};
const open = Reflect.get(Session, 'open');
Session.open = async (settings) => {
  const session = await open.call(Session, settings);
  inbox = session.inbox.service.inbox;
  return session;
};

const endpoint = proofEndpoints.get('the-right-one');
if (!endpoint) throw new RangeError('expected the right endpoint, received none');
const whole: ProofEndpoint = { ...endpoint, surfaces };
await using running = await startEndpoint(endpoint.build());
await runRegistered({ settings: proofSettings(whole, running, 'whole'), surfaces });
result.numbers = contactsOf.size;
result.shared = [...contactsOf].flatMap(([number, ids]) => (ids.size > 1 ? [`${number}: ${[...ids].join(', ')}`] : []));
console.log(JSON.stringify(result));

/** Compares one event. A repetition carries the data of its first delivery, so only its ids are compared. */
function read(label: string, text: string): void {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    return;
  }
  if (!isJsonObject(event) || !inbox) return;
  const name = nameOf(event);
  if (name === undefined) return;
  const isRepeated = seen.has(text);
  seen.add(text);
  result.events[name] = (result.events[name] ?? 0) + 1;
  readNumbers(event);
  for (const [path, id, found, sent] of idsOf(event)) compare(`${label}: ${path} ${id}`, found, isRepeated ? {} : sent);
}

/** Records the contact and the number of the event. */
function readNumbers({ contactData, data, contact, from }: Fields): void {
  const ofChat = isJsonObject(data) && isJsonObject(data['contact']) ? data['contact'] : {};
  const ofCrm = isJsonObject(contactData) ? contactData : {};
  const named = [
    [ofCrm['phoneNumber'], ofCrm['svcContactId']],
    [ofChat['phone'], ofChat['id']],
    [from, isJsonObject(contact) ? contact['id'] : undefined],
  ];
  for (const [number, id] of named) {
    if (typeof number === 'string' && number !== '' && Number.isInteger(id))
      contactsOf.set(number, (contactsOf.get(number) ?? new Set()).add(id));
  }
}

/** The kind of an event; `undefined` for the other frames of a call. */
function nameOf(event: Fields): string | undefined {
  const { type, eventType, createdAt, protocol, callId } = event;
  if (eventType !== undefined) return 'CRM event';
  if (callId !== undefined) return 'call';
  if (createdAt === undefined) return undefined;
  return protocol === undefined ? 'API webhook' : type === 'ping' ? 'ping' : 'chat event';
}

function compare(what: string, found: Fields | undefined, sent: Fields): void {
  result.ids++;
  if (!found) return example(`${what} is unknown`);
  result.known++;
  // Unknown fields that a check adds are not data of the service.
  const differing = Object.keys(sent).filter(
    (name) => Object.hasOwn(found, name) && !isDeepStrictEqual(found[name], sent[name]),
  );
  if (differing.length === 0) return;
  result.different++;
  example(
    `${what} differs: ${differing.map((name) => `${name} ${JSON.stringify(sent[name])}, known ${JSON.stringify(found[name])}`).join('; ')}`,
  );
}

function example(text: string): void {
  if (result.examples.length < 40) result.examples.push(text.slice(0, 600));
}

type Found = [path: string, id: number, found: Fields | undefined, sent: Fields];

/** Every id of an event, with the data of the service and that of the event. */
function idsOf(event: Fields): Found[] {
  if (!inbox) return [];
  const { workspace, contacts, conversations, appointments } = inbox;
  const { workspaceId, agentId, data, contactData, projectData, appointmentData, projectId, contact, from } = event;
  const all: Found[] = [];
  const add = (path: string, id: unknown, find: (id: number) => object | undefined, sent: object = {}) => {
    if (Number.isInteger(id)) all.push([path, id as number, find(id as number) as Fields | undefined, sent as Fields]);
  };
  const contactOf = (id: number) => {
    const record = workspace.contacts.get(id);
    if (!record) return undefined;
    const { svcContactId, phoneNumber, email, firstName, lastName } = contacts.contactData(record);
    const name = [firstName, lastName].filter((part) => part !== null).join(' ');
    return { id: svcContactId, phone: phoneNumber, email: email ?? undefined, name };
  };
  const projectOf = (id: number) => {
    const record = workspace.projects.get(id);
    return record && { ...conversations.projectData(record), contactId: record.contactId };
  };
  const appointment = (path: string, value: unknown) => {
    if (!isJsonObject(value)) return;
    const known = workspace.appointments.get(value['id'] as number);
    add(path, value['id'], () => known && appointments.wire(known), value);
    add(`${path} contact`, value['contactId'], contactOf);
    add(`${path} project`, value['projectId'], projectOf, { contactId: value['contactId'] });
  };
  const conversation = (id: unknown, person: unknown, skills: unknown) => {
    const isPerson = isJsonObject(person);
    add('project', id, projectOf, isPerson ? { contactId: person['id'] } : {});
    if (isPerson) add('contact', person['id'], contactOf, { ...person, ...(from !== undefined && { phone: from }) });
    for (const skill of Array.isArray(skills) ? (skills as unknown[]) : []) {
      if (!isJsonObject(skill)) continue;
      const offered = workspace.agents
        .get(agentId as number)
        ?.skills.find(({ id: known, key }) => known === skill['id'] && key === skill['key']);
      add('skill', skill['id'], () => offered, skill);
    }
  };
  add('workspace', workspaceId, (id) => (id === workspace.id ? { id } : undefined));
  add('agent', agentId, (id) => workspace.agents.get(id));
  if (isJsonObject(contactData)) {
    const record = workspace.contacts.get(contactData['svcContactId'] as number);
    add('contact', contactData['svcContactId'], () => record && contacts.contactData(record), contactData);
  }
  if (isJsonObject(projectData)) {
    const record = workspace.projects.get(projectData['svcProjectId'] as number);
    add('project', projectData['svcProjectId'], () => record && conversations.projectData(record), projectData);
  }
  appointment('appointment', appointmentData);
  if (isJsonObject(data) && 'contactId' in data) appointment('appointment', data);
  else if (isJsonObject(data)) {
    conversation(data['projectId'], data['contact'], data['skills']);
    const { message } = data;
    const turns = workspace.projects.get(data['projectId'] as number)?.turns ?? [];
    if (isJsonObject(message)) {
      const turn = turns.find(({ messageId }) => messageId === message['id']);
      add('message', message['id'], () => turn, { text: message['text'] });
    }
  }
  if (projectId !== undefined) conversation(projectId, contact, event['skills']);
  return all;
}
