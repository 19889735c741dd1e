import { apiOperation } from '../../specs/api-operations.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { sameJson } from '../json-values.ts';
import { idParameter, type ApiInteractionPlan } from './api-interaction.ts';
import type { JsonFields, JsonValue } from '../../specs/json-value.ts';

/** Differences between a client's request and the example of an interaction. */
export interface ApiInteractionChanges {
  /** Replaces the description; required if one pact contains the same interaction twice. */
  readonly description?: string;
  /** The body that the client sends. */
  readonly body?: object;
  /** Values in the path. */
  readonly parameters?: { readonly id?: number; readonly key?: string };
  /** The Idempotency-Key that the client sends; `null`: it sends none. */
  readonly idempotencyKey?: string | null;
  /** The brand in the beginning of the client's API key, as in the config; default: Svc. */
  readonly brand?: string;
  /** The client sends its API key as a bearer token rather than in X-Api-Key. */
  readonly bearer?: boolean;
  /** The fields of the answer that the client reads; fewer fields make the contract more robust. */
  readonly reads?: readonly string[];
  /** Values of fields of the answer, instead of the example's. */
  readonly answer?: object;
}

/**
 * The plan of an interaction with the client's own values. States use the contact, project or phone number of the
 * client.
 *
 * @throws RangeError for a value that is the subject of the interaction
 */
export function changedApiPlan(plan: ApiInteractionPlan, changes: ApiInteractionChanges): ApiInteractionPlan {
  const { description, parameters, idempotencyKey, bearer } = changes;
  const { bearer: _bearer, idempotencyKey: ownKey, ...rest } = plan;
  const body = changes.body as JsonFields | undefined;
  if (body !== undefined) holdExact(plan, body);
  const key = idempotencyKey === undefined ? ownKey : (idempotencyKey ?? undefined);
  return {
    ...rest,
    ...(description !== undefined && { does: description }),
    ...(body !== undefined && { body }),
    ...(parameters && { parameters: { ...plan.parameters, ...parameters } }),
    ...((bearer ?? plan.bearer) === true && { bearer: true }),
    ...(key !== undefined && { idempotencyKey: key }),
    answer: changedAnswer(plan, changes),
    ...(plan.states && { states: changedStates(plan, changes) }),
  };
}

/** The outcome depends on these fields of the request. */
function holdExact({ does, body = {}, exact = [] }: ApiInteractionPlan, changed: JsonFields): void {
  for (const pointer of exact) {
    const name = pointer.slice(1);
    if (!sameJson(changed[name] ?? null, body[name] ?? null)) {
      throw new RangeError(
        `“${does}”: expected ${name} to stay ${JSON.stringify(body[name])}, on which the outcome depends, received ${JSON.stringify(changed[name])}`,
      );
    }
  }
}

function changedAnswer({ does, answer }: ApiInteractionPlan, { reads, answer: values }: ApiInteractionChanges) {
  if ('problem' in answer) {
    if (reads || values) throw new RangeError(`“${does}”: expected no change of an error, whose title is all there is`);
    return answer;
  }
  const { body, exact = [] } = answer;
  const entry = Array.isArray(body) ? (body as readonly JsonValue[])[0] : body;
  const known = isJsonObject(entry) ? Object.keys(entry) : [];
  const unknown = [...(reads ?? []), ...Object.keys(values ?? {})].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new RangeError(`“${does}”: expected fields of the answer (${known.join(', ')}), received ${unknown}`);
  }
  const fixed = Object.keys(values ?? {}).find((name) => exact.some((pointer) => pointer.split('/')[1] === name));
  if (fixed !== undefined) throw new RangeError(`“${does}”: expected ${fixed} unchanged, which identifies the outcome`);
  const changed = values === undefined || !isJsonObject(entry) ? entry : { ...entry, ...(values as JsonFields) };
  return {
    ...answer,
    body: (Array.isArray(body) ? (changed === undefined ? [] : [changed]) : changed) as JsonValue,
    ...(reads && { shows: reads }),
  };
}

function changedStates({ operation, states = [] }: ApiInteractionPlan, changes: ApiInteractionChanges) {
  const { body = {}, parameters: { id, key } = {}, idempotencyKey } = changes;
  const idName = idParameter(apiOperation(operation)) ?? '';
  const values: Readonly<Record<string, JsonValue | null | undefined>> = {
    ...body,
    ...(id !== undefined && { [idName]: id }),
    ...(key !== undefined && { key }),
    idempotencyKey,
  };
  return states.map(({ name, params }) => ({
    name,
    ...(params && {
      params: Object.fromEntries(
        Object.entries(params).map(([param, value]) => [param, values[param] ?? value] as const),
      ),
    }),
  }));
}
