import { parseDocument } from 'yaml';
import { apiState, apiStateNames, type ApiStateName } from '../generators/contracts/api-state-names.ts';
import type { ProviderState } from '../generators/contracts/contract.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { readApiState, formatStateFault } from './api-states.ts';
import { ContractFault } from './contract-fault.ts';
import type { JsonValue } from '../specs/json-value.ts';

/** Translations of other people's states into ours, by name. */
export type StateTranslations = ReadonlyMap<string, readonly ProviderState[]>;

/** A parameter of theirs, in place of a value. */
const reference = /^\$\{([^{}]+)\}$/;

/**
 * Reads state translations from JSON or YAML: an object with the names of their states as fields, each with the name of
 * one of our states, such a state with `params`, or a list of those; an empty list means no state. A value `${name}` in
 * `params` is the parameter of that name of their state.
 *
 * @throws ContractFault for anything else, and if our state is unknown
 */
export function readStateTranslations(text: string): StateTranslations {
  const value = readYaml(text);
  if (!isJsonObject(value)) {
    throw new ContractFault(`expected an object with the names of your states as fields, received ${shortJson(value)}`);
  }
  return new Map(
    Object.entries(value).map(([name, meaning]) => [
      name,
      (Array.isArray(meaning) ? (meaning as unknown[]) : [meaning]).map((one) => readMeaning(name, one)),
    ]),
  );
}

function readYaml(text: string): unknown {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  const [broken] = document.errors;
  if (broken) throw new ContractFault(`expected JSON or YAML, received something else: ${broken.message}`);
  try {
    return document.toJS();
  } catch (error) {
    // Aliases that expand without end.
    throw new ContractFault(`expected JSON or YAML, received something else: ${(error as Error).message}`);
  }
}

function readMeaning(name: string, meaning: unknown): ProviderState {
  const state =
    typeof meaning === 'string' ? meaning : isJsonObject(meaning) ? (meaning['state'] ?? meaning['name']) : undefined;
  const params = isJsonObject(meaning) ? meaning['params'] : undefined;
  if (typeof state !== 'string' || (params !== undefined && !isJsonObject(params))) {
    throw new ContractFault(
      `${shortJson(name)}: expected a state such as "a contact exists" or { "state": …, "params": { … } }, received ${shortJson(meaning)}`,
    );
  }
  const literal = Object.entries(params ?? {}).filter(
    ([, value]) => typeof value !== 'string' || !reference.test(value),
  );
  const read = readApiState({ name: state, params: Object.fromEntries(literal) as Record<string, JsonValue> });
  if ('fault' in read) throw new ContractFault(`${shortJson(name)}: ${formatStateFault(read.fault)}`);
  return { name: state, ...(params !== undefined && { params: params as Record<string, JsonValue> }) };
}

/** Version 2 has one state for each interaction: several are written as `… and …`. */
function severalStates(state: ProviderState): ProviderState[] {
  const isKnown = (name: string) => !('fault' in readApiState({ name }));
  const parts = state.name.split(/\s+and\s+/i);
  if (parts.length < 2 || isKnown(state.name) || !parts.every(isKnown)) return [state];
  return parts.map((name) => ({ name }));
}

function isApiState(name: string): name is ApiStateName {
  return (apiStateNames as readonly string[]).includes(name);
}

/** Translates a state into our states; without a translation, returns the state itself. */
export function translateState({ name, params = {} }: ProviderState, words: StateTranslations): ProviderState[] {
  const meaning = words.get(name);
  if (meaning === undefined) return severalStates({ name, params });
  return meaning.map((state) => {
    // Only a name was given: it takes those of their parameters that have the same name.
    if (state.params === undefined) {
      const known: readonly string[] = isApiState(state.name) ? apiState(state.name).params : [];
      return {
        name: state.name,
        params: Object.fromEntries(Object.entries(params).filter(([one]) => known.includes(one))),
      };
    }
    const filled = Object.entries(state.params).flatMap(([param, value]): [string, JsonValue][] => {
      const theirs = typeof value === 'string' ? reference.exec(value)?.[1] : undefined;
      if (theirs === undefined) return [[param, value]];
      const given = params[theirs];
      return given === undefined ? [] : [[param, given]];
    });
    return { name: state.name, params: Object.fromEntries(filled) };
  });
}
