import fc from 'fast-check';
import { schemas } from '../../specs/schemas.ts';
import type { SchemaName } from '../../specs/schemas.ts';

export type Json = Record<string, unknown>;
/** Every schema of a version, by its short name. */
export type Version = Record<SchemaName, Json>;

/** One change at one schema node of one file. */
export interface Mutation {
  readonly name: string;
  readonly schema: SchemaName;
  /** JSON Pointer of the node in its file. */
  readonly pointer: string;
  readonly apply: (node: Json) => void;
}

/** Strings that our schemas do not accept, and values that they do not list. */
const strange = { pattern: '^never~[a-z]{3}$', value: 'a-new-value', field: 'addedMember' };

/** Every mutation of every node; each changes which values the node accepts, or adds or drops a field. */
export function everyMutation(): Mutation[] {
  return (Object.keys(schemas) as SchemaName[]).flatMap((schema) => mutationsBelow(schema, schemas[schema] as unknown as Json, ''));
} // prettier-ignore

function mutationsBelow(schema: SchemaName, node: Json, pointer: string): Mutation[] {
  const own = nodeMutations(node).map(([name, apply]) => ({ name, schema, pointer, apply }));
  const inner = ['properties', '$defs'].flatMap((keyword) =>
    Object.entries((node[keyword] ?? {}) as Json).flatMap(([name, each]) => {
      const at = `${pointer}/${keyword}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return isObject(each) ? mutationsBelow(schema, each, at) : [];
    }),
  );
  const single = ['items', 'additionalProperties'].flatMap((keyword) => isObject(node[keyword]) ? mutationsBelow(schema, node[keyword], `${pointer}/${keyword}`) : []); // prettier-ignore
  return [...own, ...inner, ...single];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Change = readonly [name: string, apply: (node: Json) => void];

function nodeMutations(node: Json): Change[] {
  return [...fieldMutations(node), ...valueMutations(node), ...boundMutations(node), ...branchMutations(node)];
}

function fieldMutations(node: Json): Change[] {
  if (!isObject(node['properties']) || node['type'] !== 'object') return [];
  const properties = node['properties'];
  const [first = '', last = ''] = [Object.keys(properties)[0], Object.keys(properties).at(-1)];
  const required = (node['required'] ?? []) as string[];
  const free = Object.keys(properties).find((name) => !required.includes(name) && isObject(properties[name]));
  const drop = (name: string) => (each: Json) => {
    Reflect.deleteProperty(each['properties'] as Json, name);
    if (each['required']) each['required'] = (each['required'] as string[]).filter((one) => one !== name);
    dropFromBranches(each, name);
  };
  return [
    [`drops the field ${first}`, drop(first)],
    [`drops the field ${last}`, drop(last)],
    ['has a new field', (each) => ((each['properties'] as Json)[strange.field] = { type: 'integer' })],
    ['has a new field that must be there', (each) => {
      (each['properties'] as Json)[strange.field] = { type: 'integer' };
      each['required'] = [...((each['required'] ?? []) as string[]), strange.field];
    }],
    ...(required.length > 0 ? [['needs a field no more', (each) => ((each['required'] as string[]).splice(0, 1))] as Change] : []),
    ...(free === undefined || 'oneOf' in node ? [] : [['needs another field', (each) => (each['required'] = [...required, free])] as Change]),
    ...(node['additionalProperties'] === undefined && !('oneOf' in node) ? [['is closed', (each) => (each['additionalProperties'] = false)] as Change] : []),
    ...(node['additionalProperties'] === false ? [['is open', (each) => Reflect.deleteProperty(each, 'additionalProperties')] as Change] : []),
  ]; // prettier-ignore
}

function dropFromBranches(node: Json, name: string): void {
  for (const branch of (node['oneOf'] ?? []) as Json[]) {
    if (isObject(branch['properties'])) Reflect.deleteProperty(branch['properties'], name);
    if (branch['required']) branch['required'] = (branch['required'] as string[]).filter((one) => one !== name);
  }
}

function valueMutations(node: Json): Change[] {
  const { type, enum: values } = node;
  const types = Array.isArray(type) ? (type as string[]) : [];
  const isText = type === 'string' && values === undefined && node['const'] === undefined;
  return [
    ...(types.includes('null') && types.length > 1 ? [['is never null', (each) => (each['type'] = types.filter((one) => one !== 'null'))] as Change] : []),
    ...(typeof type === 'string' && type !== 'null' && node['const'] === undefined && values === undefined && !('oneOf' in node) ? [['may be null', (each) => (each['type'] = [type, 'null'])] as Change] : []),
    ...(isText ? [['is a number', (each) => { for (const keyword of Object.keys(each)) Reflect.deleteProperty(each, keyword); each['type'] = 'integer'; }] as Change] : []),
    ...(Array.isArray(values) ? [['lists another value', (each) => (each['enum'] = [...(values as unknown[]), strange.value])] as Change] : []),
    ...(Array.isArray(values) && values.length > 1 ? [['lists a value less', (each) => (each['enum'] = values.slice(1))] as Change] : []),
    ...(Array.isArray(values) ? [['lists no values', (each) => { Reflect.deleteProperty(each, 'enum'); each['type'] = ['string', 'null']; }] as Change] : []),
    ...('const' in node ? [['is another constant', (each) => (each['const'] = strange.value)] as Change] : []),
    ...(isText && node['pattern'] === undefined && node['format'] === undefined && ((node['maxLength'] as number | undefined) ?? 9) > 8 ? [['has a pattern', (each) => (each['pattern'] = strange.pattern)] as Change] : []),
    // One that the old pattern includes would only narrow.
    ...(isText && typeof node['pattern'] === 'string' && !new RegExp(node['pattern'], 'u').test('never~abc') ? [['has another pattern', (each) => (each['pattern'] = strange.pattern)] as Change] : []),
    ...(isText && typeof node['format'] === 'string' ? [['has no format', (each) => Reflect.deleteProperty(each, 'format')] as Change] : []),
  ]; // prettier-ignore
}

function boundMutations(node: Json): Change[] {
  const found: Change[] = [];
  for (const [keyword, looser] of [['minLength', -1], ['maxLength', 1], ['minimum', -1], ['maximum', 1], ['minItems', -1], ['maxItems', 1]] as const) {
    const bound = node[keyword];
    // A pattern may limit the length more than the bound does.
    if (node['pattern'] !== undefined) continue;
    if (typeof bound !== 'number' || bound === 0 || Math.abs(bound) >= Number.MAX_SAFE_INTEGER) continue;
    found.push([`has a looser ${keyword}`, (each) => (each[keyword] = bound + looser)]);
    // A bound beyond the opposite one would allow nothing.
    const other = node[keyword.startsWith('min') ? keyword.replace('min', 'max') : keyword.replace('max', 'min')];
    if (other !== bound) found.push([`has a stricter ${keyword}`, (each) => (each[keyword] = bound - looser)]);
    found.push([`has no ${keyword}`, (each) => Reflect.deleteProperty(each, keyword)]);
  } // prettier-ignore
  return found;
}

function branchMutations(node: Json): Change[] {
  const branches = node['oneOf'];
  if (!Array.isArray(branches) || branches.length < 2) return [];
  return [['has a branch less', (each) => (each['oneOf'] = (branches as unknown[]).slice(1))]];
}

/** The schemas with these mutations. */
export function mutated(...mutations: readonly Mutation[]): Version {
  const version = structuredClone(schemas) as unknown as Version;
  for (const { schema, pointer, apply } of mutations) {
    let node: unknown = version[schema];
    for (const step of pointer.split('/').slice(1)) node = (node as Json | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')]; // prettier-ignore
    if (isObject(node)) apply(node);
  }
  return version;
}

/** Any of the mutations. */
export function someMutation(): fc.Arbitrary<Mutation> {
  return fc.constantFrom(...everyMutation());
}
