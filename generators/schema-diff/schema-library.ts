import { isJsonObject, isJsonContainer } from '../../specs/json-object.ts';
import { parsePointer } from '../../specs/json-pointer.ts';

/** A schema as read from JSON; unknown keywords are kept. */
export type LooseSchema = boolean | { readonly [keyword: string]: unknown };

/** A schema and the address against which references inside it are resolved. */
export interface PlacedSchema {
  readonly schema: LooseSchema;
  readonly base: string;
}

/** One of the two compared versions. */
export type DocumentVersion = 'older' | 'newer';

/** An unresolvable reference, or a place that contains no schema. */
export class SchemaLibraryError extends Error {
  readonly version: DocumentVersion | undefined;
  /** Whether a whole document is missing, not only a place in it. */
  readonly missesDocument: boolean;

  constructor(message: string, version?: DocumentVersion, missesDocument = false) {
    super(message);
    this.version = version;
    this.missesDocument = missesDocument;
  }
}

const nowhere = 'file:///';

/** The schemas of one version: resolves `$ref` by `$id` or by the address of a file. */
export class SchemaLibrary {
  /** Shown with errors, so that users find the document. */
  readonly version: DocumentVersion | undefined;
  private readonly roots = new Map<string, unknown>();

  constructor(version?: DocumentVersion) {
    this.version = version;
  }

  /** @param address of a document, which its `$id` finds as well */
  add(document: unknown, address: string): PlacedSchema {
    const id = isJsonObject(document) && typeof document['$id'] === 'string' ? document['$id'] : undefined;
    const base = withoutFragment(id ?? address);
    this.roots.set(base, document);
    return { schema: document as LooseSchema, base };
  }

  /** @throws SchemaLibraryError when there is nothing at that place */
  resolve(reference: string, base: string): PlacedSchema {
    const from = URL.canParse(base) ? base : nowhere + base;
    if (!URL.canParse(reference, from))
      throw new SchemaLibraryError(`The reference ${reference} is not an address.`, this.version);
    const target = new URL(reference, from);
    const address = withoutFragment(target.href);
    const named = URL.canParse(base) ? address : address.slice(nowhere.length);
    const root = this.roots.get(named) ?? this.roots.get(address);
    let found: unknown = root;
    for (const step of parsePointer(decodeURIComponent(target.hash.slice(1)))) {
      found = isJsonContainer(found) ? found[step] : undefined;
    }
    const where = `${reference}, seen from ${base}`;
    if (!isSchema(found)) throw new SchemaLibraryError(noSchema(found, where), this.version, root === undefined);
    return { schema: found, base: this.roots.has(named) ? named : address };
  }
}

/** The value as a schema. @throws SchemaLibraryError if it is not a schema */
export function schemaAt(value: unknown, where: string): LooseSchema {
  if (isSchema(value)) return value;
  throw new SchemaLibraryError(noSchema(value, where));
}

function isSchema(value: unknown): value is LooseSchema {
  return typeof value === 'boolean' || isJsonObject(value);
}

function noSchema(value: unknown, where: string): string {
  const received = value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing').slice(0, 80);
  return `Expected a schema at ${where}, received ${received}.`;
}

function withoutFragment(address: string): string {
  const [before = ''] = address.split('#', 1);
  return before;
}
