import { minimise } from '../../generators/minimise.ts';
import { differences } from '../../generators/differences.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import { matchesSchema } from '../../specs/validators.ts';
import type { Found, Suspect } from '../outcome.ts';
import { adviceAbout } from './advice-about.ts';
import { bodySize, largeBytes } from './body-size.ts';
import { nameDifference } from './name-difference.ts';
import { narrowLists } from './narrow-lists.ts';
import { parentOf, valueAt, withValueAt } from './places.ts';
import type { Json, Taken, Taking } from './taking.ts';
import type { Varied } from './varied-events.ts';

/** Milliseconds for making one refused event smaller. */
const shrinkMs = 20_000;
/** Causes that are looked for in one group of events. */
const mostCauses = 3;

const schemaOf: Readonly<Partial<Record<DiagnosedSurface, SchemaName>>> = {
  'own-ai-chat': 'messageReceived',
  'crm-webhook': 'crmEvent',
  'api-webhooks': 'apiWebhookEvent',
};

/** What makes events fail: the first that was told for sure, and what else was seen. */
export interface Causes {
  found?: Found | undefined;
  suspects: Suspect[];
}

/**
 * Why refused events are refused, each made smaller towards an accepted one and sent once more. What the interface only
 * advises to take is a suspicion, unless `isAsked`: somebody wants to know why just this is refused.
 */
export async function findCauses(
  taking: Taking,
  accepted: Json,
  refused: readonly Varied[],
  { isAsked = false }: { isAsked?: boolean } = {},
): Promise<Causes> {
  const causes: Causes = { suspects: [] };
  /** Places by which earlier events failed, put right in the later ones. */
  const explained: string[] = [];
  for (const { has, event } of refused) {
    let failing = event;
    for (
      let turn = 0;
      turn < mostCauses && (causes.found === undefined || causes.suspects.length < mostCauses);
      turn++
    ) {
      failing = explained.reduce((whole, pointer) => putRight(whole, accepted, pointer), failing);
      if ((turn > 0 || explained.length > 0) && (await taking.send(failing, { label: `what is left of ${has}` })).ok)
        break;
      const one = await findCause(taking, accepted, failing, has);
      if (!one) break;
      taking.seen.push(one.told);
      const advice = isAsked ? undefined : adviceAbout(taking.connection.surface, one.cause.id, one.pointers);
      add(
        causes,
        one.cause,
        one.doubt ?? (advice && `No sentence of the interface says that this must be taken; it is advice (${advice}).`),
      );
      explained.push(...one.pointers.toReversed());
      // A bound for the whole body explains every event that is as large.
      if (one.pointers.length === 0) break;
    }
  }
  return causes;
}

/** The event with one place as in the accepted one; a field of an item, in every item of its list. */
function putRight(event: Json, accepted: Json, pointer: string): Json {
  const value = valueAt(accepted, pointer);
  const [, list, , field] = /^(.*)\/(\d+)\/([^/]+)$/.exec(pointer) ?? [];
  const items = list === undefined ? undefined : valueAt(event, list);
  if (!Array.isArray(items)) return withValueAt(event, pointer, value);
  return items.reduce<Json>((whole, _, at) => withValueAt(whole, `${list}/${at}/${field}`, value), event);
}

interface One {
  cause: Found;
  /** Why it is not sure. */
  doubt: string | undefined;
  pointers: string[];
  told: string;
}

async function findCause(taking: Taking, accepted: Json, failing: Json, has: string): Promise<One | undefined> {
  const { connection } = taking;
  const bytes = Buffer.byteLength(JSON.stringify(failing));
  if (bytes >= largeBytes) {
    const cause = await bodySize(taking, accepted, bytes);
    if (cause) {
      return {
        cause,
        doubt: undefined,
        pointers: [],
        told: `A plain event with white space in it, ${bytes} bytes in all, is refused.`,
      };
    }
  }
  const deadline = performance.now() + Math.min(shrinkMs, connection.remainingMs);
  let refusal: Taken | undefined;
  const isRefused = async (event: Json) => {
    const taken = await taking.send(event, { label: `a part of ${has}` });
    if (!taken.ok) refusal = taken;
    return !taken.ok;
  };
  const isValid = validLike(connection.surface, failing);
  const start = await narrowLists({ failing, accepted }, async (event) => isValid(event) && (await isRefused(event)));
  const smallest = await minimise(start.failing, start.accepted, isRefused, {
    deadline,
    isValid,
    now: () => performance.now(),
  });
  const cause = await nameDifference({ failing: smallest.event, accepted: start.accepted, isRefused, deadline });
  // Both once more: neither an endpoint that fails now and then nor one that has gone down in between is named.
  const again = await taking.send(smallest.event, { label: 'the smallest failing event, again' });
  const plain = await taking.send(start.accepted, { label: 'the accepted event, again' });
  if (again.ok) return unstable(cause, 'When the same event was sent again, it was taken.');
  if (!plain.ok) return unstable(cause, 'The plain event that was taken before is refused now.');
  const rows = differences(smallest.event, start.accepted, 100).map(({ pointer }) => pointer);
  // A list that is too long is put right as a whole.
  const pointers = cause.id === 'payload/many-items' ? rows.map((pointer) => parentOf(pointer).parent) : rows;
  const told = `The smallest event that fails is answered with ${again.words}, twice; without that difference it is taken.`;
  if (await taking.looksLikeBadSignature(accepted, refusal ?? again)) {
    const doubt = `It is refused as a wrong signature is (${again.words}), so the signature may be computed over a body that was read and written again.`;
    return { cause, doubt, pointers, told };
  }
  const isOne = cause.id !== 'payload/combination' || smallest.complete;
  return { cause, doubt: isOne ? undefined : 'There was no time to make the event smaller.', pointers, told };
}

function unstable(cause: Found, doubt: string): One {
  return { cause, doubt, pointers: [], told: doubt };
}

/** Parts of an event that holds to its schema have to hold to it as well; parts of any other may be anything. */
function validLike(surface: DiagnosedSurface, failing: Json): (candidate: unknown) => boolean {
  const { [surface]: schema } = schemaOf;
  // Addresses are given when an event is sent, so they are not there yet.
  const whole = (event: unknown) => withAddress(surface, event as Json);
  if (schema === undefined || !matchesSchema(schema, whole(failing))) return () => true;
  return (candidate) => matchesSchema(schema, whole(candidate));
}

function withAddress(surface: DiagnosedSurface, event: Json): Json {
  const address = 'https://service.example/v1/given';
  if (surface === 'crm-webhook') return { ...event, callbackUrl: address };
  if (surface !== 'own-ai-chat') return event;
  return { ...event, data: { ...(event.data as Json), replyUrl: address } };
}

function add(causes: Causes, cause: Found, doubt: string | undefined): void {
  const isKnown = [causes.found, ...causes.suspects].some(
    (other) => other?.id === cause.id && other.text === cause.text,
  );
  if (isKnown) return;
  if (doubt !== undefined) causes.suspects.push({ ...cause, why: doubt });
  else if (causes.found === undefined) causes.found = cause;
  else causes.suspects.push({ ...cause, why: 'It was seen in the same way as the cause that is named.' });
}
