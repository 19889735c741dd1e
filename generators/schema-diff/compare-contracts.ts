import { fromIntegrator, serviceAnswer, serviceEvent, type MessageDirection } from '../../specs/message-directions.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { compareSchemas } from './compare-schemas.ts';
import { documentChange, judgeChanges, type DocumentChange } from './judge-changes.ts';
import { pactSchema } from './pact-schema.ts';
import { SchemaLibrary } from './schema-library.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** Name of the service as a consumer in its own contracts. */
const serviceName = 'svc';

/** One direction of an interaction: a request, an answer, a message. */
interface InteractionPart {
  readonly name: string;
  /** The consumer guarantees its requests; the provider must meet the expected answers. */
  readonly held: boolean;
  readonly direction: MessageDirection;
  readonly body: JsonObject;
  /** Everything that the other side receives in addition to the body, as one line. */
  readonly line: string;
}

/**
 * Every difference between two versions of a Pact contract (version 2, 3 or 4), interaction by interaction. A new or
 * removed interaction does not break a side by itself: the schemas show whether the interface changed.
 *
 * @param name name of the contract in the changes
 */
export function compareContracts(older: JsonObject, newer: JsonObject, name: string): DocumentChange[] {
  const [was, is] = [interactionsOf(older), interactionsOf(newer)];
  const found: DocumentChange[] = [];
  for (const [title, before] of was) {
    const place = { document: name, where: title };
    const after = is.get(title);
    if (!after) found.push(documentChange(place, 'interaction-removed', 'was removed', undefined, {}));
    else found.push(...compareInteraction(place, partsOf(before, older), partsOf(after, newer), before, after));
  }
  for (const title of is.keys()) {
    if (was.has(title)) continue;
    const text = 'is new: verify your side against it';
    found.push(documentChange({ document: name, where: title }, 'interaction-added', text, undefined, {}));
  }
  return found;
}

function interactionsOf(contract: JsonObject): Map<string, JsonObject> {
  const listed = [contract['interactions'], contract['messages']].flatMap((each): unknown[] =>
    Array.isArray(each) ? each : [],
  );
  return new Map(listed.filter(isJsonObject).map((each) => [titleOf(each), each]));
}

/** A description may occur once for each provider state. */
function titleOf(interaction: JsonObject): string {
  const states = statesOf(interaction);
  return `${String(interaction['description'])}${states === '' ? '' : ` (${states})`}`;
}

function statesOf(interaction: JsonObject): string {
  const { providerStates, providerState } = interaction as { providerStates?: unknown; providerState?: unknown };
  if (typeof providerState === 'string') return providerState;
  const named = Array.isArray(providerStates) ? providerStates.filter(isJsonObject) : [];
  return named.map((state) => String(state['name'])).join(', ');
}

function partsOf(interaction: JsonObject, contract: JsonObject): InteractionPart[] {
  const consumer = isJsonObject(contract['consumer']) ? contract['consumer']['name'] : undefined;
  const [asks, answers] = consumer === serviceName ? [serviceEvent, fromIntegrator] : [fromIntegrator, serviceAnswer];
  const { request, response, contents } = interaction;
  if (contents !== undefined) return [part('message', interaction, answers, true)];
  const answered = Array.isArray(response) ? response : [response];
  return [
    ...(isJsonObject(request) ? [part('request', request, asks, false)] : []),
    ...answered.filter(isJsonObject).map((each, at) => part(at === 0 ? 'answer' : `answer ${at + 1}`, each, answers, true)),
  ]; // prettier-ignore
}

function part(name: string, of: JsonObject, direction: MessageDirection, held: boolean): InteractionPart {
  const rules = isJsonObject(of['matchingRules']) ? of['matchingRules'] : {};
  const written = of['contents'] ?? of['body'];
  const wrapped = isJsonObject(written) && 'content' in written && 'contentType' in written;
  const body = wrapped ? written['content'] : written;
  const { method, path, query, status } = of;
  const ruled = isJsonObject(rules['header']) ? Object.keys(rules['header']) : [];
  const given = Object.entries(isJsonObject(of['headers']) ? of['headers'] : {});
  // A value with a matching rule is only an example.
  const headers = Object.fromEntries(given.map(([header, value]) => [header, ruled.includes(header) ? '' : value]));
  const { body: ofBody, ...besides } = rules;
  const line = JSON.stringify({ method, path, query, status, headers, rules: ofBody === undefined ? {} : besides });
  return { name, held, direction, line, body: body === undefined ? {} : pactSchema(body, ofBody ?? rules) };
}

function typeOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type : 'an interaction';
}

function compareInteraction(
  place: { document: string; where: string },
  older: readonly InteractionPart[],
  newer: readonly InteractionPart[],
  before: JsonObject,
  after: JsonObject,
): DocumentChange[] {
  if (typeOf(before) !== typeOf(after) || older.length !== newer.length) {
    const text = `was ${typeOf(before)} of ${older.length} parts, is ${typeOf(after)} of ${newer.length}`;
    return [documentChange(place, 'interaction-changed', text, undefined, { sender: true, reader: true })];
  }
  return older.flatMap((was, at) => {
    const is = newer[at];
    if (!is) return [];
    const where = `${place.where}, ${was.name}`;
    const library = new SchemaLibrary();
    const schemas = { older: [{ schema: was.body, base: '' }], newer: [{ schema: is.body, base: '' }] };
    const changes = compareSchemas({ ...schemas, olderLibrary: library, newerLibrary: library });
    // A field that the consumer omits from an example is not a requirement.
    const relevant = was.held ? changes : changes.map((each) => ({ ...each, narrows: false }));
    const found = judgeChanges(relevant, { document: place.document, where }, was.direction);
    if (was.line === is.line) return found;
    const text = `was ${was.line}, is ${is.line}`;
    return [...found, documentChange({ ...place, where }, 'interaction-changed', text, was.direction, { sender: was.held, reader: !was.held })];
  }); // prettier-ignore
}
