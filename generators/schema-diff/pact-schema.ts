import { isJsonObject } from '../../specs/json-object.ts';
import { kindOf } from './alternatives.ts';
import type { JsonObject } from '../../specs/json-value.ts';

interface Rule {
  readonly path: readonly string[];
  readonly matcher: JsonObject;
}

/**
 * Values that a body in a Pact file allows, as a JSON Schema: its example, unless matching rules allow more. Additional
 * fields are allowed, as in Pact.
 *
 * @param rules of the body, as of version 3 and 4 (`{ "$.text": { matchers: [...] } }`) or 2 (`{ "$.body.text": {...}
 * }`)
 */
export function pactSchema(example: unknown, rules: unknown): JsonObject {
  return schemaOf(example, [], rulesOf(rules));
}

function rulesOf(rules: unknown): Rule[] {
  return Object.entries(isJsonObject(rules) ? rules : {}).flatMap(([path, rule]) => {
    const tokens = pathTokens(path.replace(/^\$\.body(?=$|[.[])/, '$'));
    const matchers = isJsonObject(rule) && Array.isArray(rule['matchers']) ? rule['matchers'] : [rule];
    return tokens === undefined ? [] : matchers.filter(isJsonObject).map((matcher) => ({ path: tokens, matcher }));
  });
}

/** `$.a['b c'][*]` becomes `a`, `b c`, `*`. `undefined` for anything else. */
function pathTokens(path: string): string[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const found = path.slice(1).matchAll(/\.([^.[\]]+)|\['([^']*)'\]|\[(\d+|\*)\]/g);
  return [...found].map(([, name, quoted, index]) => name ?? quoted ?? index ?? '');
}

function fits(rule: readonly string[], path: readonly string[]): boolean {
  return rule.every((token, at) => token === path[at] || (token === '*' && path[at] !== undefined));
}

/** The rule for a place: its own, or an inherited type rule of a place above. */
function ruleAt(path: readonly string[], rules: readonly Rule[]): JsonObject | undefined {
  const own = rules.filter((rule) => rule.path.length === path.length && fits(rule.path, path));
  const exact = own.filter(({ path: tokens }) => !tokens.includes('*'));
  const named = exact.length > 0 ? exact : own;
  // If a place has both a type and a pattern, the pattern is more specific.
  const strictest = named.find(({ matcher }) => matchOf(matcher) !== 'type') ?? named[0];
  if (strictest) return strictest.matcher;
  const above = rules.filter(({ path: tokens, matcher }) => tokens.length < path.length && matchOf(matcher) === 'type' && fits(tokens, path)); // prettier-ignore
  return above.length > 0 ? { match: 'type' } : undefined;
}

function matchOf(matcher: JsonObject | undefined): string | undefined {
  if (matcher === undefined) return undefined;
  if (typeof matcher['match'] === 'string') return matcher['match'];
  if (matcher['regex'] !== undefined) return 'regex';
  return matcher['min'] !== undefined || matcher['max'] !== undefined ? 'type' : undefined;
}

function schemaOf(example: unknown, path: readonly string[], rules: readonly Rule[]): JsonObject {
  const matcher = ruleAt(path, rules);
  const match = matchOf(matcher);
  if (match === 'regex') return { type: 'string', pattern: String(matcher?.['regex']) };
  if (match === 'integer' || match === 'boolean' || match === 'null') return { type: match };
  if (match === 'number' || match === 'decimal') return { type: 'number' };
  if (isJsonObject(example)) {
    const fields = Object.entries(example).map(([name, each]) => [name, schemaOf(each, [...path, name], rules)] as const); // prettier-ignore
    return { type: 'object', required: Object.keys(example), properties: Object.fromEntries(fields) };
  }
  if (Array.isArray(example)) return listSchema(example, path, rules, match === 'type' ? matcher : undefined);
  if (match === 'type') {
    const kind = kindOf(example);
    return { type: kind === 'integer' ? 'number' : kind };
  }
  if (match === undefined || match === 'equality') return { const: example };
  // Others, such as dates: compared as written.
  return { type: kindOf(example), pactMatcher: matcher };
}

function listSchema(example: readonly unknown[], path: readonly string[], rules: readonly Rule[], matcher: JsonObject | undefined): JsonObject {
  const each = example.map((item, at) => schemaOf(item, [...path, String(at)], rules));
  const distinct = [...new Map(each.map((schema) => [JSON.stringify(schema), schema])).values()];
  const items = distinct.length > 1 ? { anyOf: distinct } : distinct[0];
  const length = { minItems: example.length, maxItems: example.length };
  const [min, max] = [matcher?.['min'], matcher?.['max']];
  const free = { ...(min !== undefined && { minItems: min }), ...(max !== undefined && { maxItems: max }) };
  return { type: 'array', ...(items && { items }), ...(matcher === undefined ? length : free) };
} // prettier-ignore
