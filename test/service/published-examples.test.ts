import { describe, expect, it } from 'vitest';
import { apiOperations } from '../../specs/api-operations.ts';
import type { ApiOperation, OperationId } from '../../specs/api-operations.ts';
import { schemaExamples } from '../../specs/schema-examples.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { matchesSchema } from '../../specs/validators.ts';
import { openService } from './open-service.ts';
import type { JsonValue } from '../../specs/json-value.ts';

interface Row {
  readonly id: OperationId;
  readonly operation: ApiOperation;
  readonly body: JsonValue;
}

/** Every example of a request that the OpenAPI document shows. */
const rows = (Object.entries(apiOperations) as [OperationId, ApiOperation][]).flatMap(([id, operation]) =>
  (operation.request === undefined ? [] : schemaExamples(operation.request)).map(({ name, value }): [string, Row] => [
    name,
    { id, operation, body: value },
  ]),
);

/** The example with existing ids, which an example cannot know. */
function withIds(value: JsonValue, ids: Readonly<Record<string, number>>): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withIds(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, ids[name] ?? withIds(field, ids)]));
} // prettier-ignore

describe('a published example', () => {
  it('of each operation with a body is tested', () => {
    expect(new Set(rows.map(([, { id }]) => id)).size).toBe(11);
    expect(rows.length).toBeGreaterThan(25);
  });

  it.each(rows)('%s is accepted by the service, which answers as published', async (_, { id, operation, body }) => {
    const skill = { name: 'Skill', announcement: null };
    await using open = await openService({
      agents: [
        {
          chatUrl: 'https://ai.example/chat',
          skills: [
            { ...skill, id: 1, key: 'sales', kind: 'forward' },
            { ...skill, id: 2, key: 'urgent', kind: 'alert' },
          ],
        },
      ],
      senders: (['whatsapp', 'sms', 'email'] as const).map((channel) => ({ id: channel, channel, name: 'Tests' })),
      contacts: [{ phone: '+4930901820', email: 'erika@example.com', marketingConsent: true }],
    });
    const contact = open.inbox.contacts.forPhone('+4930901820');
    const project = open.inbox.conversations.open(contact, 'webchat');
    const appointment = open.inbox.appointments.create({ phone: '+4930901820', start: '2027-01-01T09:00:00Z' });
    const path = operation.path
      .replace('projects/{id}', `projects/${project.id}`)
      .replace('agents/{id}', `agents/${open.inbox.agents.list()[0]?.agentId ?? 0}`)
      .replace('appointments/{id}', `appointments/${appointment.id}`)
      .replace('{key}', 'urgent');
    const sent = withIds(body, { projectId: project.id, contactId: contact.id });
    const { status, json, text } = await open.api(operation.method, path, { body: sent });
    const answered = (operation.responses as Readonly<Record<number, SchemaName>>)[status];
    if (answered === undefined) expect.fail(`expected ${id} to answer as published, received ${status} ${text}`);
    expect(matchesSchema(answered, json), text).toBe(true);
  });
});
