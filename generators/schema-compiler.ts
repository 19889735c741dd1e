import type fc from 'fast-check';
import { ContradictionError, SchemaError, type SchemaPlace } from './schema-error.ts';
import { commonType, jsonTypes, type JsonTypeName } from './json-type.ts';
import { sameJson } from './json-values.ts';
import type { NodeCompiler } from './node-compiler.ts';
import { AnyNode, ListNode } from './scalar-nodes.ts';
import { arrayNode, numberNode, stringNode } from './simple-types.ts';
import { ObjectNode } from './object-node.ts';
import { objectRules } from './object-rules.ts';
import { OverrideNode, RecursiveNode, UnionNode } from './union-node.ts';
import { OverridePaths, type PathState } from './override-paths.ts';
import type { NodeSettings, SchemaNode } from './schema-node.ts';
import {
  below,
  KEYWORD_TYPES,
  locate,
  NO_ID,
  openParts,
  SchemaFiles,
  type AnySchema,
  type Located,
  type SchemaPart,
} from './schema-parts.ts';

/** Turns schemas into nodes. One compiler serves one `fromSchema`. */
export class SchemaCompiler implements NodeCompiler {
  readonly settings: NodeSettings;
  private readonly files: SchemaFiles;
  private readonly overrides: OverridePaths;
  private readonly root: Located;
  private readonly nodes: SchemaNode[] = [];
  private readonly memo = new Map<string, SchemaNode | 'under way'>();

  constructor(
    schema: AnySchema,
    refs: Iterable<AnySchema>,
    overrides: Readonly<Record<string, fc.Arbitrary<unknown>>>,
    settings: NodeSettings,
  ) {
    const id = typeof schema === 'object' && typeof schema['$id'] === 'string' ? schema['$id'] : NO_ID;
    this.root = { schema, place: { id, pointer: '' } };
    this.files = new SchemaFiles(schema, refs);
    this.overrides = new OverridePaths(overrides);
    this.settings = settings;
  }

  compile(): SchemaNode {
    const { place } = this.root;
    const root = this.node([this.root], this.overrides.start());
    if (root === undefined) throw new SchemaError(place, 'false', 'no value is allowed', 'Allow some value');
    for (let changed = true; changed;) {
      changed = false;
      for (const node of this.nodes) {
        const height = node.measure();
        if (height < node.height) {
          node.height = height;
          changed = true;
        }
      }
    }
    if (!Number.isFinite(root.height)) {
      throw new SchemaError(
        place,
        '$ref',
        'every value would be infinite',
        'Make the recursive field optional, or its list empty',
      );
    }
    this.checkUnions();
    for (const { text } of this.overrides.patterns) {
      if (!this.overrides.used.has(text)) {
        throw new SchemaError(
          place,
          'overrides',
          `the pattern ${text} matches no place of this schema`,
          'Correct it; items are `*`, any depth is `**`',
        );
      }
    }
    return root;
  }
  private readonly unions: { node: UnionNode; place: SchemaPlace; keyword: string }[] = [];
  private checkUnions(): void {
    for (const { node, place, keyword } of this.unions) {
      for (const branch of node.branches) {
        if (!Number.isFinite(branch.height)) {
          throw new SchemaError(
            place,
            keyword,
            'every value of a branch would be infinite',
            'Make its recursive field optional',
          );
        }
        if (!node.exclusive) continue;
        try {
          node.representative(branch);
        } catch (cause) {
          if (!(cause instanceof RangeError)) throw cause;
          throw new SchemaError(
            place,
            keyword,
            cause.message,
            'Distinguish the branches by a const or a required field, or use anyOf',
          );
        }
      }
    }
  }

  node(list: readonly Located[], state: PathState): SchemaNode | undefined {
    const key = `${list.map(({ place }) => `${place.id}#${place.pointer}`).join(' & ')} @ ${JSON.stringify(state)}`;
    const known = this.memo.get(key);
    if (known === 'under way')
      return this.add(new RecursiveNode(() => this.memo.get(key) as SchemaNode, this.settings));
    if (known !== undefined) return known;
    this.memo.set(key, 'under way');
    const place = (list[0] as Located).place;
    let node: SchemaNode | undefined;
    try {
      const parts = openParts(list, this.files);
      node = parts === undefined ? undefined : this.fromParts(parts, place, state);
    } catch (error) {
      this.memo.delete(key);
      throw error;
    }
    const override = this.overrides.match(state);
    if (node !== undefined && override !== undefined) {
      node = this.add(
        new OverrideNode(override.arbitrary, node, (value) => {
          const text = JSON.stringify(value)?.slice(0, 200);
          throw new SchemaError(
            place,
            'overrides',
            `${override.text} made ${text}, which the schema does not allow`,
            'Change the arbitrary',
          );
        }),
      );
    }
    if (node === undefined) this.memo.delete(key);
    else this.memo.set(key, node);
    return node;
  }

  add<N extends SchemaNode>(node: N): N {
    this.nodes.push(node);
    return node;
  }
  /** State of the overrides one level deeper. */
  below(state: PathState, name: string | undefined): PathState {
    return this.overrides.into(state, name);
  }

  private fromParts(parts: readonly SchemaPart[], place: SchemaPlace, state: PathState): SchemaNode {
    for (const part of parts) {
      for (const keyword of ['oneOf', 'anyOf'] as const) {
        if (part.keywords[keyword] !== undefined) return this.union(parts, part, keyword, state);
      }
    }
    const types = this.types(parts);
    const listed = this.listed(parts, types, place, state);
    if (listed !== undefined) return listed;
    if (types === undefined) return this.add(new AnyNode());
    const branches = types.map((type) => this.ofType(type, parts, place, state));
    if (branches.length === 1) return branches[0] as SchemaNode;
    return this.add(new UnionNode(branches, false));
  }

  private union(
    parts: readonly SchemaPart[],
    part: SchemaPart,
    keyword: 'oneOf' | 'anyOf',
    state: PathState,
  ): SchemaNode {
    const list = part.keywords[keyword];
    if (!Array.isArray(list) || list.length === 0) {
      throw new SchemaError(
        part.place,
        keyword,
        'expected a list with at least one schema',
        'Add a schema or drop the keyword',
      );
    }
    const { [keyword]: _taken, ...rest } = part.keywords;
    const base = parts
      .map((each) => (each === part ? { ...part, keywords: rest } : each))
      .filter((each) => Object.keys(each.keywords).length > 0);
    const branches = list.flatMap((branch: unknown, index) => {
      const place = below(part.place, keyword, index);
      const located = locate(branch, place, keyword);
      if (base.length === 0) return this.node([located], state) ?? [];
      const opened = openParts([located], this.files);
      return opened === undefined
        ? []
        : (this.combined([...base, ...opened], place, state, base.some(hasBranches)) ?? []);
    });
    if (branches.length === 0)
      throw new ContradictionError(part.place, keyword, 'no branch allows a value', 'Add a branch that does');
    const node = this.add(new UnionNode(branches, keyword === 'oneOf' && branches.length > 1));
    this.unions.push({ node, place: part.place, keyword });
    return node;
  }

  /** Number of lists of branches that are being combined with others. */
  private crossing = 0;
  /** Combines two lists of branches; contradictory combinations are omitted. */
  private combined(
    parts: readonly SchemaPart[],
    place: SchemaPlace,
    state: PathState,
    crosses: boolean,
  ): SchemaNode | undefined {
    const inside = this.crossing > 0;
    if (crosses) this.crossing++;
    try {
      return this.fromParts(parts, place, state);
    } catch (error) {
      if (inside && error instanceof ContradictionError) return undefined;
      throw error;
    } finally {
      if (crosses) this.crossing--;
    }
  }

  /** The types that all parts allow, checked against the keywords; undefined when no part states one. */
  private types(parts: readonly SchemaPart[]): readonly JsonTypeName[] | undefined {
    let types: JsonTypeName[] | undefined;
    for (const part of parts) {
      const stated = part.keywords['type'];
      if (stated === undefined) continue;
      const names = (Array.isArray(stated) ? stated : [stated]) as JsonTypeName[];
      const unknown = names.find((name) => !jsonTypes.includes(name));
      if (names.length === 0 || unknown !== undefined) {
        throw new SchemaError(
          part.place,
          'type',
          `expected type names, received ${JSON.stringify(stated)}`,
          `Use ${jsonTypes.join(', ')}`,
        );
      }
      const merged: JsonTypeName[] | undefined = types?.flatMap((type) => commonType(type, names));
      if (merged?.length === 0) {
        throw new ContradictionError(
          part.place,
          'type',
          `${names.join(' or ')} contradicts ${types?.join(' or ')} stated with it`,
          'Make the types agree',
        );
      }
      types = merged ?? [...new Set(names)];
    }
    for (const part of parts) {
      for (const keyword of Object.keys(part.keywords)) {
        const belongs = KEYWORD_TYPES[keyword];
        if (belongs === undefined) continue;
        const listed = parts.some(
          (each) => each.keywords['const'] !== undefined || each.keywords['enum'] !== undefined,
        );
        if (types === undefined && !listed) {
          throw new SchemaError(part.place, keyword, 'the type is not stated', `Add "type": "${belongs}"`);
        }
        if (
          types !== undefined &&
          !types.some((type) => type === belongs || (belongs === 'number' && type === 'integer'))
        ) {
          throw new SchemaError(
            part.place,
            keyword,
            `does not apply to type ${types.join(' or ')}`,
            'Remove it, or correct the type',
          );
        }
        if (types === undefined)
          throw new SchemaError(
            part.place,
            keyword,
            'needs a type when it is combined with const or enum',
            `Add "type": "${belongs}"`,
          );
      }
    }
    return types;
  }

  private listed(
    parts: readonly SchemaPart[],
    types: readonly JsonTypeName[] | undefined,
    place: SchemaPlace,
    state: PathState,
  ): SchemaNode | undefined {
    let values: readonly unknown[] | undefined;
    const others: SchemaPart[] = [];
    for (const part of parts) {
      const { const: single, enum: list, ...rest } = part.keywords;
      if (Object.keys(rest).length > 0) others.push({ ...part, keywords: rest });
      if (list !== undefined && (!Array.isArray(list) || list.length === 0)) {
        throw new SchemaError(part.place, 'enum', 'expected a list with at least one value', 'Add the allowed values');
      }
      for (const allowed of [
        list as unknown[] | undefined,
        Object.hasOwn(part.keywords, 'const') ? [single] : undefined,
      ]) {
        if (allowed === undefined) continue;
        values = (values ?? allowed).filter((value) => allowed.some((each) => sameJson(each, value)));
        if (values.length === 0) {
          throw new ContradictionError(
            part.place,
            list === undefined ? 'const' : 'enum',
            'no value remains that its sibling keywords also allow',
            'Make the lists agree',
          );
        }
      }
    }
    if (values === undefined) return undefined;
    if (types !== undefined) {
      const nodes = types.map((type) => this.ofType(type, others, place, state));
      const kept = values.filter((value) => nodes.some((node) => node.accepts(value)));
      const lost = values.find((value) => !kept.includes(value));
      if (parts.length === 1 && lost !== undefined) {
        throw new SchemaError(
          place,
          'enum',
          `${JSON.stringify(lost)} violates the other keywords`,
          'Remove the value or correct the keyword',
        );
      }
      values = kept;
    }
    if (values.length === 0)
      throw new ContradictionError(place, 'enum', 'no value meets the other keywords', 'Make them agree');
    return this.add(new ListNode(values));
  }

  private ofType(type: JsonTypeName, parts: readonly SchemaPart[], place: SchemaPlace, state: PathState): SchemaNode {
    if (type === 'null') return this.add(new ListNode([null]));
    if (type === 'boolean') return this.add(new ListNode([false, true]));
    if (type === 'integer' || type === 'number') return this.add(numberNode(type, parts, place, this.settings));
    if (type === 'string') return this.add(stringNode(parts, place, this.settings));
    if (type === 'array') return this.add(arrayNode(parts, place, state, this));
    return this.add(new ObjectNode(objectRules(parts, place, state, this), this.settings));
  }
}

function hasBranches(part: SchemaPart): boolean {
  return part.keywords['oneOf'] !== undefined || part.keywords['anyOf'] !== undefined;
}
