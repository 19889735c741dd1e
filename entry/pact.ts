import type { PactV4 } from '@pact-foundation/pact';
import { addHttpInteraction } from '../contracts/add-http-interaction.ts';
import { apiInteraction, exampleApiKey, type ApiInteraction } from '../generators/contracts/api-interaction.ts';
import { apiInteractionNames, apiInteractionPlan, type ApiInteractionName } from '../generators/contracts/api-v1.ts';
import { changedApiPlan, type ApiInteractionChanges } from '../generators/contracts/changed-api-plan.ts';
import { exampleOf } from '../generators/contracts/matchers-from-schema.ts';
import { apiOperation, type OperationId } from '../specs/api-operations.ts';
import { assumptions, type AssumptionId } from '../specs/assumptions.ts';
import { Brand } from '../specs/brand.ts';
import type { JsonValue } from '../specs/json-value.ts';

export { apiInteractionNames, exampleApiKey };
export type { ApiInteractionChanges, ApiInteractionName };

/** The provider's name in contracts of API v1. */
export const apiProvider = 'api-v1';

/** A complete PactV4 interaction, run by `executeTest`. */
export type InteractionToRun = ReturnType<typeof addHttpInteraction>;

/**
 * Adds an interaction of API v1 to a client's pact, with the states, matchers and examples of the interface. The client
 * then runs against the mock server in `executeTest`:
 *
 * `await addInteraction(pact, 'upsert-contact/created', { reads: ['id'] }).executeTest(async ({ url }) => …)`
 *
 * @param pact a `PactV4` whose provider is `api-v1`
 * @param changes what the client sends and reads differently from the example
 * @throws RangeError for an unknown name, for a body that API v1 does not accept or an answer that it does not give,
 *   and for a change of the interaction's subject
 */
export function addInteraction(
  pact: Pick<PactV4, 'addInteraction'>,
  name: ApiInteractionName,
  changes: ApiInteractionChanges = {},
): InteractionToRun {
  return addHttpInteraction(pact, interactionOf(name, changes));
}

/** The description and examples of an interaction. */
export interface DescribedInteraction {
  readonly name: ApiInteractionName;
  readonly description: string;
  readonly operation: OperationId;
  readonly method: string;
  /** Path as in the interface, with `{id}` and `{key}`. */
  readonly path: string;
  readonly states: readonly { readonly name: string; readonly params?: Readonly<Record<string, JsonValue>> }[];
  /** Body of the example request, if it has one. */
  readonly request?: JsonValue;
  readonly status: number;
  /** The answer of the mock server. */
  readonly response: JsonValue;
  /** Points that the interface leaves open, and the behaviour of the simulated service. */
  readonly notShown: readonly { readonly id: AssumptionId; readonly notShown: string; readonly weDo: string }[];
}

/** Describes an interaction. Throws like {@link addInteraction}. */
export function describeInteraction(
  name: ApiInteractionName,
  changes: ApiInteractionChanges = {},
): DescribedInteraction {
  const { operation, description, states, request, response, notShown } = interactionOf(name, changes);
  const { method, path } = apiOperation(operation);
  const { status, body = null } = response;
  return {
    name,
    description,
    operation,
    method,
    path,
    states,
    ...(request.body !== undefined && { request: exampleOf(request.body) }),
    status: typeof status === 'number' ? status : status.example,
    response: exampleOf(body),
    notShown: notShown.map((id) => ({ id, notShown: assumptions[id].notShown, weDo: assumptions[id].weDo })),
  };
}

function interactionOf(name: ApiInteractionName, changes: ApiInteractionChanges): ApiInteraction {
  if (!apiInteractionNames.includes(name)) {
    throw new RangeError(
      `expected the name of an interaction (apiInteractionNames lists them), received ${String(name)}`,
    );
  }
  const { request, ...rest } = apiInteraction(changedApiPlan(apiInteractionPlan(name), changes));
  const headers = request.headers && Brand.named(changes.brand).value(request.headers);
  return { ...rest, request: { ...request, ...(headers && { headers }) } };
}
