import { fromIntegrator, serviceAnswer, serviceEvent } from '../../specs/message-directions.ts';
import type { MessageDirection } from '../../specs/message-directions.ts';
import { isJsonObject } from '../json-values.ts';
import { compareSchemas } from './compare-schemas.ts';
import { documentChange, judgeChanges } from './judge-change.ts';
import type { DocumentChange } from './judge-change.ts';
import { SchemaLibrary } from './schema-library.ts';
import type { PlacedSchema } from './schema-library.ts';

type Json = { readonly [member: string]: unknown };

/** A message of one operation, with who sends it. */
interface SentMessage {
  readonly where: string;
  readonly message: Json;
  readonly direction: MessageDirection;
}

class Version {
  readonly document: Json;
  readonly library = new SchemaLibrary();
  private readonly base: string;

  constructor(document: Json) {
    this.document = document;
    this.base = this.library.add(document, 'asyncapi').base;
  }
  /** The object at the end of a chain of references, and what the last of them names. */
  follow(value: unknown): { name: string; object: Json } {
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
  /** Every message by operation; the document is written for the own AI: what it receives is the service's. */
  messages(): Map<string, SentMessage> {
    const found = new Map<string, SentMessage>();
    for (const [id, each] of Object.entries(membersOf(this.document['operations']))) {
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
  addresses(): Map<string, string> {
    const channels = Object.entries(membersOf(this.document['channels']));
    return new Map(channels.map(([id, each]) => [id, String(this.follow(each).object['address'])]));
  }
}

function membersOf(value: unknown): Json {
  return isJsonObject(value) ? value : {};
}

/**
 * Every difference between two versions of an AsyncAPI 3 document that describes the own AI, for who sends a message and
 * who reads it.
 *
 * @param name what the document is called in the changes
 * @throws SchemaLibraryError when a reference leads nowhere
 */
export function compareAsyncApi(older: Json, newer: Json, name: string): DocumentChange[] {
  const [was, is] = [new Version(older), new Version(newer)];
  const [before, after] = [was.messages(), is.messages()];
  const found = [...before.values()].flatMap(({ where, message, direction }) => {
    const other = after.get(where)?.message;
    const place = { document: name, where };
    if (!other) return [documentChange(place, 'message-removed', 'is not there any more', direction, { sender: true })];
    return ['payload', 'headers'].flatMap((part) => {
      const pair = { older: was.schema(message[part]), newer: is.schema(other[part]) };
      const changes = compareSchemas({ ...pair, olderLibrary: was.library, newerLibrary: is.library });
      return judgeChanges(
        changes,
        { document: name, where: part === 'headers' ? `${where}, headers` : where },
        direction,
      );
    });
  });
  for (const { where, direction } of after.values()) {
    if (before.has(where)) continue;
    // A frame or an event of an unknown type is passed over by those who keep to the interface.
    const breaks = { reader: direction.unknownValues !== true };
    found.push(documentChange({ document: name, where }, 'message-added', 'is new', direction, breaks));
  }
  const addresses = is.addresses();
  for (const [id, address] of was.addresses()) {
    const other = addresses.get(id);
    if (other === undefined || other === address) continue;
    const text = `the address was ${address}, is ${other}`;
    found.push(documentChange({ document: name, where: `channel ${id}` }, 'address-changed', text, undefined, { sender: true, reader: true })); // prettier-ignore
  }
  return found;
}
