import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../specs/limits.ts';
import { validate } from '../../specs/validators.ts';
import { runEngine, type EngineResult } from '../harness/engine/run-engine.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';
import { headerOf, jsonOf, recordingEndpoint, type Recorded, type RecordingEndpoint } from './recording-endpoint.ts';
import { surfaces } from '../../specs/surfaces.ts';

let endpoint: RecordingEndpoint;
let run: EngineResult;

beforeAll(async () => {
  endpoint = await recordingEndpoint();
  const sentences = {
    answer: 'Hello?',
    handover: 'A person, please.',
    end: 'Bye.',
    skill: 'Tell Sales.',
    async: 'Later.',
  };
  const stimuli = { knownCaller: '+4930901820', chat: sentences };
  run = await runEngine({
    settings: settingsOf(configOf(endpoint.addresses, { stimuli }), { runs: 60 }),
    surfaces: [...surfaces],
  });
});
afterAll(() => endpoint[Symbol.asyncDispose]());

type Json = Record<string, unknown>;
const crm = () => endpoint.taken('/crm').map(jsonOf);
const hooks = () => endpoint.taken('/hooks');
const chats = () => endpoint.taken('/chat');
const messages = () => chats().filter((request) => jsonOf(request).type === 'message.received');
const data = (request: Recorded) =>
  jsonOf(request).data as Json & { autoReply: Json; contact: Json; history: Json[]; skills: unknown[] };

/** Groups of different requests with the same value. */
function differing(requests: readonly Recorded[], value: (request: Recorded) => unknown): unknown[] {
  const first = new Map<unknown, Buffer>();
  return requests.flatMap((request) => {
    const key = value(request);
    const known = first.get(key);
    if (!known) first.set(key, request.body);
    return !known || known.equals(request.body) ? [] : [key];
  });
}

const names = [
  'IncomingCallLookup', 'FinishedCall', 'NewConversation', 'ConversationPaused', 'Manual', 'FormSubmitted',
  'AppointmentCreated', 'AppointmentConfirmed', 'AppointmentRescheduled', 'AppointmentCancelled',
  'AppointmentFinished', 'AppointmentReminderSent',
]; // prettier-ignore
/** Events that had a number: the position is the number. */
const numbered = names.slice(0, 6);

describe('everything that a whole run sends', () => {
  it('is sufficient on every surface, and a correct endpoint finds no fault in it', () => {
    expect(run.fault).toBeUndefined();
    expect(
      run.checks
        .filter(({ verdict, level }) => verdict === 'fail' && level === 'must')
        .map(({ id, message }) => `${id} ${message}`),
    ).toEqual([]);
    expect(crm().length).toBeGreaterThan(100);
    expect(hooks().length).toBeGreaterThan(100);
    expect(messages().length).toBeGreaterThan(100);
  });

  it('service/crm-event-is-a-post-with-bearer-token', () => {
    for (const request of endpoint.taken('/crm')) expect(request.method).toBe('POST');
  });

  it('service/crm-event-has-six-members', () => {
    const fields = ['eventType', 'timestampUtc', 'callbackUrl', 'contactData', 'projectData', 'appointmentData'];
    const others = crm().filter(
      (event) => fields.some((name) => !Object.hasOwn(event, name)) || Object.keys(event).length > 6,
    );
    // Events that test whether unknown fields are ignored (six mixtures and a plain one) and missing ones read as null.
    expect(others.length).toBeLessThanOrEqual(8);
    for (const event of others) expect(Object.keys(event)).toEqual(expect.arrayContaining(fields.slice(0, 5)));
  });

  it('service/crm-event-type-is-a-name, or one of the numbers of six of them', () => {
    const sent = new Set(crm().map(({ eventType }) => eventType));
    for (const name of names) expect(sent).toContain(name);
    for (const number of numbered.keys()) expect(sent).toContain(number);
    const others = [...sent].filter(
      (type) => !names.includes(type as string) && numbered[type as number] === undefined,
    );
    // Events with intentionally unknown values.
    expect(others.length).toBeLessThanOrEqual(4);
  });

  it('service/crm-appointment-data-only-on-appointment-events', () => {
    for (const { eventType, appointmentData } of crm()) {
      const name = typeof eventType === 'number' ? (numbered[eventType] ?? '') : (eventType as string);
      // Skips the event without the field and the one with later values, which test how these are read.
      if (!names.includes(name) || appointmentData === undefined) continue;
      if (JSON.stringify(appointmentData).includes('"no_show"')) continue;
      if (name.startsWith('Appointment')) expect(validate('appointment', appointmentData), name).toEqual([]);
      else expect(appointmentData, name).toBeNull();
    }
  });

  it('service/crm-callback-address-is-of-one-event', () => {
    const address = (request: Recorded) => jsonOf(request).callbackUrl;
    expect(differing(endpoint.taken('/crm'), address)).toEqual([]);
    expect(new Set(endpoint.taken('/crm').map(address)).size).toBeGreaterThan(100);
  });

  it('service/api-webhook-delivery-id-is-unique', () => {
    const id = (request: Recorded) => headerOf(request, 'X-Svc-Delivery-Id');
    for (const request of hooks()) expect(id(request)).toMatch(/^\S+$/);
    expect(differing(hooks(), id)).toEqual([]);
    const events = new Set(hooks().map(({ body }) => body.toString()));
    expect(new Set(hooks().map(id)).size).toBeGreaterThanOrEqual(events.size);
  });

  it('service/chat-events-continue-while-not-on', () => {
    const states = messages().map((request) => data(request).autoReply.state);
    expect(new Set(states)).toEqual(new Set(['on', 'paused', 'off', 'scheduled']));
  });

  it('service/chat-skills-are-empty-while-not-on', () => {
    const notOn = messages().filter((request) => data(request).autoReply.state !== 'on');
    expect(notOn.length).toBeGreaterThan(10);
    for (const request of notOn) expect(data(request).skills).toEqual([]);
    expect(messages().some((request) => data(request).skills.length > 0)).toBe(true);
  });

  it('service/chat-paused-until-only-during-a-pause', () => {
    for (const { autoReply } of messages().map(data)) {
      if (autoReply.state === 'paused') expect(autoReply.pausedUntil).toEqual(expect.any(String));
      else expect(autoReply).not.toHaveProperty('pausedUntil');
    }
  });

  it('service/chat-omits-missing-contact-members', () => {
    const contacts = messages().map((request) => data(request).contact);
    for (const contact of contacts) {
      for (const name of ['name', 'phone', 'email']) {
        if (Object.hasOwn(contact, name)) expect(contact[name]).toEqual(expect.any(String));
      }
    }
    for (const name of ['name', 'phone', 'email']) {
      expect(contacts.some((contact) => !Object.hasOwn(contact, name))).toBe(true);
      expect(contacts.some((contact) => Object.hasOwn(contact, name))).toBe(true);
    }
  });

  it('service/chat-history-is-the-last-30-turns', () => {
    const lengths = messages().map((request) => data(request).history.length);
    expect(Math.max(...lengths)).toBe(limits.historyTurns);
    expect(Math.min(...lengths)).toBe(0);
  });

  it('service/chat-delivery-id-is-the-body-id', () => {
    for (const request of chats()) {
      const { id } = jsonOf(request);
      expect(headerOf(request, 'X-Svc-Delivery-Id')).toBe(id);
      expect(id).toMatch(/^evt_/);
    }
  });

  it('service/chat-event-header-names-the-type', () => {
    for (const request of chats()) expect(headerOf(request, 'X-Svc-Event')).toBe(jsonOf(request).type);
    expect(new Set(chats().map((request) => jsonOf(request).type))).toEqual(
      new Set(['ping', 'message.received', 'message.edited']),
    );
  });

  it('service/chat-protocol-in-header-and-body', () => {
    const revisions = chats().map((request) => {
      expect(headerOf(request, 'X-Svc-Agent-Protocol')).toBe(jsonOf(request).protocol);
      return jsonOf(request).protocol;
    });
    // The next revision, which tests that later ones are accepted.
    expect(revisions.filter((revision) => revision !== '2026-10-11')).toHaveLength(1);
  });
});
