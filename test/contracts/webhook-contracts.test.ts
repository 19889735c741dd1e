import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { apiWebhooksContract } from '../../generators/contracts/api-webhooks.ts';
import type { HttpInteraction } from '../../generators/contracts/contract.ts';
import { crmWebhookContract } from '../../generators/contracts/crm-webhook.ts';
import { exampleOf } from '../../generators/contracts/matchers-from-schema.ts';
import { ownAiChatContract } from '../../generators/contracts/own-ai-chat.ts';
import { meaningOf } from '../../generators/contracts/provider-states.ts';
import { requirement, type RequirementId } from '../../specs/requirements/catalogue.ts';
import { surfaceOf } from '../../specs/surfaces.ts';
import { resolveRef, schemas, type JsonSchema, type SchemaName } from '../../specs/schemas.ts';
import { validate } from '../../specs/validators.ts';
import type { JsonValue } from '../../specs/json-value.ts';

const contracts = [crmWebhookContract, apiWebhooksContract, ownAiChatContract];
const every = contracts.flatMap(({ interactions }) => interactions);

const requestOf = ({ request }: HttpInteraction) => exampleOf(request.body ?? null);
const answerOf = ({ response }: HttpInteraction) => exampleOf(response.body ?? null);

/** Requirements about values, fields and types that the schemas of our messages do not contain. */
const beyondTheSchemas = /\/(?:accepts-unknown-(?!members)|accepts-legacy|accepts-later|unknown-event)/;

function schemaOf({ request }: HttpInteraction, body: JsonValue): SchemaName {
  if (request.path === '/crm') return 'crmEvent';
  if (request.path === '/hooks') return 'apiWebhookEvent';
  return (body as { type: string }).type === 'ping' ? 'ping' : 'messageReceived';
}

describe.each(contracts)('the contract of $provider', ({ provider, interactions }) => {
  it('describes each interaction once, and each counts against a requirement of its surface that can be seen', () => {
    expect(new Set(interactions.map(({ description }) => description)).size).toBe(interactions.length);
    for (const { requirement: id } of interactions) {
      expect(surfaceOf(id as RequirementId)).toBe(provider);
      expect(requirement(id as RequirementId).unobservable).toBeUndefined();
    }
  });

  it('requires only states with a meaning, and uses the value that the state gives', () => {
    for (const { description, states } of interactions) {
      for (const { name, params = {} } of states) {
        const meaning = meaningOf(name);
        expect(meaning, `${description}: ${name}`).toBeDefined();
        if (meaning?.gives) expect(Object.keys(params)).toEqual([meaning.gives]);
      }
    }
  });

  it('sends events that match their schemas, except for later ones', () => {
    const broken = interactions.filter((one) => validate(schemaOf(one, requestOf(one)), requestOf(one)).length > 0);
    const later = interactions.filter(({ requirement: id }) => beyondTheSchemas.test(id));
    expect(broken.map(({ description }) => description)).toEqual(later.map(({ description }) => description));
  });

  it('expects nothing that the interface leaves open, unless a state or a field of the answer determines it', () => {
    const open = interactions.filter(
      ({ response, states, shows, otherwise }) =>
        response.body !== undefined &&
        // An interaction that only requires an object applies in every state.
        shows?.[0]?.pointer !== '' &&
        (states.length === 0 || shows === undefined || otherwise === undefined),
    );
    expect(open).toEqual([]);
  });

  it('has, for each answer that shows a state, the same request with only the status judged', () => {
    const judged = interactions.filter(({ response, later }) => response.body === undefined && later === undefined);
    for (const { description, states, shows, response, request } of interactions) {
      if (shows === undefined) continue;
      expect(response.status, description).toBe(200);
      const same = judged.filter((one) => isDeepStrictEqual([one.states, one.request], [states, request]));
      expect(same, description).not.toEqual([]);
    }
  });

  it('expects answers that match their schemas', () => {
    for (const one of interactions) {
      const answer = answerOf(one) as { contactData?: JsonValue; projectData?: JsonValue } | null;
      if (answer === null) continue;
      expect(validate(provider === 'crm-webhook' ? 'crmAnswer' : 'chatAnswer', answer)).toEqual([]);
      if (answer.contactData) expect(validate('contactDataAnswer', answer.contactData)).toEqual([]);
      if (answer.projectData) expect(validate('projectDataAnswer', answer.projectData)).toEqual([]);
    }
  });
});

/** The facts that a schema allows at each place: present, null, or one of the listed values. */
function possible(schema: JsonSchema, base: string, path: string, facts = new Set<string>()): Set<string> {
  const { $ref, oneOf = [], anyOf = [], allOf = [], properties = {}, items, type, enum: listed = [] } = schema;
  if (path !== '' && !path.endsWith('[]')) facts.add(path);
  if ($ref !== undefined) {
    const target = resolveRef($ref, base);
    possible(target.schema, target.base, path, facts);
  }
  for (const each of [...oneOf, ...anyOf, ...allOf]) possible(each, base, path, facts);
  for (const value of listed) facts.add(`${path} = ${JSON.stringify(value)}`);
  if (schema.const !== undefined) facts.add(`${path} = ${JSON.stringify(schema.const)}`);
  if (Array.isArray(type) && type.includes('null')) facts.add(`${path} = null`).add(`${path} is set`);
  if (items) {
    facts.add(`${path} is empty`);
    possible(items, base, `${path}[]`, facts);
  }
  for (const [name, field] of Object.entries(properties)) {
    if (field !== false) possible(field, base, `${path}.${name}`, facts);
  }
  return facts;
}

/** The same facts as found in one example. */
function shown(value: JsonValue, path: string, facts: Set<string>): void {
  facts.add(path);
  if (value !== null) facts.add(`${path} is set`);
  if (Array.isArray(value)) {
    if (value.length === 0) facts.add(`${path} is empty`);
    for (const item of value as readonly JsonValue[]) shown(item, `${path}[]`, facts);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) shown(field, `${path}.${name}`, facts);
  } else {
    facts.add(`${path} = ${JSON.stringify(value)}`);
  }
}

describe('together, the contracts show', () => {
  it.each(['crmEvent', 'apiWebhookEvent', 'messageReceived', 'ping'] as const)(
    'every field of %s, every listed value, what may be null both null and set, and each list empty and not',
    (name) => {
      const seen = new Set<string>();
      for (const one of every) {
        const body = requestOf(one);
        if (schemaOf(one, body) === name) shown(body, '', seen);
      }
      const facts = [...possible(schemas[name], schemas[name].$id, '')];
      expect(facts.length).toBeGreaterThan(5);
      expect(facts.filter((fact) => !seen.has(fact))).toEqual([]);
    },
  );

  it.each(['chatAnswer', 'crmAnswer'] as const)('every field of %s in a separate answer', (name) => {
    const alone = every
      .map(({ response, shows = [] }) => ({ body: exampleOf(response.body ?? null), shows }))
      .filter(({ body }) => body !== null && validate(name, body).length === 0)
      .flatMap(({ shows }) => shows.map(({ pointer }) => pointer.split('/')[1]));
    const fields = Object.keys(schemas[name].properties ?? {});
    expect(fields.filter((field) => !alone.includes(field))).toEqual([]);
  });
});
