import { describe, expect, it } from 'vitest';
import { verifySimulator } from '../../contracts/verify-simulator.ts';
import { apiInteractionNames, apiInteractionPlan, apiV1Contract } from '../../generators/contracts/api-v1.ts';
import { apiOperations, apiOperation, type OperationId } from '../../specs/api-operations.ts';
import { problems, type ProblemCode } from '../../specs/api-problems.ts';
import { operationProblems } from '../../specs/open-api-document.ts';
import { schemas } from '../../specs/schemas.ts';

const plans = apiInteractionNames.map((name) => ({ name, ...apiInteractionPlan(name) }));
const operationIds = Object.keys(apiOperations) as OperationId[];

/** Errors that do not belong to one operation: one interaction for the whole API is enough. */
const ofTheWholeApi: readonly ProblemCode[] = ['unauthorized', 'rate_limited'];
/** Errors that a client receives only for faulty transport; its contract does not expect them. */
const ofTransport: readonly ProblemCode[] = ['payload_too_large', 'unsupported_media_type'];
/** Errors that have one interaction, for the operation where they are most likely. */
const ofKeys: readonly ProblemCode[] = ['idempotency_key_in_use', 'idempotency_key_reused'];

const problemsOf = (id: OperationId) =>
  plans.flatMap(({ operation, answer }) => (operation === id && 'problem' in answer ? [answer.problem] : []));

describe('the contract of API v1', () => {
  it.each(operationIds)('has each way in which %s succeeds', (id) => {
    const statuses = plans.flatMap(({ operation, answer }) =>
      operation === id && 'status' in answer ? [String(answer.status)] : [],
    );
    expect(new Set(statuses)).toEqual(new Set(Object.keys(apiOperation(id).responses)));
  });

  it.each(operationIds)('has each error that the interface names for %s', (id) => {
    const named = operationProblems(apiOperation(id)).filter((code) => problems[code].named);
    const missing = named.filter((code) => !problemsOf(id).includes(code));
    expect(missing).toEqual([]);
  });

  it('has each other error of the API at some operation', () => {
    const all = new Set(operationIds.flatMap((id) => operationProblems(apiOperation(id))));
    const met = new Set(operationIds.flatMap(problemsOf));
    expect([...all].filter((code) => !met.has(code)).sort()).toEqual([...ofTransport].sort());
    expect([...ofTheWholeApi, ...ofKeys].filter((code) => !met.has(code))).toEqual([]);
  });

  it('marks each error whose code the interface does not name', () => {
    const unmarked = plans.filter(
      ({ answer, notShown = [] }) => 'problem' in answer && !problems[answer.problem].named && notShown.length === 0,
    );
    expect(unmarked.map(({ name }) => name)).toEqual([]);
  });

  it('names interactions by their operation, and distinguishes them', () => {
    const kebab = (id: string) => id.replace('WhatsApp', 'Whatsapp').replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
    expect(plans.filter(({ name, operation }) => !name.startsWith(`${kebab(operation)}/`))).toEqual([]);
    expect(new Set(apiV1Contract.interactions.map(({ description }) => description)).size).toBe(plans.length);
  });

  it('sends every field that the schemas of requests have', () => {
    const unsent = operationIds.flatMap((id) => {
      const { request } = apiOperation(id);
      if (request === undefined) return [];
      const sent = new Set(plans.flatMap(({ operation, body = {} }) => (operation === id ? Object.keys(body) : [])));
      const fields = Object.keys(schemas[request].properties ?? {});
      return fields.filter((field) => !sent.has(field)).map((field) => `${id} ${field}`);
    });
    // Not shown: whether a target is in a nested object, and which fields other than the time can be changed.
    expect(unsent).toEqual(['logMessage target', 'addNote target', 'changeAppointment durationMinutes']);
  });
});

describe('the simulated service', () => {
  it('meets every interaction of the checked-in contract', async () => {
    const verdicts = await verifySimulator();
    expect(verdicts.filter(({ troubles }) => troubles.length > 0)).toEqual([]);
    expect(verdicts.map(({ description }) => description).sort()).toEqual(
      apiV1Contract.interactions.map(({ description }) => description).sort(),
    );
  }, 60_000);

  it('is reported for an interaction that it does not meet, and for a state that it cannot be in', async () => {
    const request = { method: 'GET', path: '/v1/me', headers: { 'X-Api-Key': ['svc_sk_x'] } };
    const interactions = [
      {
        type: 'Synchronous/HTTP',
        description: 'another field',
        request,
        response: {
          status: 200,
          body: { content: { owner: 'Erika' }, contentType: 'application/json', encoded: false },
        },
      },
      {
        type: 'Synchronous/HTTP',
        description: 'another state',
        providerStates: [{ name: 'it is raining' }],
        request,
        response: { status: 200 },
      },
      { type: 'Synchronous/HTTP', description: 'what is right', request, response: { status: 200 } },
    ];
    const contract = {
      consumer: { name: 'integrator' },
      provider: { name: 'api-v1' },
      interactions,
      metadata: { pactSpecification: { version: '4.0' } },
    };
    const verdicts = await verifySimulator(JSON.stringify(contract));
    expect(verdicts).toEqual([
      { description: 'another field', troubles: [expect.stringContaining('owner') as string] },
      { description: 'another state', troubles: [expect.stringContaining('it is raining') as string] },
      { description: 'what is right', troubles: [] },
    ]);
  }, 60_000);
});
