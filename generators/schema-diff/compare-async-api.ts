import { fromIntegrator, serviceAnswer, serviceEvent, type MessageDirection } from '../../specs/message-directions.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import {
  changedSchemes,
  compareAuthentication,
  securityScheme,
  type AuthenticationChange,
  type AuthenticationWay,
  type SecurityScheme,
} from './compare-authentication.ts';
import { compareSchemas } from './compare-schemas.ts';
import { documentChange, judgeChanges, type DocumentChange } from './judge-changes.ts';
import { SchemaLibrary, type DocumentVersion, type PlacedSchema } from './schema-library.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** A message of one operation, with its sender. */
interface SentMessage {
  readonly where: string;
  readonly message: JsonObject;
  readonly direction: MessageDirection;
}

/** A server, channel or operation, with the side that speaks first. */
interface DocumentSpot {
  readonly where: string;
  readonly part: JsonObject;
  readonly direction: MessageDirection | undefined;
}

class AsyncApiVersion {
  readonly document: JsonObject;
  readonly library: SchemaLibrary;
  private readonly base: string;

  constructor(document: JsonObject, version: DocumentVersion) {
    this.document = document;
    this.library = new SchemaLibrary(version);
    this.base = this.library.add(document, 'asyncapi').base;
  }
  /** The object at the end of a chain of references, and the target of the last one. */
  follow(value: unknown): { name: string; object: JsonObject } {
    let [name, object] = ['', value];
    for (let hops = 0; hops < 20 && isJsonObject(object) && typeof object['$ref'] === 'string'; hops++) {
      name = object['$ref'].split('/').at(-1) ?? '';
      object = this.library.resolve(object['$ref'], this.base).schema;
    }
    return { name, object: isJsonObject(object) ? object : {} };
  }
  schema(value: unknown): PlacedSchema[] {
    return typeof value === 'boolean' || isJsonObject(value) ? [{ schema: value, base: this.base }] : [];
  }
  /** Every message by operation; the document describes the own AI, so messages that it receives are the service's. */
  messages(): Map<string, SentMessage> {
    const found = new Map<string, SentMessage>();
    for (const [id, each] of Object.entries(fieldsOf(this.document['operations']))) {
      const { object: operation } = this.follow(each);
      const received = operation['action'] === 'receive';
      const put = (messages: unknown, direction: MessageDirection, what: string): void => {
        for (const one of Array.isArray(messages) ? messages : []) {
          const { name, object: message } = this.follow(one);
          const where = `${id}, ${what} ${name}`;
          found.set(where, { where, message, direction });
        }
      };
      put(operation['messages'], received ? serviceEvent : fromIntegrator, 'message');
      const { object: reply } = this.follow(operation['reply']);
      put(reply['messages'], received ? fromIntegrator : serviceAnswer, 'reply');
    }
    return found;
  }
  /** Every operation, channel and server. */
  spots(): Map<string, DocumentSpot> {
    const found: DocumentSpot[] = [];
    const put = (where: string, part: JsonObject, direction: MessageDirection | undefined): void => void found.push({ where, part, direction }); // prettier-ignore
    const parts = (field: string) =>
      Object.entries(fieldsOf(this.document[field])).map(([id, each]) => [id, this.follow(each).object] as const); //
    // prettier-ignore
    // The
    // receiver
    // on
    // a
    // channel
    // is
    // the
    // called
    // side:
    // the
    // service
    // opens
    // the
    // connection.
    const received = new Map<string, boolean>();
    for (const [id, operation] of parts('operations')) {
      const receives = operation['action'] === 'receive';
      const { name } = this.follow(operation['channel']);
      received.set(name, (received.get(name) ?? false) || receives);
      put(id, operation, receives ? serviceEvent : fromIntegrator);
    }
    const called = new Map<string, MessageDirection>();
    for (const [id, channel] of parts('channels')) {
      const receives = received.get(id);
      const direction = receives === undefined ? undefined : receives ? serviceEvent : fromIntegrator;
      put(`channel ${id}`, channel, direction);
      const { servers } = channel;
      const names = Array.isArray(servers) ? servers.map((each) => this.follow(each).name) : parts('servers').map(([name]) => name); // prettier-ignore
      for (const name of names) if (direction) called.set(name, direction);
    }
    for (const [id, server] of parts('servers')) put(`server ${id}`, server, called.get(id));
    return new Map(found.map((spot) => [spot.where, spot]));
  }
  /** The alternative authentications: one of them suffices. */
  security({ security }: JsonObject): AuthenticationWay[] {
    return (Array.isArray(security) ? security : []).map((each) => {
      const { name, object } = this.follow(each);
      return [securityScheme(name, object)];
    });
  }
  schemes(): Map<string, SecurityScheme> {
    const { securitySchemes } = fieldsOf(this.document['components']);
    const each = Object.entries(fieldsOf(securitySchemes));
    return new Map(each.map(([name, scheme]) => [name, securityScheme(name, this.follow(scheme).object)]));
  }
}

function fieldsOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/**
 * Every difference between two versions of an AsyncAPI 3 document that describes the own AI, for sender and reader.
 *
 * @param name name of the document in the changes
 * @throws SchemaLibraryError for an unresolvable reference
 */
export function compareAsyncApi(older: JsonObject, newer: JsonObject, name: string): DocumentChange[] {
  const [was, is] = [new AsyncApiVersion(older, 'older'), new AsyncApiVersion(newer, 'newer')];
  const [before, after] = [was.messages(), is.messages()];
  const found = [...before.values()].flatMap(({ where, message, direction }) => {
    const other = after.get(where)?.message;
    const place = { document: name, where };
    if (!other) return [documentChange(place, 'message-removed', 'was removed', direction, { sender: true })];
    const parts = ['payload', 'headers'].flatMap((part) => {
      const pair = { older: was.schema(message[part]), newer: is.schema(other[part]) };
      const changes = compareSchemas({ ...pair, olderLibrary: was.library, newerLibrary: is.library });
      return judgeChanges(
        changes,
        { document: name, where: part === 'headers' ? `${where}, headers` : where },
        direction,
      );
    });
    return [...parts, ...compareBindings(was, is, place, direction, message, other)];
  });
  for (const { where, direction } of after.values()) {
    if (before.has(where)) continue;
    // Receivers that follow the interface ignore frames and events of unknown types.
    const breaks = { reader: direction.unknownValues !== true };
    found.push(documentChange({ document: name, where }, 'message-added', 'is new', direction, breaks));
  }
  return [...found, ...compareSpots(was, is, name)];
}

function compareSpots(was: AsyncApiVersion, is: AsyncApiVersion, document: string): DocumentChange[] {
  const newerSchemes = is.schemes();
  const after = is.spots();
  const reportedSchemes = new Set<string>();
  return [...was.spots().values()].flatMap(({ where, part, direction }) => {
    const other = after.get(where)?.part;
    if (!other) return [];
    const report = (at: string, { rule, text, breaks }: AuthenticationChange) => documentChange({ document, where: at }, rule, text, direction, breaks); // prettier-ignore
    const ways = was.security(part);
    const changed = changedSchemes(ways, newerSchemes).filter(({ name }) => !reportedSchemes.has(name));
    for (const { name } of changed) reportedSchemes.add(name);
    const moved = (['address', 'protocol'] as const).filter((field) => part[field] !== undefined && other[field] !== undefined && part[field] !== other[field]); // prettier-ignore
    return [
      ...moved.map((field) => {
        const text = `the ${field} was ${String(part[field])}, is ${String(other[field])}`;
        return report(where, { rule: 'address-changed', text, breaks: { sender: true, reader: true } });
      }),
      ...changed.map((change) => report(`authentication ${change.name}`, change)),
      ...compareAuthentication(ways, is.security(other), newerSchemes).map((change) => report(where, change)),
      ...compareBindings(was, is, { document, where }, direction, part, other),
    ];
  });
}

/** Bindings of a protocol in addition to the messages: the headers of a WebSocket upgrade, a method, a status. */
function compareBindings(
  was: AsyncApiVersion,
  is: AsyncApiVersion,
  { document, where }: { readonly document: string; readonly where: string },
  direction: MessageDirection | undefined,
  older: JsonObject,
  newer: JsonObject,
): DocumentChange[] {
  const [before, after] = [was.follow(older['bindings']).object, is.follow(newer['bindings']).object];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((protocol) => {
    const [one, other] = [was.follow(before[protocol]).object, is.follow(after[protocol]).object];
    const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
    fields.delete('bindingVersion');
    return [...fields].flatMap((field) => {
      const place = { document, where: `${where}, ${protocol} ${field}` };
      if (field === 'headers' || field === 'query') {
        const pair = { older: was.schema(one[field]), newer: is.schema(other[field]) };
        const changes = compareSchemas({ ...pair, olderLibrary: was.library, newerLibrary: is.library });
        return judgeChanges(changes, place, direction);
      }
      const words = (value: unknown) => (value === undefined ? 'not stated' : JSON.stringify(value));
      const [text, now] = [words(one[field]), words(other[field])];
      if (text === now) return [];
      return [documentChange(place, 'binding-changed', `was ${text}, is ${now}`, direction, { sender: true, reader: true })]; // prettier-ignore
    });
  });
}
