import type { NodeCompiler } from './node-compiler.ts';
import { hasField } from './json-values.ts';
import { isJsonObject } from '../specs/json-object.ts';
import type { Field, ObjectRules } from './object-node.ts';
import type { PathState } from './override-paths.ts';
import { ContradictionError, SchemaError, type SchemaPlace } from './schema-error.ts';
import type { SchemaNode } from './schema-node.ts';
import { below, locate, type Located, type SchemaPart } from './schema-parts.ts';
import { contradiction, numbers } from './simple-types.ts';

function declared(part: SchemaPart): Record<string, unknown> {
  const properties = part.keywords['properties'] ?? {};
  if (!isJsonObject(properties))
    throw new SchemaError(part.place, 'properties', 'expected an object of schemas', 'Correct it');
  return properties;
}

/** Rules of a part for a field: `properties` if it is declared there, else `additionalProperties`. */
function schemasOfField(part: SchemaPart, name: string | undefined): Located[] {
  const properties = declared(part);
  if (name !== undefined && hasField(properties, name)) {
    return [locate(properties[name], below(part.place, 'properties', name), 'properties')];
  }
  const others = part.keywords['additionalProperties'];
  return others === undefined
    ? []
    : [locate(others, below(part.place, 'additionalProperties'), 'additionalProperties')];
}

/**
 * Merges the rules of several parts for one object. Each part's `additionalProperties` sees only its own `properties`.
 */
export function objectRules(
  parts: readonly SchemaPart[],
  place: SchemaPlace,
  state: PathState,
  compiler: NodeCompiler,
): ObjectRules {
  const required = new Map<string, SchemaPlace>();
  for (const part of parts) {
    const list = part.keywords['required'] ?? [];
    if (!Array.isArray(list)) throw new SchemaError(part.place, 'required', 'expected a list of names', 'Correct it');
    for (const name of list) required.set(String(name), part.place);
  }
  const names = nameNode(parts, state, compiler);
  const fields: Field[] = [];
  const forbidden = new Set<string>();
  const all = new Set([...parts.flatMap((part) => Object.keys(declared(part))), ...required.keys()]);
  for (const name of all) {
    const said = parts.flatMap((part) => schemasOfField(part, name));
    const anything: Located = { schema: true, place };
    const allowed = names?.accepts(name) ?? true;
    const node = allowed ? compiler.node(said.length > 0 ? said : [anything], compiler.below(state, name)) : undefined;
    if (node !== undefined) {
      fields.push({ name, node, required: required.has(name) });
      continue;
    }
    const from = required.get(name);
    if (from !== undefined) {
      throw new ContradictionError(
        from,
        'required',
        `${name} is required, but not allowed`,
        'Declare it in properties, or do not require it',
      );
    }
    const deliberate = parts.some((part) => declared(part)[name] === false);
    if (!deliberate) {
      const closed = parts.find((part) => schemasOfField(part, name).some(({ schema }) => schema === false));
      throw new SchemaError(
        closed?.place ?? place,
        'additionalProperties',
        `${name} is declared, but another part of allOf or propertyNames forbids it`,
        'Declare it in each part, or drop it',
      );
    }
    forbidden.add(name);
  }
  const max = Math.min(Infinity, ...numbers(parts, 'maxProperties', true));
  const min = Math.max(0, ...numbers(parts, 'minProperties', true));
  contradiction(place, 'minProperties', min, 'maxProperties', max);
  contradiction(place, 'required', fields.filter((field) => field.required).length, 'maxProperties', max);
  const said = parts.flatMap((part) => schemasOfField(part, undefined));
  const others = compiler.node(
    said.length > 0 ? said : [{ schema: true, place: below(place, 'additionalProperties') }],
    compiler.below(state, undefined),
  );
  if (others === undefined) contradiction(place, 'minProperties', min, 'the number of declared fields', fields.length);
  const map = others !== undefined && isMap(parts, fields, min);
  return { fields, forbidden, others, map, names, min, max };
}

/** Other fields are generated when the schema describes them, or when there would be no field at all. */
function isMap(parts: readonly SchemaPart[], fields: readonly Field[], min: number): boolean {
  const stated = parts.map((part) => part.keywords['additionalProperties']);
  if (stated.some((each) => typeof each === 'object')) return true;
  return min > fields.length || (stated.includes(true) && fields.length === 0);
}

function nameNode(parts: readonly SchemaPart[], state: PathState, compiler: NodeCompiler): SchemaNode | undefined {
  const stated = parts.filter((part) => part.keywords['propertyNames'] !== undefined);
  if (stated.length === 0) return undefined;
  const list = stated.map((part) => {
    const place = below(part.place, 'propertyNames');
    const located = locate(part.keywords['propertyNames'], place, 'propertyNames');
    // A name is always a string, so the type need not be stated there.
    return typeof located.schema === 'object' &&
      located.schema['$ref'] === undefined &&
      located.schema['type'] === undefined
      ? { schema: { type: 'string', ...located.schema }, place }
      : located;
  });
  const node = compiler.node(list, compiler.below(state.slice(0, 0), undefined));
  if (node === undefined) {
    throw new SchemaError(
      (stated[0] as SchemaPart).place,
      'propertyNames',
      'no name is allowed',
      'Use maxProperties: 0',
    );
  }
  return node;
}
