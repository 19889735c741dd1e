import { fileBounds, readBoundedJson } from '../../specs/bounded-json.ts';
import { suggestion } from '../../specs/nearest.ts';
import { isJsonContainer } from '../../specs/json-object.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** A new value for one field of an event. */
export interface Override {
  /** Field names and list indices, from the outside in. */
  path: readonly (string | number)[];
  value: unknown;
  /** The flag as it was written, for messages. */
  flag: string;
}

/**
 * Reads the value of `--set` or `--set-json`: `data.contact.name=Erika`, `data.skills[0].key=sales`. A backslash escapes a
 * dot or bracket in a name. Throws {@link HarnessFault}.
 */
export function readOverride(text: string, form: '--set' | '--set-json'): Override {
  const flag = `${form} ${text}`;
  const at = text.indexOf('=');
  if (at < 1) {
    const example = form === '--set' ? 'data.contact.name=Erika' : "data.skills='[]'";
    throw new HarnessFault('override-invalid:form', { flag, example: `${form} ${example}` });
  }
  const path = readPath(text.slice(0, at), flag);
  const given = text.slice(at + 1);
  if (form === '--set') return { path, value: given, flag };
  const read = readBoundedJson(Buffer.from(given), fileBounds);
  if ('value' in read) return { path, value: read.value, flag };
  if (read.unread)
    throw new HarnessFault('override-invalid:bounds', { flag: `${form} ${text.slice(0, at)}`, received: read.error });
  throw new HarnessFault('override-invalid:json', { flag, reason: read.cause ?? read.error });
}

/** A JSON value with some fields overridden, and the fields that were added. */
export interface Overridden {
  value: unknown;
  /** Added fields, with a suggestion for a similar one; receivers must ignore unknown fields. */
  added: readonly { path: string; hint: string }[];
}

/** Sets the fields in a copy of the value. Throws {@link HarnessFault} for an impossible path. */
export function withOverrides(value: unknown, overrides: readonly Override[]): Overridden {
  const result: { root: unknown } = { root: structuredClone(value) };
  const added: { path: string; hint: string }[] = [];
  for (const override of overrides) {
    let holder: Record<string, unknown> = result;
    let name: string | number = 'root';
    for (const [at, step] of override.path.entries()) {
      const place: string = formatPath(override.path.slice(0, at));
      let inner: unknown = Object.hasOwn(holder, name) ? holder[name] : undefined;
      // A missing field becomes a list or an object, as the path requires.
      if (inner === undefined) set(holder, name, (inner = typeof step === 'number' ? [] : {}));
      if (!isJsonContainer(inner)) {
        throw new HarnessFault('override-invalid:scalar', {
          flag: override.flag,
          place,
          received: describeKind(inner),
        });
      }
      const items = Array.isArray(inner) ? inner.length : undefined;
      const isList = items !== undefined;
      if (isList !== (typeof step === 'number')) {
        const wanted = isList ? `a list: give an index, such as ${place}[0]` : 'an object: give a field';
        throw new HarnessFault('override-invalid:kind', { flag: override.flag, place, expected: wanted });
      }
      if (isList && Number(step) > items) {
        throw new HarnessFault('override-invalid:item', { flag: override.flag, place, items });
      }
      const object = inner as Record<string, unknown>;
      if (!Object.hasOwn(object, step) && added.every((one) => !formatPath(override.path).startsWith(one.path))) {
        const hint = isList ? '' : suggestion(String(step), Object.keys(object));
        added.push({ path: formatPath(override.path.slice(0, at + 1)), hint });
      }
      holder = object;
      name = step;
    }
    set(holder, name, override.value);
  }
  return { value: result.root, added };
}

/** The value that the overrides give to a path; `undefined` if they do not. */
export function overrideAt(overrides: readonly Override[], path: string): unknown {
  for (const { path: of, value } of overrides.toReversed()) {
    const text = formatPath(of);
    if (path === text) return value;
    if (!path.startsWith(`${text}.`)) continue;
    let inner = value;
    for (const step of path.slice(text.length + 1).split('.')) {
      inner = isJsonContainer(inner) ? inner[step] : undefined;
    }
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Formats a path for `--set`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path
    .map((step, at) => {
      if (typeof step === 'number') return `[${step}]`;
      return (at === 0 ? '' : '.') + step.replaceAll(/[.[\]\\]/g, String.raw`\$&`);
    })
    .join('');
}

const pathPart = /(?<index>\[\d{1,6}\])|\.?(?<name>(?:[^.[\]\\]|\\.)+)/gy;

function readPath(text: string, flag: string): (string | number)[] {
  const path: (string | number)[] = [];
  pathPart.lastIndex = 0;
  let end = 0;
  for (let match = pathPart.exec(text); match !== null; match = pathPart.exec(text)) {
    const { index, name = '' } = match.groups ?? {};
    // Every name except the first begins with a dot.
    if (index === undefined && (path.length === 0) === match[0].startsWith('.')) break;
    path.push(index === undefined ? name.replaceAll(/\\(.)/g, '$1') : Number(index.slice(1, -1)));
    end = pathPart.lastIndex;
  }
  if (end < text.length || typeof path[0] !== 'string') {
    throw new HarnessFault('override-invalid:path', { flag, path: text });
  }
  return path;
}

/** Sets a field, even if its name is __proto__. */
function set(holder: object, name: string | number, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, writable: true, configurable: true });
}

function describeKind(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? 'a string' : JSON.stringify(value);
}
