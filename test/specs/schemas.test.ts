import { readdir } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainViolations } from '../../specs/explain-violations.ts';
import { formats, formatDescriptions } from '../../specs/formats.ts';
import type { FormatName } from '../../specs/formats.ts';
import { resolveRef, schemas } from '../../specs/schemas.ts';
import type { JsonSchema, SchemaName } from '../../specs/schemas.ts';
import { matchesSchema, validate, formatViolation } from '../../specs/validators.ts';

const names = Object.keys(schemas) as SchemaName[];
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const keywords = new Set(
  (
    '$schema $id $ref $defs $comment title description examples default type const enum format pattern minLength ' +
    'maxLength minimum maximum properties required additionalProperties items minItems maxItems oneOf anyOf allOf'
  ).split(' '),
);

/** Values that the interface does not mention. */
const ours: readonly SchemaName[] = [
  'config',
  'diagnosis',
  'fleetEvent',
  'fleetReport',
  'loadReport',
  'report',
  'runEvent',
  'targets',
];

/** Frames with more than one field in addition to the type; their last example is invalidated. */
const frames = ['sessionStarted', 'skillResult', 'textFrame', 'actionFrame', 'skillFrame'] as const;

function everyNode(schema: JsonSchema, visit: (node: JsonSchema) => void): void {
  visit(schema);
  const { $defs = {}, properties = {}, additionalProperties, items, oneOf = [], anyOf = [], allOf = [] } = schema;
  const fields = Object.values(properties).filter((field) => field !== false);
  const inner = [...Object.values($defs), ...fields, ...oneOf, ...anyOf, ...allOf];
  if (items) inner.push(items);
  if (typeof additionalProperties === 'object') inner.push(additionalProperties);
  for (const node of inner) everyNode(node, visit);
}

describe('schemas', () => {
  it('cover all files, each with its camelCase name', async () => {
    const files = (await readdir(new URL('../../specs/schemas', import.meta.url))).sort();
    expect(names.map((name) => `${kebab(name)}.schema.json`).sort()).toEqual(files);
  });

  it.each(names)('%s has a correct head, known keywords and valid references', (name) => {
    const schema = schemas[name];
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schema.$id).toBe(`https://svc-conform.example/schemas/${kebab(name)}.schema.json`);
    expect(schema.title).toBe(name.charAt(0).toUpperCase() + name.slice(1));
    if (!ours.includes(name)) expect(schema.description).toMatch(/\(interface: .+\)/);
    const ajv = new Ajv2020();
    expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
    everyNode(schema, (node) => {
      expect(Object.keys(node).filter((keyword) => !keywords.has(keyword))).toEqual([]);
      if (node.$ref !== undefined) expect(() => resolveRef(node.$ref ?? '', schema.$id)).not.toThrow();
      if (node.format !== undefined) expect(Object.keys(formats)).toContain(node.format);
      for (const field of node.required ?? []) expect(Object.keys(node.properties ?? {})).toContain(field);
    });
    expect(() => matchesSchema(name, null)).not.toThrow();
  });

  it('of what we receive require nothing and forbid no unknown field', () => {
    for (const name of [
      'crmAnswer',
      'contactDataAnswer',
      'projectDataAnswer',
      'chatAnswer',
      'agentReplyRequest',
    ] as const) {
      everyNode(schemas[name], (node) => {
        expect([node.required, node.additionalProperties], name).toEqual([undefined, undefined]);
      });
      expect(validate(name, {}), name).toEqual([]);
      expect(validate(name, { somethingNew: [1] }), name).toEqual([]);
    }
  });

  it('of what we send require every field that the document does not mark as optional', () => {
    const optional: Partial<Record<SchemaName, string[]>> = {};
    for (const name of [
      'contactData',
      'projectData',
      'postalAddress',
      'appointment',
      'crmEvent',
      'apiWebhookEvent',
      'messageReceived',
      'ping',
      'skill',
      'historyTurn',
      'agentReplyResponse',
      'sessionStarted',
      'prompt',
      'dtmf',
      'interrupt',
      'skillResult',
      'skillOutcome',
      'sessionEnded',
    ] as const) {
      everyNode(schemas[name], (node) => {
        const missing = Object.entries(node.properties ?? {}).flatMap(([field, schema]) =>
          schema === false || node.required?.includes(field) ? [] : [field],
        );
        if (missing.length > 0) (optional[name] ??= []).push(...missing);
      });
    }
    expect(optional).toEqual({
      messageReceived: ['name', 'phone', 'email'],
      skill: ['description'],
      agentReplyResponse: ['skills'],
      skillOutcome: ['reason'],
    });
  });

  it('of frames that we receive require the type of a skill frame and the action of an action, and forbid no unknown field', () => {
    const needed = {
      textFrame: {},
      actionFrame: { action: 'end' },
      skillFrame: { type: 'skill' },
    };
    for (const [name, frame] of Object.entries(needed) as [SchemaName, object][]) {
      everyNode(schemas[name], (node) => expect(node.additionalProperties, name).toBeUndefined());
      expect(schemas[name].required ?? [], name).toEqual(Object.keys(frame));
      expect(validate(name, { ...frame, somethingNew: [1], note: 'n', last: null }), name).toEqual([]);
    }
  });

  it('have valid examples, and every frame and body of an own AI has one', () => {
    const withExamples = names.filter((name) => schemas[name].examples !== undefined);
    expect(withExamples).toEqual(
      expect.arrayContaining([
        'sessionStarted', 'prompt', 'dtmf', 'interrupt', 'skillResult', 'sessionEnded', 'textFrame', 'actionFrame',
        'skillFrame', 'messageReceived', 'ping', 'chatAnswer', 'agentReplyRequest', 'agentReplyResponse',
      ]), // prettier-ignore
    );
    for (const name of withExamples) {
      for (const example of schemas[name].examples ?? []) {
        expect(validate(name, example).map(formatViolation), `${name} ${JSON.stringify(example)}`).toEqual([]);
      }
    }
  });

  it('know each documented field of contact, project and appointment, in both directions', () => {
    const count = (name: SchemaName) => Object.keys(schemas[name].properties ?? {}).length;
    expect(count('contactData')).toBe(29);
    expect(count('projectData')).toBe(10);
    expect(count('appointment')).toBe(18);
    for (const [sent, received] of [
      ['contactData', 'contactDataAnswer'],
      ['projectData', 'projectDataAnswer'],
    ] as const) {
      expect(Object.keys(schemas[received].properties ?? {})).toEqual(Object.keys(schemas[sent].properties ?? {}));
    }
  });
});

const appointment = {
  id: 5,
  externalId: 'a-1',
  metadata: {},
  contactId: 1,
  projectId: 2,
  title: 'Talk',
  start: '2026-10-11T09:00:00',
  startLocal: '2026-10-11T11:00:00',
  durationMinutes: 30,
  kind: 'in_person',
  status: 'proposed',
  customerConfirmedAt: null,
  businessConfirmedAt: null,
  cancelledAt: null,
  finishedAt: null,
  rescheduledCount: 0,
  createdAt: '2026-10-01T09:00:00',
  updatedAt: '2026-10-01T09:00:00',
};
const skill = { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null };
const message = (data: object) => ({
  id: 'evt_0123456789',
  type: 'message.received',
  createdAt: '2026-10-11T09:00:00',
  protocol: '2026-10-11',
  workspaceId: 1,
  agentId: 1,
  data: {
    projectId: 1,
    channel: 'chat',
    contact: { id: 1 },
    message: { id: 1, text: 'Hi', receivedAt: '2026-10-11T09:00:00' },
    history: [],
    replyUrl: 'http://127.0.0.1:8080/x/v1/projects/1/agent-replies',
    skills: [],
    autoReply: { state: 'on' },
    ...data,
  },
});
const paused = { state: 'paused', pausedUntil: '2026-10-11T09:30:00' };
const turn = { role: 'team', text: 'Hello', at: '2026-10-11T08:00:00' };

describe('valid values', () => {
  it.each<[SchemaName, unknown]>([
    ['appointment', appointment],
    ['messageReceived', message({})],
    ['messageReceived', message({ skills: [skill], history: Array.from({ length: 30 }, () => turn) })],
    ['messageReceived', message({ autoReply: paused })],
    ['messageReceived', message({ autoReply: { state: 'off' }, replyUrl: 'https://3f.ngrok.example:444/a' })],
    ['chatAnswer', { text: '😀'.repeat(4000), action: 'end', note: 'n'.repeat(600), executeSkills: ['a', 1] }],
    ['chatAnswer', { text: null, action: null, note: null, executeSkills: null, announcement: '' }],
    ['crmAnswer', { requestContactUpdate: false, contactData: 'ignored', projectData: null }],
    [
      'contactDataAnswer',
      { crmContactId: 'K-1', crmAiInfo: '😀'.repeat(5000), customOptIn1: '2026-10-11T09:00:00.123Z' },
    ],
    ['contactDataAnswer', { postalAddresses: [{ city: null, isDefault: true }], customCheckBox1: null }],
    ['skillOutcome', { key: 'sales', ok: true, reason: 'pending-approval' }],
    [
      'agentReplyResponse',
      { projectId: 1, messageId: null, status: 'noop', autoReply: paused, skills: [{ key: 'a', ok: true }] },
    ],
    ['config', { skills: [{ id: 1, key: 'Sales EU', name: 'Sales', kind: 'forward' }] }],
  ])('%s %#', (name, value) => {
    expect(validate(name, value).map(formatViolation)).toEqual([]);
  });
});

describe('violations, described', () => {
  it.each<[SchemaName, unknown, string[]]>([
    ['chatAnswer', 'Hi', ['expected an object, received "Hi"']],
    ['chatAnswer', { action: 'hangup' }, ['at /action: expected one of none, handover, end, null, received "hangup"']],
    ['chatAnswer', { executeSkills: ['a', {}] }, ['at /executeSkills/1: expected a string or an integer, received {}']],
    [
      'chatAnswer',
      { executeSkills: [1, 2, 3, 4, 5, 6] },
      ['at /executeSkills: expected at most 5 items, received [1,2,3,4,5,6]'],
    ],
    [
      'chatAnswer',
      { text: 'x'.repeat(4001) },
      [`at /text: expected at most 4000 characters (it has 4001), received "${'x'.repeat(78)}…`],
    ],
    [
      'chatAnswer',
      { text: '😀'.repeat(4001) },
      [`at /text: expected at most 4000 characters (it has 4001), received "${'😀'.repeat(78)}…`],
    ],
    ['contactDataAnswer', { crmContactId: 12 }, ['at /crmContactId: expected a string or null, received 12']],
    ['contactDataAnswer', { phoneNumber: null }, ['at /phoneNumber: expected a string, received null']],
    ['contactDataAnswer', { svcContactId: '7' }, ['at /svcContactId: expected an integer, received "7"']],
    [
      'contactDataAnswer',
      { customOptIn2: 'soon' },
      ['at /customOptIn2: expected a timestamp like 2026-10-11T09:30:00, received "soon"'],
    ],
    [
      'crmCallback',
      { requestContactUpdate: 'true' },
      ['at /requestContactUpdate: expected true or false, received "true"'],
    ],
    ['autoReply', { state: 'resting' }, ['at /state: expected one of on, paused, off, received "resting"']],
    ['autoReply', { state: 'paused' }, ['at /pausedUntil: expected a field pausedUntil, received (missing)']],
    [
      'skillOutcome',
      { key: 'a', ok: true, reason: 'failed' },
      ['at /reason: expected pending-approval, received "failed"'],
    ],
    [
      'messageReceived',
      message({ skills: [skill], autoReply: paused }),
      [`at /data/skills: expected no items, received ${JSON.stringify([skill])}`],
    ],
    [
      'appointment',
      { ...appointment, start: '2026-02-29T09:00:00' },
      ['at /start: expected a UTC timestamp without a zone like 2026-10-11T09:30:00, received "2026-02-29T09:00:00"'],
    ],
    [
      'appointment',
      { ...appointment, 'a/b': 1, metadata: { 'x/y~z': 1 } },
      ['at /metadata/x~1y~0z: expected a string, received 1'],
    ],
    [
      'config',
      { chat: { url: 'http://a', secret: 'env:A', extra: 1 } },
      ['at /chat/extra: expected no such field, received 1'],
    ],
    ['messageRequest', { text: 'Hi' }, ['expected exactly one of phone, email, contactId, received none of them']],
    [
      'messageRequest',
      { text: 'Hi', phone: '+4930901820', contactId: 7 },
      ['expected exactly one of phone, email, contactId, received phone and contactId'],
    ],
    ['messageRequest', { text: 'Hi', phone: 7 }, ['at /phone: expected a string, received 7']],
    [
      'noteRequest',
      { text: 'Hi', target: { phone: '+4930901820', email: 'a@b.example' } },
      ['at /target: expected exactly one of projectId, contactId, phone, email, received phone and email'],
    ],
    ['noteRequest', [], ['expected an object, received []']],
  ])('%s %#', (name, value, expected) => {
    expect(validate(name, value).map(formatViolation)).toEqual(expected);
  });

  it('names the event types of both kinds when it is of neither', () => {
    const [violation] = validate('crmEvent', { eventType: 'Nope', appointmentData: {} });
    expect(violation?.pointer).toBe('/eventType');
    expect(violation?.expected).toMatch(/^one of IncomingCallLookup, .*AppointmentReminderSent$/);
  });

  it('copes with values that are deep, large or named like fields of every object', () => {
    const deep = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`) as unknown;
    const shown = validate('chatAnswer', { text: deep }).map(({ value: _, ...violation }) => violation);
    const rule = { keyword: 'type', types: ['string', 'null'] };
    expect(shown).toEqual([{ pointer: '/text', expected: 'a string or null', received: '[…]', rule }]);
    const many = validate('contactDataAnswer', { postalAddresses: Array.from({ length: 5_000 }, () => 1) });
    expect(many).toHaveLength(20);
    expect(validate('contactDataAnswer', JSON.parse('{"__proto__":1,"constructor":2}'))).toEqual([]);
  });

  it('agrees with ajv on whether there is a violation', () => {
    const good: Partial<Record<SchemaName, unknown>> = {
      appointment,
      messageReceived: message({ skills: [skill], history: [turn] }),
      autoReply: paused,
      skillOutcome: { key: 'a', ok: false, reason: 'failed' },
      contactDataAnswer: {
        crmContactId: 'a',
        customOptIn1: '2026-10-11T09:00:00',
        postalAddresses: [{ isDefault: true }],
      },
      chatAnswer: { text: 'a', action: 'none', note: 'n', executeSkills: ['a', 1], announcement: '' },
      ...Object.fromEntries(frames.map((name) => [name, schemas[name].examples?.at(-1)])),
      crmAnswer: { requestContactUpdate: true, contactData: {}, requestProjectUpdate: true, projectData: {} },
      messageRequest: { phone: '+4930901820', text: 'Hi', channels: ['sms'], whatsApp: { template: 'a' } },
      messageLogRequest: { target: { contactId: 7 }, direction: 'in', channel: 'email', text: 'Hi', ai: 'pause' },
    };
    const bad = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom<unknown[]>('paused', 'off', 'on', '', 0, -1, 1.5, [], {}, null),
    );
    // Replaces or removes the value at a place, chosen on the way down.
    const spoil = (value: unknown, walk: number[], by: unknown): unknown => {
      const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
      const [turnTo, ...rest] = walk;
      if (keys.length === 0 || turnTo === undefined) return by;
      const key = keys[turnTo % keys.length] ?? '';
      const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
      copy[key] = spoil(copy[key], rest, by);
      if (rest.length === 0 && by === -1) delete copy[key];
      return copy;
    };
    const cases = fc.tuple(
      fc.constantFrom(...(Object.keys(good) as SchemaName[])),
      fc.array(fc.nat(40), { maxLength: 4 }),
      bad,
    );
    let broken = 0;
    fc.assert(
      fc.property(cases, ([name, walk, by]) => {
        const value = JSON.parse(JSON.stringify(spoil(good[name], walk, by))) as unknown;
        const holds = matchesSchema(name, value);
        if (!holds) broken += 1;
        expect(explainViolations(schemas[name], value, schemas[name].$id).length === 0).toBe(holds);
      }),
      { numRuns: 3000, seed: 1 },
    );
    expect(broken).toBeGreaterThan(500);
  });
});

describe('formats', () => {
  const forms: Record<FormatName, { yes: string[]; no: string[] }> = {
    date: {
      yes: ['2026-10-11', '2028-02-29', '0001-01-01'],
      no: ['2026-02-29', '2026-13-01', '26-10-11', '2026-10-11T00:00:00', ''],
    },
    'date-time': {
      yes: ['2026-10-11T09:30:00Z', '2026-10-11T09:30:00.5+02:00', '2026-10-11t09:30:00z'],
      no: ['2026-10-11T09:30:00', '2026-02-30T09:30:00Z', '2026-10-11T24:00:00Z', '2026-10-11 09:30:00Z'],
    },
    'svc-utc-timestamp': {
      yes: ['2026-10-11T09:30:00', '2000-02-29T23:59:59'],
      no: [
        '2026-10-11T09:30:00Z',
        '2026-10-11T09:30:00+02:00',
        '2026-10-11T09:30:00.5',
        '1900-02-29T00:00:00',
        '2026-10-11T09:60:00',
        '2026-10-11',
      ],
    },
    'svc-local-timestamp': { yes: ['2026-10-11T11:30:00'], no: ['2026-10-11T11:30:00Z', '2026-04-31T11:30:00'] },
    'svc-timestamp': {
      yes: ['2026-10-11T09:30:00', '2026-10-11T09:30:00Z', '2026-10-11 09:30', '2026-10-11T09:30:00.1234567+0200'],
      no: ['2026-10-11', '11.10.2026 09:30', '2026-02-30T09:30:00Z', 'now', '2026-10-11T09:30:00 CET'],
    },
    'svc-request-time': {
      yes: [
        '2026-10-11',
        '20261011',
        '2026-W41-7',
        '2026-284',
        '20261011T083000Z',
        '2026-10-11T08Z',
        '2026-10-11T24:00',
      ],
      no: ['2026-10', '2026-1011', '2026-10-11 09:30:00Z', '2026-02-30', '2026-W54-1', '2026-366', '11.10.2026', 'now'],
    },
    'svc-phone': {
      yes: [
        '+4930901820',
        '+49 (0)30 901820',
        '+49\u00a030\u2013901820',
        '+112',
        '+1 212 555-0100 ext. 12',
        '0049 30 901820',
      ],
      no: ['030 901820', '0004930901820', '+0930901820', '+4930901820 or so', '+1234567890123456', ''],
    },
    'svc-request-utc': {
      yes: [
        '20261011T093000Z',
        '2026-10-11T09Z',
        '2026-10-11T09:30:00Z',
        '2026-10-11T09:30',
        '2026-10-11T09:30:00.123+00:00',
        '2026-10-11T09:30:00-00',
      ],
      no: ['2026-10-11T09:30:00+02:00', '2026-10-11', '2026-10-11 09:30:00Z', '2026-02-30T09:30:00Z', 'now'],
    },
  };

  it.each(Object.entries(forms))('%s', (name, { yes, no }) => {
    const has = formats[name as FormatName];
    expect(yes.filter((text) => !has(text))).toEqual([]);
    expect(no.filter(has)).toEqual([]);
    expect(formatDescriptions[name as FormatName]).toMatch(/^an? /);
  });
});
