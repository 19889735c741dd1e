import { marker } from './watch-effects.ts';

/** Kinds of values that would have an effect if a program acted on them. Each contains its place, `at`. */
export const canaries = {
  command: (at: string, { path }: World) => `touch ${path}/${marker}-ran-${at}`,
  variable: (at: string) => `env:CANARY_${at}`,
  file: (at: string, { path }: World) => `${path}/${marker}-${at}.json`,
  above: (at: string) => `../../${marker}-${at}.mjs`,
  fileUrl: (at: string, { path }: World) => `file://${path}/${marker}-${at}.mjs`,
  url: (at: string, { host }: World) => `http://${host}/${marker}-${at}`,
  socket: (at: string, { host }: World) => `ws://${host}/${marker}-${at}`,
  image: (at: string, { host }: World) => `${host}/${marker}-${at}:latest`,
} as const;

export type CanaryKind = keyof typeof canaries;
export const canaryKinds = Object.keys(canaries) as CanaryKind[];

/** The targets of planted values. */
export interface World {
  /** A directory. */
  path: string;
  host: string;
}

type Path = readonly (string | number)[];

/** The places of all leaves of a JSON value. */
export function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** The places of all objects in it. */
export function objectsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [
    ...(Array.isArray(value) ? [] : [path]),
    ...entries.flatMap(([key, inner]) => objectsOf(inner, [...path, key])),
  ];
}

/** A copy with another value at a place; a missing field is added. */
export function withValue<Value>(whole: Value, [first, ...rest]: Path, value: unknown): Value {
  if (first === undefined) return value as Value;
  const copy = (Array.isArray(whole) ? [...(whole as unknown[])] : { ...whole }) as Record<string | number, unknown>;
  const inner = rest.length === 0 ? value : withValue(copy[first], rest, value);
  Object.defineProperty(copy, first, { value: inner, enumerable: true, configurable: true, writable: true });
  return copy as Value;
}

/** The value at a place. */
export function valueAt(whole: unknown, path: Path): unknown {
  return path.reduce((inner: unknown, key) => (inner as Record<string | number, unknown> | undefined)?.[key], whole);
}

/**
 * The form of a place in planted values: letters, digits and underscores only, so that it can be the name of a
 * variable.
 */
export function placeName(path: Path): string {
  return path.join('_').replaceAll(/\W/g, '_');
}

/**
 * The value with another kind planted at each of these places; as many turns as there are kinds plant every kind
 * everywhere.
 */
export function plantedAt<Value>(whole: Value, paths: readonly Path[], turn: number, world: World): Value {
  return paths.reduce((value, path, at) => withValue(value, path, canaryAt(path, at + turn, world)), whole);
}

/** The canary of a place in a turn. */
export function canaryAt(path: Path, turn: number, world: World): string {
  const kind = canaryKinds[turn % canaryKinds.length] ?? 'url';
  return canaries[kind](placeName(path), world);
}

/** The same with one item of each list of objects: the others have the same fields. */
export function withShortLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, isObject(value[0]) ? 1 : undefined).map(withShortLists);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withShortLists(inner)]));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Copies of the value, each with one planted value at one place: every kind in place of a string, and one in place of
 * any other value, since schemas refuse any string there.
 */
export function* eachPlanted<Value>(whole: Value, world: World): Generator<{ name: string; value: Value }> {
  for (const path of leavesOf(whole)) {
    const kinds: readonly CanaryKind[] = typeof valueAt(whole, path) === 'string' ? canaryKinds : ['url'];
    for (const kind of kinds) {
      yield {
        name: `${path.join('/')}: ${kind}`,
        value: withValue(whole, path, canaries[kind](placeName(path), world)),
      };
    }
  }
  for (const path of objectsOf(whole)) {
    const within = placeName(path);
    const polluted = { canary: canaries.url(within, world) };
    for (const name of ['__proto__', 'constructor', 'configFile', '$ref', '_file']) {
      const added = name.startsWith('__') || name === 'constructor' ? polluted : canaries.file(within, world);
      yield { name: `${path.join('/')}: ${name}`, value: withValue(whole, [...path, name], added) };
    }
  }
}
