import { messageDirections } from '../../specs/message-directions.ts';
import type { MessageDirection } from '../../specs/message-directions.ts';
import { schemas } from '../../specs/schemas.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { jsonTypes } from './alternatives.ts';
import { compareAsyncApi } from './compare-async-api.ts';
import { compareContracts } from './compare-contracts.ts';
import { compareOpenApi } from './compare-open-api.ts';
import { compareSchemas } from './compare-schemas.ts';
import { documentChange, judgeChanges } from './judge-changes.ts';
import type { DocumentChange } from './judge-changes.ts';
import { SchemaLibrary } from './schema-library.ts';
import type { DocumentVersion } from './schema-library.ts';
import type { JsonObject } from '../../specs/json-value.ts';

export type DocumentKind = 'JSON Schema' | 'OpenAPI' | 'AsyncAPI' | 'contract';

/** Parsed documents of one version, by file name. */
export type Documents = Readonly<Record<string, unknown>>;

/** Kind of a parsed document; `undefined` if it cannot be compared. */
export function documentKind(value: unknown): DocumentKind | undefined {
  if (!isJsonObject(value)) return undefined;
  if (typeof value['openapi'] === 'string') return 'OpenAPI';
  if (typeof value['asyncapi'] === 'string') return 'AsyncAPI';
  if (value['consumer'] !== undefined && value['provider'] !== undefined) return 'contract';
  const hints = ['$schema', '$id', '$ref', '$defs', 'oneOf', 'anyOf', 'allOf'];
  const types = [value['type']].flat();
  const typed = types.every((type) => jsonTypes.some((known) => known === type));
  return typed || hints.some((keyword) => keyword in value) ? 'JSON Schema' : undefined;
}

/** The direction of one of our schemas, by its file name or title. */
function directionOf(schema: JsonObject): MessageDirection | 'part' | undefined {
  const entry = Object.entries(schemas).find(
    ([, { $id, title }]) => schema['$id'] === $id || schema['title'] === title,
  );
  return entry && messageDirections[entry[0] as keyof typeof messageDirections];
}

/**
 * Every difference between two versions of a set of documents, file by file, for sender and reader. Other kinds of
 * documents than schema, OpenAPI, AsyncAPI and Pact are ignored.
 *
 * @param others documents of each version that are only referenced, not compared
 * @throws SchemaLibraryError for an unresolvable reference
 */
export function compareDocuments(older: Documents, newer: Documents, others: { older?: Documents; newer?: Documents } = {}): DocumentChange[] {
  const libraries = {
    olderLibrary: libraryOf('older', others.older ?? {}, older),
    newerLibrary: libraryOf('newer', others.newer ?? {}, newer),
  };
  const referred = new Set([...referredFiles(older), ...referredFiles(newer)]);
  const names = [...new Set([...Object.keys(older), ...Object.keys(newer)])].sort();
  return names.flatMap((name) => {
    const [was, is] = [older[name], newer[name]];
    const kinds = [documentKind(was), documentKind(is)];
    const place = { document: name, where: '' };
    if (kinds[0] === undefined && kinds[1] === undefined) return [];
    const known = directionOf((is ?? was) as JsonObject);
    const direction = known === 'part' ? undefined : known;
    if (kinds[0] === undefined) return [documentChange(place, 'document-added', 'is new', direction, {})];
    if (kinds[1] === undefined) {
      const breaks = { sender: kinds[0] !== 'contract' && known !== 'part' };
      return [documentChange(place, 'document-removed', 'was removed', direction, breaks)];
    }
    if (kinds[0] !== kinds[1]) {
      const text = `was a document of ${kinds[0]}, is one of ${kinds[1]}`;
      return [documentChange(place, 'document-removed', text, direction, { sender: true, reader: true })];
    }
    if (kinds[0] === 'OpenAPI') return compareOpenApi(was as JsonObject, is as JsonObject, name);
    if (kinds[0] === 'AsyncAPI') return compareAsyncApi(was as JsonObject, is as JsonObject, name);
    if (kinds[0] === 'contract') return compareContracts(was as JsonObject, is as JsonObject, name);
    // Schemas that only occur in messages are reported there, where the sender is known.
    if (direction === undefined && referred.has(name)) return [];
    const pair = { older: [placed(was as JsonObject, name)], newer: [placed(is as JsonObject, name)] };
    return judgeChanges(compareSchemas({ ...pair, ...libraries }), place, direction);
  });
} // prettier-ignore

function placed(schema: JsonObject, name: string): { schema: JsonObject; base: string } {
  return { schema, base: typeof schema['$id'] === 'string' ? schema['$id'] : name };
}

/** The compared file comes last: a sibling file, such as another version, may have the same `$id`. */
function libraryOf(version: DocumentVersion, others: Documents, documents: Documents): SchemaLibrary {
  const library = new SchemaLibrary(version);
  for (const [name, document] of [...Object.entries(others), ...Object.entries(documents)]) {
    if (documentKind(document) === 'JSON Schema') library.add(document, name);
  }
  return library;
}

/** File names that other files reference. */
function referredFiles(documents: Documents): Set<string> {
  const found = new Set<string>();
  for (const [name, document] of Object.entries(documents)) {
    if (documentKind(document) !== 'JSON Schema') continue;
    for (const [, file = ''] of JSON.stringify(document).matchAll(/"\$ref":"(?:[^"#]*\/)?([^"#/]+)(?:#[^"]*)?"/g)) {
      if (file !== name) found.add(file);
    }
  }
  return found;
}
