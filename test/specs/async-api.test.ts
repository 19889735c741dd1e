import { Parser } from '@asyncapi/parser';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSchema } from '../../generators/from-schema.ts';
import { asyncApiDocument } from '../../specs/async-api-document.ts';
import { formats } from '../../specs/formats.ts';
import { protocolRevision } from '../../specs/limits.ts';
import { componentsPath, schemaComponents } from '../../specs/schema-components.ts';
import { resolveRef, schemas } from '../../specs/schemas.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { matchesSchema, validate, formatViolation } from '../../specs/validators.ts';

/** Every payload of the own-AI protocol, with its sender and channel. */
const payloads = {
  receiveMessage: ['messageReceived'],
  receivePing: ['ping'],
  sendReply: ['agentReplyRequest'],
  receiveFrames: ['sessionStarted', 'prompt', 'dtmf', 'interrupt', 'skillResult', 'sessionEnded'],
  sendFrames: ['textFrame', 'actionFrame', 'skillFrame'],
} as const;
const replyPayloads = {
  receiveMessage: ['chatAnswer'],
  sendReply: ['agentReplyResponse', 'problemDetails'],
} as const;
const all = [...Object.values(payloads), ...Object.values(replyPayloads)].flat() as SchemaName[];

interface Ref {
  $ref: string;
}
interface Message {
  name: string;
  payload: Ref;
  headers?: { required: string[] };
  examples: { payload: unknown }[];
}
interface Shape {
  asyncapi: string;
  info: { version: string };
  channels: Record<string, { messages: Record<string, Ref>; bindings?: { ws: { headers: { required: string[] } } } }>;
  operations: Record<string, { action: string; channel: Ref; messages: Ref[]; reply?: { messages: Ref[] } }>;
  components: { messages: Record<string, Message>; schemas: Record<string, object> };
}
const shape = (): Shape => structuredClone(asyncApiDocument()) as unknown as Shape;

/** Spectral's severities, the gravest first: 0 is an error, 1 a warning. */
const severities = ['Error', 'Warning', 'Information', 'Hint'];

/** The complaints of the parser about a document, one per line. */
async function complaints(document: unknown): Promise<string[]> {
  const { diagnostics } = await new Parser().parse(JSON.stringify(document));
  return diagnostics.map(({ severity, path, message }) => `${severities[severity]} ${path.join('/')} ${message}`);
}

describe('the AsyncAPI document', () => {
  it('is valid for the AsyncAPI parser, without an error or a warning', async () => {
    const { document, diagnostics } = await new Parser().parse(JSON.stringify(asyncApiDocument()));
    // The only permitted complaint is that a newer version exists.
    expect(diagnostics.map(({ code }) => code)).toEqual(['asyncapi-latest-version']);
    expect(document?.info().version()).toBe(protocolRevision);
    expect(document?.channels().map((channel) => channel.id())).toEqual(['chat', 'agentReplies', 'phone']);
    expect(document?.servers().map((server) => server.protocol())).toEqual(['https', 'wss', 'https']);
    const frames = document?.channels().get('phone')?.messages();
    expect(frames?.map((message) => message.name())).toEqual([
      'session.started', 'prompt', 'dtmf', 'interrupt', 'skill.result', 'session.ended', 'text', 'action', 'skill',
    ]); // prettier-ignore
    expect(document?.operations().filterByReceive()).toHaveLength(3);
    expect(document?.operations().filterBySend()).toHaveLength(2);
  });

  it.each<[string, (document: Shape) => void]>([
    ['an invalid version', (document) => (document.asyncapi = '3')],
    [
      'an operation without an action',
      (document) => delete (document.operations.sendFrames as { action?: string }).action,
    ],
    [
      'a dangling reference',
      (document) => (document.channels.phone!.messages.prompt = { $ref: '#/components/messages/none' }),
    ],
    [
      'a message of another channel',
      (document) => document.operations.sendFrames!.messages.push({ $ref: '#/channels/chat/messages/ping' }),
    ],
    ['a schema of no known type', (document) => (document.components.schemas.Prompt = { type: 'sentence' })],
    [
      'a binding with a header list',
      (document) => Object.assign(document.channels.phone!.bindings!.ws, { headers: ['X-Svc-Call-Id'] }),
    ],
  ])('is refused with %s', async (_fault, spoil) => {
    const document = shape();
    spoil(document);
    expect((await complaints(document)).join('\n')).toMatch(/^Error /m);
  });

  it('has an operation for each direction, and every payload in one', () => {
    const { operations, channels, components } = shape();
    const payloadsOf = (refs: readonly Ref[] = []) =>
      refs.map(({ $ref }) => {
        const [, , channel = '', , name = ''] = $ref.split('/');
        expect(channels[channel]?.messages[name]?.$ref).toBe(`#/components/messages/${name}`);
        expect(components.messages[name]?.payload.$ref).toBe(
          `#/components/schemas/${schemas[name as SchemaName].title}`,
        );
        return name;
      });
    const each = (pick: (operation: Shape['operations'][string]) => Ref[] | undefined) =>
      Object.fromEntries(Object.entries(operations).map(([id, operation]) => [id, payloadsOf(pick(operation))]));
    expect(each(({ messages }) => messages)).toEqual(payloads);
    expect(each(({ reply }) => reply?.messages)).toMatchObject(replyPayloads);
    for (const [id, { action }] of Object.entries(operations)) expect(id.startsWith(action), id).toBe(true);
    expect(Object.keys(components.messages).sort()).toEqual([...all].sort());
  });

  it('names every frame and event by its type', () => {
    for (const [name, message] of Object.entries(shape().components.messages)) {
      for (const { payload } of message.examples) {
        const { type } = payload as { type?: string };
        if (name !== 'problemDetails' && type !== undefined) expect(message.name).toBe(type);
      }
    }
  });

  it('shows the headers that carry signature, ids and revision', () => {
    const { components, channels } = shape();
    for (const name of ['messageReceived', 'ping']) {
      expect(components.messages[name]?.headers?.required).toEqual([
        'X-Svc-Signature', 'X-Svc-Event', 'X-Svc-Delivery-Id', 'X-Svc-Agent-Protocol',
      ]); // prettier-ignore
    }
    expect(channels.phone?.bindings?.ws.headers.required).toEqual([
      'X-Svc-Call-Id', 'X-Svc-Signature', 'X-Svc-Agent-Protocol',
    ]); // prettier-ignore
  });

  it('has valid examples, at least one of each message', () => {
    const { messages } = shape().components;
    for (const name of all) {
      const examples = messages[name]?.examples ?? [];
      expect(examples.length, name).toBeGreaterThan(0);
      for (const { payload } of examples) expect(validate(name, payload).map(formatViolation), name).toEqual([]);
    }
  });

  it('is the same every time, and a caller cannot change the next one', () => {
    const text = JSON.stringify(asyncApiDocument());
    expect(text).not.toMatch(/svc-conform\.example|\$defs|\.schema\.json/);
    delete (asyncApiDocument().components as Record<string, unknown>).schemas;
    expect(JSON.stringify(asyncApiDocument())).toBe(text);
  });
});

describe('the schemas of the document', () => {
  const components = schemaComponents(all);
  // Draft 7, the dialect of AsyncAPI; references resolve to the same place.
  const ajv = new Ajv({ strict: false, formats });
  ajv.addSchema({ $id: 'asyncapi', components: { schemas: components } });
  const holds = (name: SchemaName, value: unknown) => {
    const check = ajv.getSchema(`asyncapi#/components/schemas/${schemas[name].title}`);
    return check ? check(value) : expect.fail(`no schema ${schemas[name].title}`);
  };

  it('are each there once, sorted, and used', () => {
    const names = Object.keys(components);
    expect(names).toEqual([...names].sort());
    const texts = names.map((name) => JSON.stringify(components[name]));
    const referred = new Set(texts.join().match(/(?<="#\/components\/schemas\/)\w+(?=")/g));
    const payloadTitles = new Set(all.map((name) => schemas[name].title));
    expect(names.filter((name) => !referred.has(name) && !payloadTitles.has(name))).toEqual([]);
    expect([...referred].filter((name) => !names.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['Skill', 'SkillRefused', 'HistoryTurn', 'AutoReplyPaused']));
    expect(names).not.toContain('Config');
  });

  /** A schema with every reference replaced by its target. */
  const expanded = (
    schema: unknown,
    follow: (ref: string, base: string) => { schema: unknown; base: string },
    base = '',
  ) => {
    const walk = (value: unknown, from: string): unknown => {
      if (Array.isArray(value)) return value.map((item) => walk(item, from));
      if (typeof value !== 'object' || value === null) return value;
      const { $schema, $id, $defs, examples, $ref, ...rest } = value as Record<string, unknown>;
      expect([$schema, $id, $defs, examples].every((one) => one === undefined) || base !== '').toBe(true);
      if (typeof $ref === 'string') {
        const target = follow($ref, from);
        return walk(target.schema, target.base);
      }
      return Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, walk(inner, from)]));
    };
    return walk(schema, base);
  };

  it.each(all)('%s is the schema that it is made from', (name) => {
    const { $id, title } = schemas[name];
    const inDocument = expanded(components[title], ($ref) => ({
      schema: components[$ref.replace(componentsPath, '')],
      base: '',
    }));
    expect(inDocument).toEqual(expanded(schemas[name], resolveRef, $id));
  });

  it.each(all)('%s is read by a validator of draft 7 as by ours', (name) => {
    const right = fc.sample(fromSchema(schemas[name]), { seed: 3, numRuns: 30 });
    expect(right.filter((value) => !holds(name, value))).toEqual([]);
    const spoilt = right.flatMap((value) =>
      [...Object.keys(value as object), 'resumedAfter'].map((field) => ({ ...(value as object), [field]: [0] })),
    );
    expect(spoilt.map((value) => holds(name, value))).toEqual(spoilt.map((value) => matchesSchema(name, value)));
    expect(spoilt.some((value) => !holds(name, value))).toBe(true);
  });
});
