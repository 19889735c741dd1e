import { payloadTooLarge } from '../../harness/wire/answer-status.ts';
import { minimise } from '../../generators/minimise.ts';
import { differences } from '../../generators/differences.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import { matchesSchema } from '../../specs/validators.ts';
import type { AnswerFault } from '../answer/answer-fault.ts';
import type { Found, Suspect } from '../outcome.ts';
import { repairs } from '../answer/repairs.ts';
import { causes, describeCauseOn } from '../causes.ts';
import { adviceAgainst } from './advice-against.ts';
import { bodySize, largeBytes } from './body-size.ts';
import { nameDifference } from './name-difference.ts';
import { likeliestPart } from './likeliest-part.ts';
import { narrowLists } from './narrow-lists.ts';
import { parentOf, withValueAt } from './places.ts';
import { everyTrait, stringTraits, stringWith, type StringTrait } from './string-traits.ts';
import { valueAt } from '../../specs/json-pointer.ts';
import type { EventReception, EventSender } from './event-sender.ts';
import type { Varied } from './event-groups.ts';
import type { JsonObject } from '../../specs/json-value.ts';

const { remediation: rawBody } = causes['signature/body-compact'];
/** Milliseconds for reducing one refused event. */
const shrinkMs = 20_000;
/** Precedes a string of an event, to recognise it in the answer. */
const marker = 'Zephyrine';
/** Faults of JSON that a string without escaping causes, unlike a body that is not meant as JSON. */
const brokenJson: ReadonlySet<AnswerFault['id']> = new Set(['answer/not-json', ...repairs.map(({ id }) => id)]);
/** Most causes per group of events. */
const mostCauses = 3;

const schemaOf: Readonly<Partial<Record<DiagnosedSurface, SchemaName>>> = {
  'own-ai-chat': 'messageReceived',
  'crm-webhook': 'crmEvent',
  'api-webhooks': 'apiWebhookEvent',
};

/** Causes of refused events: the first confirmed one, and further observations. */
export interface PayloadCauses {
  found?: Found | undefined;
  suspects: Suspect[];
  /** An event of these was accepted at one time and refused at another, which may be chance. */
  isUnstable?: boolean;
}

/**
 * Explains refused events by reducing each towards an accepted one and confirming the result. A refusal that only ignores
 * advice is a suspicion, unless `isAsked`: a failed check asks about this event. With `isOther` it asks about another one.
 */
export async function findCauses(
  sender: EventSender,
  accepted: JsonObject,
  refused: readonly Varied[],
  { isAsked = false, isOther = false }: { isAsked?: boolean; isOther?: boolean } = {},
): Promise<PayloadCauses> {
  const causes: PayloadCauses = { suspects: [] };
  /** Places that made earlier events fail, corrected in later ones. */
  const explained: string[] = [];
  /** Bytes from which events are too large, whatever their content. */
  let tooLarge = Infinity;
  const search: CauseSearchState = { knownTraits: [], isRefused: new Map(), untainted: new Map() };
  for (const { has, event, status, whole } of refused) {
    let failing = event;
    if (bytesOf(event) >= tooLarge) continue;
    for (
      let turn = 0;
      turn < mostCauses && (causes.found === undefined || causes.suspects.length < mostCauses);
      turn++
    ) {
      // One trait usually fails in every string: without it everywhere, the rest shows whether anything else does.
      if (await isAcceptedUntainted(sender, { has, event: failing }, search)) break;
      failing = explained.reduce((whole, pointer) => corrected(whole, accepted, pointer), failing);
      const isChanged = turn > 0 || explained.length > 0;
      if (isChanged && (await sender.send(failing, { label: `what is left of ${has}` })).ok) break;
      const one = await findCause(sender, { accepted, failing, has, status, ...(whole && { whole }) }, search);
      if (!one) break;
      sender.seen.push(one.evidence);
      if (one.isUnstable) causes.isUnstable = true;
      const advice = isAsked ? undefined : adviceAgainst(sender.connection.surface, one.cause.id, one);
      const why = isOther
        ? 'It was confirmed with another event than the one that failed.'
        : `The interface does not require that this is accepted; it is advice (${String(advice)}).`;
      const isConfirmed = one.doubt === undefined && advice !== undefined;
      const { isLikeForged } = one;
      const found = { ...one.cause, ...(isConfirmed && { isConfirmed }), ...(isLikeForged && { isLikeForged }) };
      add(causes, found, one.doubt ?? (advice && why));
      explained.push(...one.pointers.toReversed());
      if (one.bytes !== undefined) tooLarge = Math.min(tooLarge, one.bytes);
      // The whole event shows what else the part contains.
      if (one.pointers.length === 0 || whole) break;
    }
  }
  return causes;
}

function bytesOf(event: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(event));
}

/**
 * Removes these traits, and others whose pieces have one of them, from the strings that have every trait. Returns the same
 * object if there is nothing to remove.
 */
function withoutTraits(event: JsonObject, traits: readonly StringTrait[]): JsonObject {
  const text = JSON.stringify(event);
  const all = JSON.stringify(everyTrait);
  if (traits.length === 0 || !text.includes(all)) return event;
  const others = stringTraits.filter(({ piece }) => !traits.some(({ test }) => test.test(piece)));
  return JSON.parse(text.replaceAll(all, JSON.stringify(stringWith(others)))) as JsonObject;
}

/** Replaces one place by its value in the accepted event; a field of an item, in every item of its list. */
function corrected(event: JsonObject, accepted: JsonObject, pointer: string): JsonObject {
  const value = valueAt(accepted, pointer);
  const [, list, , field] = /^(.*)\/(\d+)\/([^/]+)$/.exec(pointer) ?? [];
  const items = list === undefined ? undefined : valueAt(event, list);
  if (!Array.isArray(items)) return withValueAt(event, pointer, value);
  return items.reduce<JsonObject>((whole, _, at) => withValueAt(whole, `${list}/${at}/${field}`, value), event);
}

interface One {
  cause: Found;
  /** Why it is not certain. */
  doubt: string | undefined;
  /** The same event was accepted and refused. */
  isUnstable?: true;
  isLikeForged?: true;
  pointers: string[];
  /** Bytes of the body that is too large. */
  bytes?: number | undefined;
  evidence: string;
}

/** What the reductions of one group of events have in common. */
interface CauseSearchState {
  /** The traits of strings that earlier events failed for. */
  knownTraits: StringTrait[];
  /** The events that were sent as parts of others, as JSON, and whether each was refused. */
  isRefused: Map<string, boolean>;
  /** The events that were sent without the known traits, as JSON, and whether each was accepted. */
  untainted: Map<string, boolean>;
}

/** Whether an event is accepted without the traits that make others fail; false if it has none of them. */
async function isAcceptedUntainted(
  sender: EventSender,
  { has, event }: Pick<Varied, 'has' | 'event'>,
  { knownTraits, untainted }: CauseSearchState,
): Promise<boolean> {
  const rest = withoutTraits(event, knownTraits);
  if (rest === event) return false;
  const key = JSON.stringify(rest);
  const isAccepted = untainted.get(key) ?? (await sender.send(rest, { label: `${has}, without what fails` })).ok;
  untainted.set(key, isAccepted);
  return isAccepted;
}

async function findCause(
  sender: EventSender,
  {
    accepted,
    failing,
    has,
    status,
    whole = failing,
  }: { accepted: JsonObject; failing: JsonObject } & Pick<Varied, 'has' | 'status' | 'whole'>,
  search: CauseSearchState,
): Promise<One | undefined> {
  const { knownTraits, isRefused: results } = search;
  const { connection } = sender;
  const bytes = bytesOf(failing);
  if (bytes >= largeBytes || status === payloadTooLarge) {
    const size = await bodySize(sender, accepted, bytes);
    if (size) {
      const plain = await sender.send(accepted, { label: 'the accepted event, again' });
      if (!plain.ok) return unstable(size.cause, 'The plain event that was accepted before is refused now.');
      return {
        cause: size.cause,
        bytes: size.tooLarge,
        doubt: undefined,
        pointers: [],
        evidence: `A plain event with white space in it, ${bytes} bytes in all, is refused.`,
      };
    }
  }
  const deadline = performance.now() + Math.min(shrinkMs, connection.remainingMs);
  let refusal: EventReception | undefined;
  const isRefused = async (event: JsonObject) => {
    const key = JSON.stringify(event);
    const known = results.get(key);
    if (known !== undefined) return known;
    const reception = await sender.send(event, { label: `a part of ${has}` });
    if (!reception.ok) refusal = reception;
    results.set(key, !reception.ok);
    return !reception.ok;
  };
  const isValid = validLike(connection.surface, failing);
  const part = likeliestPart({ failing, accepted }, connection.surface);
  const first = part && (await isRefused(part)) ? part : failing;
  const start = await narrowLists(
    { failing: first, accepted },
    async (event) => isValid(event) && (await isRefused(event)),
  );
  const smallest = await minimise(start.failing, start.accepted, isRefused, {
    deadline,
    isValid,
    now: () => performance.now(),
  });
  const difference = await nameDifference({
    failing: smallest.event,
    accepted: start.accepted,
    isRefused,
    knownTraits,
    deadline,
    longest: (pointer) => sender.longestAccepted(pointer),
  });
  // Both are repeated to exclude an unreliable endpoint and one that stopped in the meantime.
  const again = await sender.send(smallest.event, { label: 'the smallest failing event, again' });
  const isUntaintedAccepted = await isAcceptedUntainted(sender, { has, event: whole }, search);
  const isPlainAccepted =
    isUntaintedAccepted || (await sender.send(start.accepted, { label: 'the accepted event, again' })).ok;
  const rows = differences(smallest.event, start.accepted, 100).map(({ pointer }) => pointer);
  const cause = await withUnreadableAnswer(difference, again, () => isInserted(sender, smallest.event, rows));
  if (again.ok) return unstable(cause, 'The same event was accepted when it was sent again.');
  if (!isPlainAccepted) return unstable(cause, 'The plain event that was accepted before is refused now.');
  // A list that is too long is corrected as a whole.
  const pointers = cause.id === 'payload/many-items' ? rows.map((pointer) => parentOf(pointer).parent) : rows;
  const evidence = `The smallest event that fails is answered with ${again.words}, twice; without that difference it is accepted.`;
  if (await sender.looksLikeBadSignature(accepted, refusal ?? again)) {
    const doubt = `It is refused like an invalid signature (${again.words}), so the endpoint may compute the signature over the re-serialised body.`;
    const { remediation: otherwise } = describeCauseOn(cause.id, sender.connection.surface);
    const remediation = `If the log of the endpoint shows an invalid signature: ${rawBody} If not: ${cause.remediation ?? otherwise}`;
    return { cause: { ...cause, remediation }, doubt, isLikeForged: true, pointers, evidence };
  }
  const isOne = cause.id !== 'payload/combination' || smallest.complete;
  return { cause, doubt: isOne ? undefined : 'There was no time to reduce the event.', pointers, evidence };
}

/** The cause if the endpoint answers with a 200 that the service cannot read; the same cause otherwise. */
async function withUnreadableAnswer(
  cause: Found,
  { unreadable }: EventReception,
  hasString: () => Promise<boolean>,
): Promise<Found> {
  if (!unreadable) return cause;
  const isNotEscaped = brokenJson.has(unreadable.id) && (await hasString());
  return {
    ...cause,
    ...(isNotEscaped && { id: 'payload/answer-not-escaped' }),
    summary: `${cause.summary ?? ''} The status is 200 then, but: ${unreadable.summary}`,
  };
}

/** Whether a string at one of these places is in the answer, and the answer is broken JSON then. */
async function isInserted(sender: EventSender, event: JsonObject, pointers: readonly string[]): Promise<boolean> {
  for (const pointer of pointers.slice(0, mostCauses)) {
    const value = valueAt(event, pointer);
    if (typeof value !== 'string') continue;
    const marked = withValueAt(event, pointer, `${marker} ${value}`);
    const { unreadable, answer } = await sender.send(marked, { label: 'the failing string after a known word' });
    if (!unreadable || !brokenJson.has(unreadable.id) || answer.outcome !== 'answered') continue;
    if (Buffer.from(answer.body).includes(marker)) return true;
  }
  return false;
}

function unstable(cause: Found, doubt: string): One {
  return { cause, doubt, isUnstable: true, pointers: [], evidence: doubt };
}

/** Parts of a valid event have to be valid as well; parts of an invalid one are unrestricted. */
function validLike(surface: DiagnosedSurface, failing: JsonObject): (candidate: unknown) => boolean {
  const { [surface]: schema } = schemaOf;
  // URLs are added when an event is sent.
  const whole = (event: unknown) => withAddress(surface, event as JsonObject);
  if (schema === undefined || !matchesSchema(schema, whole(failing))) return () => true;
  return (candidate) => matchesSchema(schema, whole(candidate));
}

function withAddress(surface: DiagnosedSurface, event: JsonObject): JsonObject {
  const address = 'https://service.example/v1/given';
  if (surface === 'crm-webhook') return { ...event, callbackUrl: address };
  if (surface !== 'own-ai-chat') return event;
  return { ...event, data: { ...(event.data as JsonObject), replyUrl: address } };
}

function add(causes: PayloadCauses, cause: Omit<Suspect, 'why'>, doubt: string | undefined): void {
  const isKnown = [causes.found, ...causes.suspects].some(
    (other) => other?.id === cause.id && other.summary === cause.summary,
  );
  if (isKnown) return;
  if (doubt !== undefined) causes.suspects.push({ ...cause, why: doubt });
  else if (causes.found === undefined) causes.found = cause;
  else causes.suspects.push({ ...cause, why: 'It was confirmed in the same way as the named cause.' });
}
