import type fc from 'fast-check';
import { hasField, putField, withField, withoutFields } from './json-values.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { areDisjoint, mix, oneIn, permuted, pick, SchemaNode, smallCount, type NodeSettings } from './schema-node.ts';
import { shrinkParts, type PartsContext } from './shrink-parts.ts';
import { AWKWARD_NAMES } from './text-edges.ts';
import type { JsonObject } from '../specs/json-value.ts';

export interface Field {
  readonly name: string;
  readonly node: SchemaNode;
  readonly required: boolean;
}

export interface ObjectRules {
  readonly fields: readonly Field[];
  /** Forbidden fields, declared with the schema `false`. */
  readonly forbidden: ReadonlySet<string>;
  /** Schema of all other fields; undefined: other fields are forbidden. */
  readonly others: SchemaNode | undefined;
  /** Whether other fields are generated: in maps, but not in open objects (see withUnknownFields). */
  readonly map: boolean;
  readonly names: SchemaNode | undefined;
  readonly min: number;
  readonly max: number;
}

/** `object`. Fields come in the order of the schema. */
export class ObjectNode extends SchemaNode {
  readonly rules: ObjectRules;
  private readonly settings: NodeSettings;
  private readonly byName: ReadonlyMap<string, Field>;
  private readonly mapNames: readonly string[];

  constructor(rules: ObjectRules, settings: NodeSettings) {
    super();
    this.rules = rules;
    this.settings = settings;
    this.byName = new Map(rules.fields.map((field) => [field.name, field]));
    const names = rules.names;
    const listed = [...AWKWARD_NAMES, ...(settings.prototypeNames ? ['__proto__'] : []), ...edgesOf(names)];
    this.mapNames = [...new Set(listed)].filter((name) => this.nameFree(name));
  }
  private nameFree(name: unknown): name is string {
    if (typeof name !== 'string' || this.byName.has(name) || this.rules.forbidden.has(name)) return false;
    return this.rules.names?.accepts(name) ?? true;
  }
  measure(): number {
    const needed = this.rules.fields.filter((field) => field.required).map((field) => field.node.height);
    const extra = this.rules.min > needed.length && this.rules.others !== undefined ? [this.rules.others.height] : [];
    return 1 + Math.max(0, ...needed, ...extra);
  }
  make(rng: fc.Random, depth: number): JsonObject {
    const { fields, min, max, map, others } = this.rules;
    const mode = rng.nextInt(0, 7);
    const value: JsonObject = {};
    let count = 0;
    for (const field of fields) {
      const wanted = field.required || mode === 0 || (mode !== 1 && !oneIn(rng, 3));
      if (!wanted) continue;
      putField(value, field.name, field.node.make(rng, depth));
      count++;
    }
    if (map && others !== undefined) {
      const room = Math.min(max - count, this.settings.itemBound);
      const wanted = room > 0 ? smallCount(rng, Math.max(0, min - count), Math.max(room, min - count)) : 0;
      for (let tries = 0; tries < wanted * 3 && count < max && tries < wanted + 20; tries++) {
        if (tries >= wanted && count >= min) break;
        const name = this.someName(rng);
        if (hasField(value, name)) continue;
        putField(value, name, others.make(rng, depth));
        count++;
      }
    }
    return count < min || count > max ? this.fitCount(value) : value;
  }
  private someName(rng: fc.Random): string {
    if (this.settings.edges === 'often' && oneIn(rng, 3)) return pick(rng, this.mapNames);
    for (let attempt = 0; attempt < 10; attempt++) {
      const name = this.rules.names?.make(rng, 0) ?? `${pick(rng, ['key', 'ref', 'x', 'order'])}${rng.nextInt(0, 99)}`;
      if (this.nameFree(name)) return name;
    }
    return pick(rng, this.mapNames);
  }
  /** The object with fields added or removed until their number is within the bounds. */
  private fitCount(value: JsonObject): JsonObject {
    const { fields, min, max, others } = this.rules;
    const fitted = { ...value };
    for (const field of fields) {
      const count = Object.keys(fitted).length;
      if (count < min && !hasField(fitted, field.name)) putField(fitted, field.name, field.node.simplest());
      if (count > max && !field.required) delete fitted[field.name];
    }
    const spare = [
      ...this.mapNames,
      ...Array.from({ length: min }, (_, n) => `key${n}`).filter((n) => this.nameFree(n)),
    ];
    for (const name of spare) {
      if (Object.keys(fitted).length >= min || others === undefined) break;
      if (!hasField(fitted, name)) putField(fitted, name, others.simplest());
    }
    return fitted;
  }
  accepts(value: unknown): boolean {
    if (!isJsonObject(value)) return false;
    const names = Object.keys(value);
    if (names.length < this.rules.min || names.length > this.rules.max) return false;
    for (const field of this.rules.fields) {
      if (!hasField(value, field.name)) {
        if (field.required) return false;
      } else if (!field.node.accepts(value[field.name])) return false;
    }
    return names.every((name) => {
      if (this.rules.forbidden.has(name) || this.rules.names?.accepts(name) === false) return false;
      return this.byName.has(name) || (this.rules.others?.accepts(value[name]) ?? false);
    });
  }
  /** Also if a field that both require has no value in common. */
  override isDisjointFrom(other: SchemaNode): boolean {
    if (!(other instanceof ObjectNode)) return false;
    return this.rules.fields.some(({ name, required, node }) => {
      const theirs = other.byName.get(name);
      return required && theirs?.required === true && areDisjoint(node, theirs.node);
    });
  }
  simplest(): JsonObject {
    const value: JsonObject = {};
    for (const field of this.rules.fields) {
      if (field.required) putField(value, field.name, field.node.simplest());
    }
    return this.fitCount(value);
  }
  /** This object as far as it matches, otherwise simplest: tried when shrinking moves to another branch. */
  override adapt(value: unknown): unknown {
    if (!isJsonObject(value) || this.accepts(value)) return super.adapt(value);
    const adapted: JsonObject = {};
    for (const { name, node, required } of this.rules.fields) {
      if (hasField(value, name)) putField(adapted, name, node.adapt(value[name]));
      else if (required) putField(adapted, name, node.simplest());
    }
    return this.fitCount(adapted);
  }
  breadth(depth: number): number {
    const each = this.rules.fields.map((field) => field.node.breadth(depth) + (field.required ? 0 : 1));
    return Math.max(1, ...each, this.rules.map ? this.mapBreadth(depth) : 1);
  }
  private mapBreadth(depth: number): number {
    return 2 + Math.max(this.mapNames.length, this.rules.others?.breadth(depth) ?? 0);
  }
  edge(index: number, depth: number, salt: number): JsonObject {
    const value: JsonObject = {};
    for (const { name, node, required } of this.rules.fields) {
      const inside = mix(salt, name);
      const size = node.breadth(depth);
      const at = permuted(index, required ? size : size + 1, inside);
      if (at < size) putField(value, name, node.edge(at, depth, inside));
    }
    if (this.rules.map) this.putMapEdge(value, index, depth, salt);
    const count = Object.keys(value).length;
    return count < this.rules.min || count > this.rules.max ? this.fitCount(value) : value;
  }
  private putMapEdge(value: JsonObject, index: number, depth: number, salt: number): void {
    const others = this.rules.others as SchemaNode;
    const at = permuted(index, this.mapBreadth(depth), salt);
    if (at === 0 || this.mapNames.length === 0) return;
    const room = Math.min(this.rules.max - Object.keys(value).length, this.settings.itemBound, this.mapNames.length);
    const size = others.breadth(depth);
    for (let entry = 0; entry < Math.min(room, at === 1 ? room : 1); entry++) {
      const name = this.mapNames[(at - 2 + entry + this.mapNames.length) % this.mapNames.length] as string;
      putField(value, name, others.edge((at - 2 + entry + size) % size, depth, salt));
    }
  }
  *smaller(value: unknown, context: unknown): Generator<fc.Value<unknown>> {
    const object = value as JsonObject;
    const names = Object.keys(object);
    const removable = names.filter((name) => this.byName.get(name)?.required !== true);
    yield* shrinkParts<string>(
      {
        least: this.simplest(),
        removable,
        most: names.length - this.rules.min,
        without: (gone, inner) => ({ value: withoutFields(object, new Set(gone)), inner }),
        keys: names,
        shrinkAt: (name, inner) => {
          const node = this.byName.get(name)?.node ?? this.rules.others;
          if (!node) throw new TypeError(`No rule for the field ${name}.`);
          return node.smaller(object[name], inner);
        },
        replace: (name, part) => withField(object, name, part),
        accepts: () => true,
      },
      context as PartsContext<string> | undefined,
    );
  }
}

function edgesOf(node: SchemaNode | undefined): unknown[] {
  if (node === undefined) return [];
  return Array.from({ length: node.breadth(0) }, (_, index) => node.edge(index, 0, 0));
}
