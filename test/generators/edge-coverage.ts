import { formatKinds } from '../../generators/format-kinds.ts';
import { AWKWARD_STRINGS } from '../../generators/text-edges.ts';
import { resolveRef } from '../../specs/schemas.ts';
import type { JsonSchema } from '../../specs/schemas.ts';

type Holds = (schema: JsonSchema, base: string, value: unknown) => boolean;

/**
 * The edges that a schema requires, and those that some values reach. Derived from the schema itself, independent of
 * the nodes of the generators. The name of an edge is its place in the schema and the expected value there.
 */
export class EdgeCoverage {
  readonly wanted = new Set<string>();
  readonly seen = new Set<string>();
  private readonly holds: Holds;
  private readonly visited = new Map<string, Set<JsonSchema>>();

  constructor(holds: Holds) {
    this.holds = holds;
  }
  get missed(): string[] {
    return [...this.wanted].filter((edge) => !this.seen.has(edge));
  }

  /** Records the required edges of a schema. */
  want(schema: JsonSchema, base: string, at: string): void {
    const here = this.visited.get(at) ?? new Set();
    if (here.has(schema)) return;
    this.visited.set(at, here.add(schema));
    if (schema.$ref !== undefined) {
      const target = resolveRef(schema.$ref, base);
      this.want(target.schema, target.base, at);
      return;
    }
    for (const each of schema.allOf ?? []) this.want(each, base, `${at}`);
    (schema.oneOf ?? []).forEach((branch, index) => {
      this.wanted.add(`${at} branch ${index}`);
      this.want(branch, base, `${at}|${index}`);
    });
    for (const value of schema.enum ?? []) this.wanted.add(`${at} = ${JSON.stringify(value)}`);
    const types = schema.type === undefined ? [] : Array.isArray(schema.type) ? schema.type : [schema.type];
    for (const type of types) this.wanted.add(`${at} is ${type}`);
    if (types.includes('boolean')) for (const value of [true, false]) this.wanted.add(`${at} = ${value}`);
    if (types.includes('integer')) {
      this.wanted.add(`${at} least ${schema.minimum ?? Number.MIN_SAFE_INTEGER}`);
      this.wanted.add(`${at} greatest ${schema.maximum ?? Number.MAX_SAFE_INTEGER}`);
    }
    if (types.includes('string') && schema.enum === undefined) this.wantText(schema, at);
    if (schema.items !== undefined) {
      this.wanted.add(`${at} has ${schema.minItems ?? 0} items`);
      if (schema.maxItems !== undefined) this.wanted.add(`${at} has ${schema.maxItems} items`);
      if (schema.maxItems !== 0) this.want(schema.items, base, `${at}/*`);
    }
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (field === false) continue;
      if (!(schema.required ?? []).includes(name)) this.wanted.add(`${at}/${name} missing`);
      this.wanted.add(`${at}/${name} present`);
      this.want(field, base, `${at}/${name}`);
    }
    if (typeof schema.additionalProperties === 'object') {
      this.wanted.add(`${at} empty`);
      for (const name of ['a.b', '', 'constructor']) this.wanted.add(`${at} name ${name}`);
      this.want(schema.additionalProperties, base, `${at}/{}`);
    }
  }
  private wantText(schema: JsonSchema, at: string): void {
    if (schema.format !== undefined) {
      for (const edge of formatKinds[schema.format]?.edges ?? []) this.wanted.add(`${at} = ${JSON.stringify(edge)}`);
    } else if (schema.pattern === undefined) {
      const [min, max] = [schema.minLength ?? 0, schema.maxLength ?? 200];
      this.wanted.add(`${at} ${min} long`);
      this.wanted.add(`${at} ${max} long`);
      this.wanted.add(`${at} ${max} long and astral`);
      for (const [name, text] of Object.entries(AWKWARD_STRINGS)) {
        const length = [...text].length;
        if (length <= max && length >= min) this.wanted.add(`${at} ${name}`);
      }
    }
  }

  /** Records the edges that a value reaches. */
  see(schema: JsonSchema, base: string, at: string, value: unknown): void {
    if (schema.$ref !== undefined) {
      const target = resolveRef(schema.$ref, base);
      this.see(target.schema, target.base, at, value);
      return;
    }
    for (const each of schema.allOf ?? []) this.see(each, base, at, value);
    (schema.oneOf ?? []).forEach((branch, index) => {
      if (!this.holds(branch, base, value)) return;
      this.seen.add(`${at} branch ${index}`);
      this.see(branch, base, `${at}|${index}`, value);
    });
    this.seen.add(`${at} = ${JSON.stringify(value)}`);
    this.seen.add(
      `${at} is ${Number.isInteger(value) ? 'integer' : value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value}`,
    );
    if (typeof value === 'number') {
      this.seen.add(`${at} is number`);
      this.seen.add(`${at} least ${value}`);
      this.seen.add(`${at} greatest ${value}`);
    } else if (typeof value === 'string') {
      const length = [...value].length;
      this.seen.add(`${at} ${length} long`);
      if (length > 0 && value.length === 2 * length) this.seen.add(`${at} ${length} long and astral`);
      for (const [name, text] of Object.entries(AWKWARD_STRINGS)) if (value === text) this.seen.add(`${at} ${name}`);
    } else if (Array.isArray(value)) {
      this.seen.add(`${at} has ${value.length} items`);
      for (const item of value) if (schema.items !== undefined) this.see(schema.items, base, `${at}/*`, item);
    } else if (typeof value === 'object' && value !== null) {
      this.seeObject(schema, base, at, value as Record<string, unknown>);
    }
  }
  private seeObject(schema: JsonSchema, base: string, at: string, value: Record<string, unknown>): void {
    if (Object.keys(value).length === 0) this.seen.add(`${at} empty`);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (field === false) continue;
      this.seen.add(`${at}/${name} ${Object.hasOwn(value, name) ? 'present' : 'missing'}`);
      if (Object.hasOwn(value, name)) this.see(field, base, `${at}/${name}`, value[name]);
    }
    if (typeof schema.additionalProperties !== 'object') return;
    for (const [name, field] of Object.entries(value)) {
      this.seen.add(`${at} name ${name}`);
      this.see(schema.additionalProperties, base, `${at}/{}`, field);
    }
  }
}
