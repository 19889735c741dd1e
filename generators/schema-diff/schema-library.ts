import { isJsonObject, parsePointer } from '../json-values.ts';

/** A schema as read from JSON; keywords that are not known are kept. */
export type LooseSchema = boolean | { readonly [keyword: string]: unknown };

/** A schema and the address against which references inside it are resolved. */
export interface PlacedSchema {
  readonly schema: LooseSchema;
  readonly base: string;
}

/** A reference that leads nowhere, or a place where a schema was expected and something else stands. */
export class SchemaLibraryError extends Error {}

const nowhere = 'file:///';

/** One version's schemas: finds what `$ref` names, by `$id` or by the address that a file was put under. */
export class SchemaLibrary {
  private readonly roots = new Map<string, unknown>();

  /** @param address of a document; what it declares as `$id` finds it too */
  add(document: unknown, address: string): PlacedSchema {
    const id = isJsonObject(document) && typeof document['$id'] === 'string' ? document['$id'] : undefined;
    const base = withoutFragment(id ?? address);
    this.roots.set(base, document);
    return { schema: document as LooseSchema, base };
  }

  /** @throws SchemaLibraryError when nothing stands there */
  resolve(reference: string, base: string): PlacedSchema {
    const from = URL.canParse(base) ? base : nowhere + base;
    if (!URL.canParse(reference, from)) throw new SchemaLibraryError(`The reference ${reference} is no address.`);
    const target = new URL(reference, from);
    const address = withoutFragment(target.href);
    const named = URL.canParse(base) ? address : address.slice(nowhere.length);
    let found: unknown = this.roots.get(named) ?? this.roots.get(address);
    for (const step of parsePointer(decodeURIComponent(target.hash.slice(1)))) {
      found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[step] : undefined;
    }
    return {
      schema: schemaAt(found, `${reference}, seen from ${base}`),
      base: this.roots.has(named) ? named : address,
    };
  }
}

/** The value as a schema. @throws SchemaLibraryError when it is none */
export function schemaAt(value: unknown, where: string): LooseSchema {
  if (typeof value === 'boolean' || isJsonObject(value)) return value;
  const received = value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing').slice(0, 80);
  throw new SchemaLibraryError(`Expected a schema at ${where}, received ${received}.`);
}

function withoutFragment(address: string): string {
  const [before = ''] = address.split('#', 1);
  return before;
}
