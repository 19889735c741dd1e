import type { Contract, Interaction } from '../generators/contracts/contract.ts';
import type { JsonFields, JsonValue } from '../specs/json-value.ts';
import { isJsonContainer } from '../specs/json-object.ts';

/**
 * A Pact file in the one form in which we publish it: interactions in the order of the contract, without versions of
 * the tools, each rule once.
 *
 * @param text as Pact wrote it
 * @throws Error when an interaction of the contract is missing, or the file has another one
 */
export function canonicalPact(text: string, { consumer, interactions }: Contract): string {
  const { metadata, interactions: found, ...sides } = JSON.parse(text) as JsonFields & { interactions: JsonFields[] };
  const byDescription = new Map(found.map((each) => [each['description'], each]));
  if (byDescription.size !== interactions.length || found.length !== interactions.length) {
    throw new Error(`expected ${interactions.length} interactions, received ${found.length} from Pact`);
  }
  const ordered = interactions.map(({ description }: Interaction) => {
    const each = byDescription.get(description);
    if (!each) throw new Error(`expected the interaction “${description}”, received none from Pact`);
    return withRulesOnce(consumer === 'svc' ? withoutContentType(each) : each) as JsonFields;
  });
  const { pactSpecification = { version: '4.0' } } = metadata as JsonFields;
  const pact = { ...sides, interactions: ordered, metadata: { pactSpecification } };
  return `${written(sorted(pact), '')}\n`;
}

/** Characters of one line. */
const lineWidth = 120;

/** JSON with short values on one line: rules take a line each. */
function written(value: JsonValue, indent: string, label = ''): string {
  const line = label + onOneLine(value);
  if (!isJsonContainer(value) || indent.length + line.length < lineWidth) return indent + line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? (value as readonly JsonValue[]).map((item) => written(item, inner))
    : Object.entries(value).map(([name, field]: [string, JsonValue]) =>
        written(field, inner, `${JSON.stringify(name)}: `),
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  return `${indent}${label}${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: JsonValue): string {
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(onOneLine).join(', ')}]`;
  if (!isJsonContainer(value)) return JSON.stringify(value);
  const fields = Object.entries(value);
  if (fields.length === 0) return '{}';
  return `{ ${fields.map(([name, field]: [string, JsonValue]) => `${JSON.stringify(name)}: ${onOneLine(field)}`).join(', ')} }`;
}

/** The interface prescribes no content type for an integrator's answers; Pact expects one of every body. */
function withoutContentType(interaction: JsonFields): JsonFields {
  const response = interaction['response'];
  if (!isJsonContainer(response) || !('headers' in response)) return interaction;
  const { headers, ...rest } = response as JsonFields;
  const { 'Content-Type': _, ...others } = headers as JsonFields;
  return { ...interaction, response: { ...rest, ...(Object.keys(others).length > 0 && { headers: others }) } };
}

/** Pact writes the rules of a list's items once for each item of the example. */
function withRulesOnce(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withRulesOnce);
  if (!isJsonContainer(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, JsonValue]) => {
      const isRules = name === 'matchers' && Array.isArray(field) && 'combine' in value;
      return [name, isRules ? once(field as readonly JsonValue[]) : withRulesOnce(field)];
    }),
  );
}

function once(rules: readonly JsonValue[]): JsonValue {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

/** Fields sorted by name, as Pact itself does for most. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted);
  if (!isJsonContainer(value)) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]: [string, JsonValue]) => [name, sorted(field)]));
}
