import { describe, expect, it } from 'vitest';
import { IdGenerator } from '../../harness/checks/id-generator.ts';
import { Samples, unknownCaller, utcTimestamp } from '../../harness/checks/samples.ts';
import { limits } from '../../specs/limits.ts';
import { schemas, type SchemaName } from '../../specs/schemas.ts';
import type { ApiWebhookEvent, CrmEvent, Skill } from '../../specs/generated/types.ts';
import type { AgentRecord } from '../../service/workspace.ts';
import { validate } from '../../specs/validators.ts';
import { crmAppointmentEventTypes } from '../../specs/crm-event-types.ts';

const skills: Skill[] = [{ id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null }];
const workspace = { id: 4711, timeZone: 'Europe/Berlin', agents: new Map([[12, {} as AgentRecord]]) };
const samples = (caller?: string, sentence?: string) =>
  new Samples(new IdGenerator(), { workspace, skills, caller, sentence, callerSentence: undefined });

function enumOf(schema: unknown, name: string): string[] {
  const found = JSON.stringify(schema).matchAll(new RegExp(`"${name}":\\{[^{}]*"enum":(\\[[^\\]]*\\])`, 'g'));
  return [...found].flatMap(([, list = '[]']) => JSON.parse(list) as string[]);
}
const crmTypes = enumOf(schemas.crmEvent, 'eventType') as CrmEvent['eventType'][];
const hookTypes = enumOf(schemas.apiWebhookEvent, 'type') as ApiWebhookEvent['type'][];

const holds = (name: SchemaName, value: unknown) => expect(validate(name, value)).toEqual([]);
const callbackUrl = 'http://127.0.0.1:8080/callbacks/1';
const replyUrl = 'http://127.0.0.1:8080/v1/projects/1/agent-replies';

describe('every sample matches its schema', () => {
  it('of the CRM webhook', () => {
    expect(crmTypes.length).toBe(12);
    for (const type of crmTypes) {
      const event = samples().crmEvent(type);
      holds('crmEvent', { ...event, callbackUrl });
      expect(event.appointmentData !== null).toBe((crmAppointmentEventTypes as readonly unknown[]).includes(type));
    }
    holds('contactData', samples().contactData());
    holds('projectData', samples().projectData());
  });

  it('of the API webhooks', () => {
    expect(hookTypes).toHaveLength(6);
    for (const type of hookTypes) holds('apiWebhookEvent', samples().apiWebhookEvent(type));
    holds('apiWebhookEvent', samples().apiWebhookEvent());
    holds('appointment', samples().appointment());
  });

  it('of the own-AI chat, in every state and with every number of turns', () => {
    const sample = samples();
    holds('ping', sample.ping());
    const send = (over: object) => {
      const event = sample.messageReceived(over);
      holds('messageReceived', { ...event, data: { ...event.data, replyUrl } });
    };
    send({});
    expect(sample.autoReplies().map(({ state }) => state)).toEqual(['on', 'paused', 'off']);
    for (const autoReply of sample.autoReplies()) send({ autoReply, skills: autoReply.state === 'on' ? skills : [] });
    for (let turns = 0; turns <= limits.historyTurns; turns++) send({ history: sample.history(turns) });
  });
});

describe('samples', () => {
  it('use what is configured: caller, sentence and skills', () => {
    const sample = samples('+4930901820', 'Do you hear me?');
    expect(sample.contactData().phoneNumber).toBe('+4930901820');
    expect(sample.messageReceived().data.message.text).toBe('Do you hear me?');
    expect(sample.messageReceived().data.skills).toEqual(skills);
    expect(samples().contactData().phoneNumber).toBe(unknownCaller);
  });

  it('accept the values that a check varies', () => {
    expect(samples().contactData({ firstName: 'Erika' })).toMatchObject({ firstName: 'Erika', lastName: null });
    expect(samples().appointment({ status: 'proposed' })).toMatchObject({ status: 'proposed', kind: 'in_person' });
  });

  it('have times that fit together: turns in their order, the pause ahead', () => {
    const times = samples()
      .history(limits.historyTurns)
      .map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    expect(times.at(-1)?.localeCompare(utcTimestamp(Date.now()))).toBeLessThanOrEqual(0);
    const paused = samples()
      .autoReplies()
      .find(({ state }) => state === 'paused');
    expect(paused && 'pausedUntil' in paused && paused.pausedUntil > utcTimestamp(Date.now())).toBe(true);
    expect(utcTimestamp(Date.UTC(2026, 9, 11, 8, 30, 5, 999))).toBe('2026-10-11T08:30:05');
  });
});

describe('identities', () => {
  it('are new each time and in each run', () => {
    const runs = Array.from({ length: 20 }, () => new IdGenerator());
    const integers = runs.flatMap((ids) => Array.from({ length: 50 }, () => ids.integer()));
    expect(new Set(integers).size).toBe(integers.length);
    expect(integers.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
    const texts = runs.flatMap((ids) => [ids.text(), ids.event()]);
    expect(new Set(texts).size).toBe(texts.length);
    expect(runs[0]?.event()).toMatch(/^evt_[0-9a-f]{32}$/);
  });

  it('give the same caller the same contact, and each conversation another one', () => {
    const sample = samples('+4930901820');
    const { svcContactId } = sample.contactData();
    expect(sample.contactData().svcContactId).toBe(svcContactId);
    expect(sample.appointment().contactId).toBe(svcContactId);
    expect(sample.contactData({ phoneNumber: unknownCaller }).svcContactId).not.toBe(svcContactId);
    const { contactData, projectData, appointmentData } = sample.crmEvent('AppointmentCreated');
    expect(appointmentData).toMatchObject({
      contactId: contactData.svcContactId,
      projectId: projectData.svcProjectId,
    });
    const customers = [sample.messageReceived().data.contact, sample.messageReceived().data.contact];
    expect(new Set(customers.map(({ id }) => id)).size).toBe(2);
    expect(new Set(customers.map(({ phone }) => phone)).size).toBe(2);
    expect(sample.sessionStarted().workspaceId).toBe(workspace.id);
  });

  it('leave no two samples alike', () => {
    const sample = samples();
    const ids = [sample.messageReceived(), sample.messageReceived(), sample.ping()].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    const projects = [sample.projectData(), sample.projectData()].map(({ svcProjectId }) => svcProjectId);
    expect(projects[0]).not.toBe(projects[1]);
  });
});
