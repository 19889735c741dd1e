import { ArrayNode } from './array-node.ts';
import type { NodeCompiler } from './node-compiler.ts';
import { formatKinds } from './format-kinds.ts';
import type { PathState } from './override-paths.ts';
import { NumberNode } from './scalar-nodes.ts';
import { ContradictionError, SchemaError, type SchemaPlace } from './schema-error.ts';
import type { NodeSettings, SchemaNode } from './schema-node.ts';
import { below, locate, type Located, type SchemaPart } from './schema-parts.ts';
import { StringNode } from './string-node.ts';

/** All numbers of a keyword. A count must be a non-negative integer. */
export function numbers(parts: readonly SchemaPart[], keyword: string, count = false): number[] {
  return parts.flatMap(({ keywords, place }) => {
    const value = keywords[keyword];
    if (value === undefined) return [];
    if (typeof value !== 'number' || (count && (!Number.isInteger(value) || value < 0))) {
      throw new SchemaError(
        place,
        keyword,
        `expected a ${count ? 'count' : 'number'}, received ${JSON.stringify(value)}`,
        'Correct it',
      );
    }
    return [value];
  });
}

export function contradiction(place: SchemaPlace, low: string, lowest: number, high: string, highest: number): void {
  if (lowest > highest)
    throw new ContradictionError(place, low, `${lowest} is above ${high} ${highest}`, 'Make the bounds agree');
}

export function numberNode(
  type: 'integer' | 'number',
  parts: readonly SchemaPart[],
  place: SchemaPlace,
  settings: NodeSettings,
): NumberNode {
  const integer = type === 'integer';
  const limit = integer ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE;
  const low = Math.max(-limit, ...numbers(parts, 'minimum'));
  const high = Math.min(limit, ...numbers(parts, 'maximum'));
  const above = Math.max(-Infinity, ...numbers(parts, 'exclusiveMinimum'));
  const under = Math.min(Infinity, ...numbers(parts, 'exclusiveMaximum'));
  const multiples = numbers(parts, 'multipleOf');
  if (multiples.some((each) => each <= 0))
    throw new SchemaError(place, 'multipleOf', 'expected a number above zero', 'Correct it');
  const multipleOf = multiples.length > 1 ? leastCommonMultiple(multiples, place) : (multiples[0] ?? undefined);
  const unit = multipleOf ?? (integer ? 1 : undefined);
  const min = above >= low ? next(above, 1, unit) : integer ? Math.ceil(low) : low;
  const max = under <= high ? next(under, -1, unit) : integer ? Math.floor(high) : high;
  contradiction(
    place,
    above >= low ? 'exclusiveMinimum' : 'minimum',
    min,
    under <= high ? 'exclusiveMaximum' : 'maximum',
    max,
  );
  const stated = [...numbers(parts, 'minimum'), ...numbers(parts, 'maximum')];
  const [atLeast, atMost] = [stated.length > 0 ? low : -Infinity, stated.length > 0 ? high : Infinity];
  const node = new NumberNode(
    {
      min,
      max,
      integer,
      multipleOf: multipleOf === undefined && !integer ? undefined : unit,
      accepts: (value) =>
        Number.isFinite(value) &&
        value > above &&
        value < under &&
        value >= atLeast &&
        value <= atMost &&
        (!integer || Number.isInteger(value)) &&
        multiples.every((each) => Number.isInteger(value / each)),
    },
    settings,
  );
  if (!node.possible)
    throw new ContradictionError(
      place,
      multipleOf === undefined ? 'type' : 'multipleOf',
      `no ${type} lies between ${min} and ${max}`,
      'Widen the bounds',
    );
  return node;
}

function next(bound: number, direction: 1 | -1, unit: number | undefined): number {
  if (unit === undefined) return bound + direction * Math.max(Math.abs(bound) * Number.EPSILON * 2, 1e-9);
  const times = bound / unit;
  return (direction === 1 ? Math.floor(times) + 1 : Math.ceil(times) - 1) * unit;
}

function leastCommonMultiple(list: readonly number[], place: SchemaPlace): number {
  if (!list.every(Number.isInteger))
    throw new SchemaError(place, 'multipleOf', 'several fractions cannot be combined', 'State one multipleOf');
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  return list.reduce((a, b) => (a * b) / divisor(a, b));
}

export function stringNode(parts: readonly SchemaPart[], place: SchemaPlace, settings: NodeSettings): StringNode {
  const min = Math.max(0, ...numbers(parts, 'minLength', true));
  const max = Math.min(Infinity, ...numbers(parts, 'maxLength', true));
  contradiction(place, 'minLength', min, 'maxLength', max);
  const patterns = new Map<string, RegExp>();
  const formats = new Map<string, SchemaPlace>();
  for (const part of parts) {
    const { pattern, format } = part.keywords;
    if (pattern !== undefined) patterns.set(JSON.stringify(pattern), regularExpression(pattern as string, part.place));
    if (format !== undefined) formats.set(format as string, part.place);
  }
  const [[format, formatPlace] = [undefined, place]] = formats;
  if (formats.size > 1)
    throw new ContradictionError(
      formatPlace,
      'format',
      `${[...formats.keys()].join(' and ')} are stated for one string`,
      'State one format',
    );
  if (format !== undefined && !Object.hasOwn(formatKinds, format)) {
    throw new SchemaError(
      formatPlace,
      'format',
      `${format} is not known`,
      `Use one of ${Object.keys(formatKinds).join(', ')}, or add it to generators/format-kinds.ts`,
    );
  }
  const keyword = format === undefined ? 'pattern' : 'format';
  let node: StringNode;
  try {
    node = new StringNode(
      {
        min,
        max: max === Infinity ? undefined : max,
        patterns: [...patterns.values()],
        format: format === undefined ? undefined : formatKinds[format],
      },
      settings,
    );
  } catch (cause) {
    throw new SchemaError(
      place,
      keyword,
      `no string can be made: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Write the pattern with classes, groups and counts only',
    );
  }
  if (!node.free && node.edges.length === 0) {
    throw new SchemaError(
      place,
      keyword,
      `no string was found that also meets the other keywords (${min} to ${max} code points)`,
      'Put the length into the pattern, or drop one of them',
    );
  }
  return node;
}

function regularExpression(pattern: string, place: SchemaPlace): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (cause) {
    throw new SchemaError(
      place,
      'pattern',
      cause instanceof Error ? cause.message : String(cause),
      'Correct the regular expression',
    );
  }
}

export function arrayNode(
  parts: readonly SchemaPart[],
  place: SchemaPlace,
  state: PathState,
  compiler: NodeCompiler,
): ArrayNode {
  const min = Math.max(0, ...numbers(parts, 'minItems', true));
  let max = Math.min(Infinity, ...numbers(parts, 'maxItems', true));
  contradiction(place, 'minItems', min, 'maxItems', max);
  const lists = parts.map(({ keywords, place: at }) => {
    const given = keywords['prefixItems'] ?? [];
    if (!Array.isArray(given)) throw new SchemaError(at, 'prefixItems', 'expected a list of schemas', 'Correct it');
    const prefix = given.map((each, index) => locate(each, below(at, 'prefixItems', index), 'prefixItems'));
    return {
      prefix,
      items: keywords['items'] === undefined ? undefined : locate(keywords['items'], below(at, 'items'), 'items'),
    };
  });
  const at = (index: number): SchemaNode | undefined => {
    const list = lists
      .map(({ prefix, items }) => prefix[index] ?? items)
      .filter((each): each is Located => each !== undefined);
    const everything: Located = { schema: true, place };
    return compiler.node(list.length > 0 ? list : [everything], compiler.below(state, undefined));
  };
  const length = Math.max(0, ...lists.map(({ prefix }) => prefix.length));
  const prefix: SchemaNode[] = [];
  for (let index = 0; index < Math.min(length, max); index++) {
    const node = at(index);
    if (node === undefined) {
      max = Math.min(max, index);
      break;
    }
    prefix.push(node);
  }
  const rest = prefix.length < length || max <= length ? (max === 0 && length === 0 ? at(0) : undefined) : at(length);
  if (rest === undefined) max = Math.min(max, prefix.length);
  contradiction(place, 'minItems', min, 'the maximum number of items', max);
  const unique = parts.some(({ keywords }) => keywords['uniqueItems'] === true);
  const node = new ArrayNode({ prefix, rest, min, max, unique }, compiler.settings);
  return node;
}
