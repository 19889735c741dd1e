import type { Connection } from '../../diagnosis/connection.ts';
import { parseJsonText, parseJson } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { Mailbox } from '../../harness/wire/mailbox.ts';
import type { Answer, Observation } from '../../harness/wire/observation.ts';
import { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { timelinessOf } from '../../harness/wire/timeliness.ts';
import type { Exchange, Report } from '../../specs/generated/types.ts';
import { addressesIn, hasUnreadableAddress, readdress } from './readdress.ts';
import { freshSignature } from './fresh-signature.ts';
import { NotSendable, type ComparedValue } from './replay-result.ts';

/** Milliseconds to wait for the requests that followed the recorded answer. */
const followingMs = 10_000;
/** Maximum number of fields of one object in a shape. */
const mostFields = 60;

/** Sends a recorded delivery again: with a new id, new callback and reply addresses, freshly signed. */
export async function replayRequest(
  exchange: Exchange,
  report: Report,
  connection: Connection,
): Promise<ComparedValue[]> {
  const { delivery, box, oldAddresses } = deliveryOf(exchange, report, connection);
  const { limitMs } = exchange.timing;
  const observation = await connection.ask(delivery, {
    label: exchange.label,
    ...(limitMs !== undefined && { limitMs }),
  });
  const { answer } = observation;
  if (answer.outcome === 'unreachable' && exchange.outcome !== 'unreachable') {
    throw new NotSendable(`no connection to ${connection.url}: ${answer.detail}`);
  }
  const followed = report.exchanges.filter(({ request }) => oldAddresses.has(request.url)).length;
  const arrivals = box && followed > 0 ? await box.atLeast(followed, { withinMs: followingMs }) : [];
  return [
    { what: 'answer', was: describeRecordedAnswer(exchange), now: describeAnswer(answer) },
    ...comparedBody(exchange, observation),
    ...(limitMs === undefined
      ? []
      : [
          {
            what: 'time',
            was: describeTime(exchange.timing.totalMs, 0, limitMs),
            now: describeTime(observation.times.totalMs, observation.times.lagMs, limitMs, observation.times.proxyMs),
          },
        ]),
    ...(followed === 0
      ? []
      : [{ what: 'requests that followed', was: String(followed), now: String(arrivals.length) }]),
  ];
}

interface ReplayedDelivery {
  delivery: SignedDelivery;
  /** Receives its callback or reply. */
  box: Mailbox | undefined;
  /** The recorded addresses for callbacks and replies. */
  oldAddresses: ReadonlySet<string>;
}

function deliveryOf(exchange: Exchange, report: Report, connection: Connection): ReplayedDelivery {
  const { body, bodyBytes, headers } = exchange.request;
  if (bodyBytes !== Buffer.byteLength(body) || body.includes('\ufffd')) {
    throw new NotSendable('its recorded body is incomplete: replay the check');
  }
  if (body.includes('[redacted')) {
    throw new NotSendable('a secret in its body was redacted: replay the check');
  }
  const event = parseJsonText(body);
  const oldAddresses = addressesIn(body);
  const box = oldAddresses.size > 0 && isJsonObject(event) ? boxFor(event, connection) : undefined;
  if ((oldAddresses.size > 0 && !box) || hasUnreadableAddress(body)) {
    throw new NotSendable('its body contains an address that only the report names: replay the check');
  }
  const oldId = headers.find(([name]) => name?.toLowerCase() === 'x-svc-delivery-id')?.[1];
  const prefix = /^[a-z]+_/.exec(oldId ?? '')?.[0] ?? '';
  const newId = `${prefix}${connection.session.ids.text()}`;
  const renewed = (text: string) => (oldId === undefined || oldId === '' ? text : text.replaceAll(oldId, newId));
  const text = renewed(box ? readdress(body, oldAddresses, box.url) : body);
  const kept = headers.flatMap(([name = '', value = '']): [string, string][] =>
    /^(?:x-svc-signature|authorization)$/i.test(name) ? [] : [[name, renewed(value)]],
  );
  const unsigned = SignedDelivery.of(event, text, kept, connection.credential);
  return { delivery: freshSignature(exchange, unsigned, report, connection).delivery, box, oldAddresses };
}

/** The mailbox for the callback or reply to this event, on surfaces that have one. */
function boxFor(event: Record<string, unknown>, connection: Connection): Mailbox | undefined {
  const hasBox = connection.surface === 'crm-webhook' || isJsonObject(event.data);
  return hasBox ? connection.case({ event }).box : undefined;
}

function describeRecordedAnswer({ outcome, response }: Exchange): string {
  return response ? `status ${response.status}` : outcome;
}

function describeAnswer(answer: Answer): string {
  return answer.outcome === 'answered' ? `status ${answer.status}` : answer.outcome;
}

function comparedBody({ response }: Exchange, { answer }: Observation): ComparedValue[] {
  if (!response || answer.outcome !== 'answered') return [];
  // A cut record does not show the shape of the whole body.
  if (response.bodyBytes !== Buffer.byteLength(response.body)) return [];
  const now = parseJson(answer.body);
  const nowText = answer.bodyBytes === 0 ? 'nothing' : 'value' in now ? shapeOf(now.value) : 'not JSON';
  const then = parseJsonText(response.body.replace(/^\ufeff/, ''));
  const thenText = response.body === '' ? 'nothing' : then === undefined ? 'not JSON' : shapeOf(then);
  return [{ what: 'shape of the body', was: thenText, now: nowText }];
}

/** The types in a JSON value, without its values: `{ handled: boolean, tags: [string] }`. */
function shapeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].toSorted().join(' | ')}]`;
  if (!isJsonObject(value)) return typeof value;
  const names = Object.keys(value).toSorted().slice(0, mostFields);
  return names.length === 0 ? '{}' : `{ ${names.map((name) => `${name}: ${shapeOf(value[name])}`).join(', ')} }`;
}

function describeTime(totalMs: number | null, lagMs: number, limitMs: number, proxyMs = 0): string {
  if (totalMs === null) return 'no complete answer';
  switch (timelinessOf({ ms: totalMs, lagMs, limitMs })) {
    case 'in-time':
      return `within ${limitMs} ms`;
    case 'late':
      return `later than ${limitMs} ms`;
    case 'uncertain':
      return proxyMs > 0
        ? `within or later than ${limitMs} ms: our own process and the proxy took up to ${Math.ceil(lagMs)} ms`
        : `within or later than ${limitMs} ms: our own process was delayed by up to ${Math.ceil(lagMs)} ms`;
  }
}
