import { pointerSegment } from '../../specs/json-pointer.ts';
import { alternativesOf, anything, acceptsNothing } from './alternatives.ts';
import type { Alternative } from './alternatives.ts';
import { compareScalars } from './compare-scalars.ts';
import type { SchemaChange, Tolerance } from './schema-change.ts';
import type { PlacedSchema, SchemaLibrary } from './schema-library.ts';

/** Both versions of one place: schemas that must all match, with the libraries that resolve their references. */
export interface SchemaPair {
  readonly older: readonly PlacedSchema[];
  readonly newer: readonly PlacedSchema[];
  readonly olderLibrary: SchemaLibrary;
  readonly newerLibrary: SchemaLibrary;
}

/**
 * Every difference between two versions of a schema, by place, and whether it refuses values that were accepted
 * (`narrows`) or accepts values that were refused (`widens`). Empty: both accept the same values, judged by structure.
 * Undeclared fields count only where an object is closed or has a schema for them.
 *
 * If structure does not show the direction, as for a changed pattern or format, a change is both.
 *
 * @throws SchemaLibraryError for an unresolvable reference
 */
export function compareSchemas(pair: SchemaPair): SchemaChange[] {
  const found = new SchemaComparison(pair.olderLibrary, pair.newerLibrary).compare(pair.older, pair.newer, '');
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
}

class SchemaComparison {
  private readonly olderLibrary: SchemaLibrary;
  private readonly newerLibrary: SchemaLibrary;
  /** Pairs on the current path: a recursive schema is compared once. */
  private readonly open = new Set<string>();
  private readonly names = new Map<unknown, number>();

  constructor(olderLibrary: SchemaLibrary, newerLibrary: SchemaLibrary) {
    this.olderLibrary = olderLibrary;
    this.newerLibrary = newerLibrary;
  }

  compare(older: readonly PlacedSchema[], newer: readonly PlacedSchema[], pointer: string): SchemaChange[] {
    const key = `${this.nameOf(older)}:${this.nameOf(newer)}`;
    if (this.open.has(key)) return [];
    this.open.add(key);
    const was = alternativesOf(older, this.olderLibrary);
    const is = alternativesOf(newer, this.newerLibrary);
    const found = this.compareChoices(was, is, pointer);
    this.open.delete(key);
    return found;
  }
  private nameOf(schemas: readonly PlacedSchema[]): string {
    return schemas
      .map(({ schema }) => {
        if (!this.names.has(schema)) this.names.set(schema, this.names.size);
        return this.names.get(schema);
      })
      .join('+');
  }

  /** Matches the alternatives of both versions by name or place, and compares each pair. */
  private compareChoices(
    older: readonly Alternative[],
    newer: readonly Alternative[],
    pointer: string,
  ): SchemaChange[] {
    if (older.length === 1 && newer.length === 1) return this.compareOne(older[0] as Alternative, newer[0] as Alternative, pointer); // prettier-ignore
    const pairs: (readonly [Alternative, Alternative])[] = [];
    const gone = new Set(older);
    const come = new Set(newer);
    const pairUp = (match: (was: Alternative, is: Alternative) => boolean): void => {
      for (const was of gone) {
        const is = [...come].find((each) => match(was, each));
        if (is === undefined) continue;
        pairs.push([was, is]);
        gone.delete(was);
        come.delete(is);
      }
    };
    const unique = (list: readonly Alternative[], label: string) => list.filter((each) => each.label === label).length === 1; // prettier-ignore
    pairUp((was, is) => was.label === is.label && unique(older, was.label) && unique(newer, is.label));
    pairUp((was, is) => this.compareOne(was, is, pointer).length === 0);
    if (gone.size === come.size) pairUp(() => true);
    return [
      ...pairs.flatMap(([was, is]) => this.compareOne(was, is, pointer)),
      ...[...gone].flatMap((each) => this.branchRemoved(each, newer, pointer)),
      ...[...come].flatMap((each) => this.branchAdded(each, older, pointer)),
    ];
  }

  /** A removed branch breaks nothing if another branch accepts all of its values. */
  private branchRemoved(was: Alternative, newer: readonly Alternative[], pointer: string): SchemaChange[] {
    const covered = newer.some((is) => !this.compareOne(was, is, pointer).some(({ narrows }) => narrows));
    const text = `no longer ${branchName(was)}`;
    return [{ pointer, rule: 'branch-removed', text, narrows: !covered, widens: false }];
  }
  private branchAdded(is: Alternative, older: readonly Alternative[], pointer: string): SchemaChange[] {
    const each = older.map((was) => this.compareOne(was, is, pointer).filter(({ widens }) => widens));
    const covered = each.some((wider) => wider.length === 0);
    const tolerable = each.find((wider) => wider.every(({ tolerated }) => tolerated !== undefined));
    const tolerated: Tolerance | undefined = covered ? undefined : tolerable?.[0]?.tolerated;
    const text = `now also ${branchName(is)}`;
    return [{ pointer, rule: 'branch-added', text, narrows: false, widens: !covered, ...(tolerated && { tolerated }) }];
  }

  private compareOne(older: Alternative, newer: Alternative, pointer: string): SchemaChange[] {
    const found = compareScalars(older, newer, pointer);
    const both = (kind: 'array' | 'object') => older.kinds.has(kind) && newer.kinds.has(kind);
    const listed = older.values !== undefined || newer.values !== undefined;
    if (both('array') && !listed && older.limits.maxItems !== 0 && newer.limits.maxItems !== 0) {
      found.push(...this.compare(orAnything(older.items), orAnything(newer.items), `${pointer}/*`));
    }
    if (both('object') && !listed) found.push(...this.compareFields(older, newer, pointer));
    for (const keyword of new Set([...Object.keys(older.rest), ...Object.keys(newer.rest)])) {
      const [was, is] = [older.rest[keyword], newer.rest[keyword]];
      if (was === is) continue;
      const text = `${keyword} was ${was ?? 'absent'}, is ${is ?? 'absent'}`;
      found.push({ pointer, rule: 'keyword-changed', text, narrows: is !== undefined, widens: was !== undefined });
    }
    return found;
  }

  private compareFields(older: Alternative, newer: Alternative, pointer: string): SchemaChange[] {
    const found: SchemaChange[] = [];
    for (const name of new Set([...older.fields.keys(), ...newer.fields.keys()])) {
      const at = pointer + pointerSegment(name);
      const [was, is] = [declared(older, name), declared(newer, name)];
      if (was === undefined && is === undefined) continue;
      if (was === undefined) found.push(...this.fieldAdded(older, newer, name, at));
      else if (is === undefined) found.push(...this.fieldRemoved(older, newer, name, at));
      else {
        found.push(...presence(older.required.has(name), newer.required.has(name), at));
        found.push(...this.compare(was, is, at));
      }
    }
    const [was, is] = [orAnything(older.others), orAnything(newer.others)];
    const refused = [acceptsNothing(was), acceptsNothing(is)];
    if (refused[0] === refused[1]) return refused[0] === true ? found : [...found, ...this.compare(was, is, `${pointer}/*`)]; // prettier-ignore
    if (refused[1] === true) {
      const text = 'other fields are rejected now';
      return [...found, { pointer, rule: 'others-refused', text, narrows: true, widens: false }];
    }
    const text = 'other fields are accepted now';
    return [...found, { pointer, rule: 'others-taken', text, narrows: false, widens: true }];
  }

  private fieldAdded(older: Alternative, newer: Alternative, name: string, at: string): SchemaChange[] {
    const required = newer.required.has(name);
    const unknown = orAnything(older.fields.get(name) ?? older.others);
    const text = required ? 'a new required field' : 'a new optional field';
    const refused = acceptsNothing(unknown);
    const change: SchemaChange = { pointer: at, rule: 'field-added', text, narrows: required, widens: refused };
    if (refused || older.others.length === 0) return [change];
    // A map: in the older version, the schema of other fields applied to this one.
    return [change, ...this.compare(unknown, declared(newer, name) ?? [anything], at)];
  }

  private fieldRemoved(older: Alternative, newer: Alternative, name: string, at: string): SchemaChange[] {
    const unknown = orAnything(newer.fields.get(name) ?? newer.others);
    const refused = acceptsNothing(unknown);
    const widens = older.required.has(name);
    const gone = widens ? 'the field was removed' : 'the field is no longer known and is ignored';
    const text = refused ? 'the field is rejected now' : gone;
    const change: SchemaChange = { pointer: at, rule: 'field-removed', text, narrows: refused, widens };
    if (refused || newer.others.length === 0) return [change];
    return [change, ...this.compare(declared(older, name) ?? [anything], unknown, at)];
  }
}

/** Schema of a field in a version; `undefined` if there is none or the field is forbidden. */
function declared(alternative: Alternative, name: string): readonly PlacedSchema[] | undefined {
  const schemas = alternative.fields.get(name);
  return schemas === undefined || acceptsNothing(schemas) ? undefined : schemas;
}

function orAnything(schemas: readonly PlacedSchema[]): readonly PlacedSchema[] {
  return schemas.length === 0 ? [anything] : schemas;
}

function presence(was: boolean, is: boolean, pointer: string): SchemaChange[] {
  if (was === is) return [];
  return is
    ? [{ pointer, rule: 'field-required', text: 'is required now', narrows: true, widens: false }]
    : [{ pointer, rule: 'field-optional', text: 'is no longer required', narrows: false, widens: true }];
}

function branchName({ label, required }: Alternative): string {
  const named = label.split(' ').at(-1) ?? '';
  const by = [...required].slice(0, 3).join(', ');
  return named === '' ? (by === '' ? 'another form' : `the form with ${by}`) : `the form ${named}`;
}
