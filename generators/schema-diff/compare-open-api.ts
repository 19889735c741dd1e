import { fromIntegrator, serviceAnswer, serviceEvent, type MessageDirection } from '../../specs/message-directions.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import {
  changedSchemes,
  compareAuthentication,
  securityScheme,
  type AuthenticationWay,
  type SecurityScheme,
} from './compare-authentication.ts';
import { compareSchemas } from './compare-schemas.ts';
import { documentChange, judgeChanges, type DocumentChange, type DocumentRule } from './judge-changes.ts';
import { SchemaLibrary, type DocumentVersion, type PlacedSchema } from './schema-library.ts';
import type { JsonObject } from '../../specs/json-value.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Part of one version: a value, and the library that resolves its references. */
class OpenApiVersion {
  readonly document: JsonObject;
  readonly library: SchemaLibrary;
  readonly base: string;

  constructor(document: JsonObject, version: DocumentVersion) {
    this.document = document;
    this.library = new SchemaLibrary(version);
    this.base = this.library.add(document, 'openapi').base;
  }
  /** The object behind a value that may be a reference. */
  object(value: unknown): JsonObject | undefined {
    if (!isJsonObject(value)) return undefined;
    if (typeof value['$ref'] !== 'string') return value;
    const { schema } = this.library.resolve(value['$ref'], this.base);
    return isJsonObject(schema) ? schema : undefined;
  }
  fields(value: unknown): Map<string, JsonObject> {
    const found = new Map<string, JsonObject>();
    for (const [name, each] of Object.entries(this.object(value) ?? {})) {
      const field = this.object(each);
      if (field) found.set(name, field);
    }
    return found;
  }
  schema(of: JsonObject | undefined): PlacedSchema[] {
    const schema = of?.['schema'];
    return typeof schema === 'boolean' || isJsonObject(schema) ? [{ schema, base: this.base }] : [];
  }
  operations(field: 'paths' | 'webhooks'): Map<string, JsonObject> {
    const found = new Map<string, JsonObject>();
    for (const [path, item] of this.fields(this.document[field])) {
      for (const method of methods) {
        const operation = this.object(item[method]);
        if (!operation) continue;
        const shared = [...list(item['parameters']), ...list(operation['parameters'])];
        const title = field === 'paths' ? `${method.toUpperCase()} ${path}` : `webhook ${path}`;
        // The name of a path parameter does not appear on the wire.
        const key = title.replaceAll(/\{[^}]*\}/g, '{}');
        found.set(key, { ...operation, parameters: shared, title });
      }
    }
    return found;
  }
  parameters(operation: JsonObject): Map<string, JsonObject> {
    const found = list(operation['parameters']).flatMap((each): JsonObject[] => {
      const parameter = this.object(each);
      return parameter ? [parameter] : [];
    });
    let inPath = 0;
    const key = (each: JsonObject) =>
      each['in'] === 'path' ? `path parameter ${++inPath}` : `${String(each['in'])} ${String(each['name'])}`;
    return new Map(found.map((each) => [key(each), each]));
  }
  schemes(): Map<string, SecurityScheme> {
    const { securitySchemes } = this.object(this.document['components']) ?? {};
    return new Map([...this.fields(securitySchemes)].map(([name, each]) => [name, securityScheme(name, each)]));
  }
  /** The alternative authentications: one of them suffices. */
  security(operation: JsonObject): AuthenticationWay[] {
    const schemes = this.schemes();
    const ways = list(operation['security'] ?? this.document['security']).filter(isJsonObject);
    return ways.map((way) => Object.keys(way).map((name) => schemes.get(name) ?? securityScheme(name, undefined)));
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Every difference between two versions of an OpenAPI document (3.0 or 3.1), for the sender and the reader: integrators
 * send requests, the service sends answers and webhooks.
 *
 * @param name name of the document in the changes
 * @throws SchemaLibraryError for an unresolvable reference
 */
export function compareOpenApi(older: JsonObject, newer: JsonObject, name: string): DocumentChange[] {
  const [was, is] = [new OpenApiVersion(older, 'older'), new OpenApiVersion(newer, 'newer')];
  return [
    ...new OpenApiComparison(was, is, name, fromIntegrator, serviceAnswer).operations('paths'),
    ...new OpenApiComparison(was, is, name, serviceEvent, fromIntegrator).operations('webhooks'),
  ];
}

class OpenApiComparison {
  private readonly was: OpenApiVersion;
  private readonly is: OpenApiVersion;
  private readonly document: string;
  /** The sender of requests, and of answers. */
  private readonly asks: MessageDirection;
  private readonly answers: MessageDirection;

  constructor(
    was: OpenApiVersion,
    is: OpenApiVersion,
    document: string,
    asks: MessageDirection,
    answers: MessageDirection,
  ) {
    this.was = was;
    this.is = is;
    this.document = document;
    this.asks = asks;
    this.answers = answers;
  }

  operations(field: 'paths' | 'webhooks'): DocumentChange[] {
    const [older, newer] = [this.was.operations(field), this.is.operations(field)];
    // Only subscribers receive a webhook, and they accept unknown events.
    const asked = this.asks.unknownValues !== true;
    const matched = [...older].flatMap(([key, operation]) => {
      const title = String(operation['title']);
      const other = newer.get(key);
      if (!other) return [this.changed(title, 'operation-removed', 'was removed', this.asks, { sender: true })];
      return this.operation(title, operation, other);
    });
    const added = [...newer].filter(([key]) => !older.has(key)).map(([, operation]) => String(operation['title']));
    return [
      ...this.schemes([...older.values()]),
      ...matched,
      ...added.map((title) => this.changed(title, 'operation-added', 'is new', this.asks, { reader: asked })),
    ];
  }

  private changed(where: string, rule: DocumentRule, text: string, direction: MessageDirection, breaks: { sender?: boolean; reader?: boolean }): DocumentChange {
    return documentChange({ document: this.document, where }, rule, text, direction, breaks);
  } // prettier-ignore

  private operation(title: string, older: JsonObject, newer: JsonObject): DocumentChange[] {
    return [
      ...this.parameters(title, older, newer),
      ...this.requestBody(title, this.was.object(older['requestBody']), this.is.object(newer['requestBody'])),
      ...this.responses(title, older, newer),
      ...this.security(title, older, newer),
    ];
  }

  private parameters(title: string, older: JsonObject, newer: JsonObject): DocumentChange[] {
    const [was, is] = [this.was.parameters(older), this.is.parameters(newer)];
    return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
      const where = `${title}, ${name}`;
      const [before, after] = [was.get(name), is.get(name)];
      if (!before) {
        const needed = after?.['required'] === true;
        return [this.changed(where, 'parameter-added', needed ? 'is new and required' : 'is new and optional', this.asks, { sender: needed })];
      }
      if (!after) return [this.changed(where, 'parameter-removed', 'is no longer known and is ignored', this.asks, { reader: before['required'] === true })];
      return [
        ...this.need(where, 'parameter', before['required'] === true, after['required'] === true),
        ...this.schemas(where, before, after, this.asks),
      ];
    }); // prettier-ignore
  }

  private need(where: string, what: 'parameter' | 'body', was: boolean, is: boolean): DocumentChange[] {
    if (was === is) return [];
    return is
      ? [this.changed(where, `${what}-required`, 'is required now', this.asks, { sender: true })]
      : [this.changed(where, `${what}-optional`, 'is no longer required', this.asks, { reader: true })];
  }

  private requestBody(title: string, older: JsonObject | undefined, newer: JsonObject | undefined): DocumentChange[] {
    const where = `${title}, body`;
    if (!older && !newer) return [];
    const needed = newer?.['required'] === true;
    if (!older) return [this.changed(where, 'body-added', needed ? 'is new and required' : 'is new and optional', this.asks, { sender: needed })]; // prettier-ignore
    if (!newer) return [this.changed(where, 'body-removed', 'is no longer known and is ignored', this.asks, { reader: older['required'] === true })]; // prettier-ignore
    return [
      ...this.need(where, 'body', older['required'] === true, needed),
      ...this.content(where, older, newer, this.asks),
    ];
  }

  private content(where: string, older: JsonObject, newer: JsonObject, direction: MessageDirection): DocumentChange[] {
    const [was, is] = [this.was.fields(older['content']), this.is.fields(newer['content'])];
    const gone = [...was.keys()].filter((type) => !is.has(type));
    const come = [...is.keys()].filter((type) => !was.has(type));
    return [
      ...gone.map((type) => this.changed(where, 'body-removed', `no longer as ${type}`, direction, { sender: true })),
      ...come.map((type) => this.changed(where, 'body-added', `now also as ${type}`, direction, { reader: true })),
      ...[...was].flatMap(([type, media]) => {
        const other = is.get(type);
        return other ? this.schemas(where, media, other, direction) : [];
      }),
    ];
  }

  private schemas(where: string, older: JsonObject, newer: JsonObject, direction: MessageDirection): DocumentChange[] {
    const pair = { older: this.was.schema(older), newer: this.is.schema(newer) };
    const libraries = { olderLibrary: this.was.library, newerLibrary: this.is.library };
    return judgeChanges(compareSchemas({ ...pair, ...libraries }), { document: this.document, where }, direction);
  }

  private responses(title: string, older: JsonObject, newer: JsonObject): DocumentChange[] {
    const [was, is] = [this.was.fields(older['responses']), this.is.fields(newer['responses'])];
    return [...new Set([...was.keys(), ...is.keys()])].flatMap((status) => {
      const where = `${title}, answer ${status}`;
      const [before, after] = [was.get(status), is.get(status)];
      // The list of errors is not complete, so a reader must accept unknown ones (interface: Errors).
      const succeeds = /^[23d]/.test(status);
      if (!before) return [this.changed(where, 'answer-added', 'is new', this.answers, { reader: succeeds })];
      if (!after) return [this.changed(where, 'answer-removed', 'was removed', this.answers, { sender: succeeds })];
      return [...this.content(where, before, after, this.answers), ...this.headers(where, before, after)];
    }); // prettier-ignore
  }

  private headers(where: string, older: JsonObject, newer: JsonObject): DocumentChange[] {
    const [was, is] = [this.was.fields(older['headers']), this.is.fields(newer['headers'])];
    return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
      const at = `${where}, header ${name}`;
      const [before, after] = [was.get(name), is.get(name)];
      if (!before) return [this.changed(at, 'parameter-added', 'is new', this.answers, { sender: after?.['required'] === true })];
      if (!after) return [this.changed(at, 'parameter-removed', 'was removed', this.answers, { reader: before['required'] === true })];
      return this.schemas(at, before, after, this.answers);
    }); // prettier-ignore
  }

  /** Reported once, not at each operation that uses the scheme. */
  private schemes(older: readonly JsonObject[]): DocumentChange[] {
    const used = older.flatMap((operation) => this.was.security(operation));
    return changedSchemes(used, this.is.schemes()).map(({ name, rule, text, breaks }) => this.changed(`authentication ${name}`, rule, text, this.asks, breaks));
  } // prettier-ignore

  private security(title: string, older: JsonObject, newer: JsonObject): DocumentChange[] {
    const found = compareAuthentication(this.was.security(older), this.is.security(newer), this.is.schemes());
    return found.map(({ rule, text, breaks }) => this.changed(title, rule, text, this.asks, breaks));
  }
}
