import type { DeduplicationCauseId } from '../causes/deduplication.ts';
import type { DeduplicationDesk } from './deduplication-desk.ts';
import { openEvent, type EventMaker, type Facet } from './delivered-events.ts';
import type { Finding } from './find-forgotten.ts';

/** Whether different events are taken for one because they have something in common, and what that is. */
export async function findMixedUp(
  desk: DeduplicationDesk,
  maker: EventMaker,
  type: string,
): Promise<Finding | undefined> {
  const send = async (what: string, event: Record<string, unknown>) => {
    const brought = await desk.send(what, openEvent(desk.connection, event));
    return brought?.accepted === true ? desk.hasEffect(brought) : undefined;
  };
  const first = maker.fresh(type);
  if ((await send('an event', first)) !== true) {
    // One had an effect before; that this has none is the question itself, with all that both have in common: the type.
    const other = maker.fresh(maker.otherType(type));
    const hasAnother = await send(`an event of type ${maker.otherType(type)}`, other);
    const again = await send(`another event of type ${type}`, maker.fresh(type));
    if (hasAnother === true && again === false) {
      return {
        found: { id: 'deduplication/event-type', text: `Of all events of type ${type} only the first has an effect.` },
      };
    }
    return again === false ? { suspect: suspectOf('Events after the first had no effect.') } : undefined;
  }
  const sharing = (facets: readonly Facet[]) => {
    const sharesType = facets.some(({ name }) => name === 'type');
    const event = maker.fresh(sharesType ? type : maker.otherType(type));
    for (const { share } of facets) share(first, event);
    return event;
  };
  const { facets, key } = maker;
  if ((await send(`another event with the same ${list(facets)}`, sharing(facets))) !== false) return undefined;
  const decisive: Facet[] = [];
  for (const facet of facets) {
    const rest = facets.filter((one) => one !== facet);
    // Without it there is an effect: it is a part of what events are told apart by.
    if ((await send(`another event with another ${facet.name}`, sharing(rest))) === true) decisive.push(facet);
  }
  const without = facets.filter((one) => !decisive.includes(one));
  if (decisive.length === 0)
    return { suspect: suspectOf('An event that is new in one respect had no effect, in whichever it was.') };
  // The counterparts: new in all but the decisive has none, new in all of the decisive has one.
  const alike = await send(`a new event with the same ${list(decisive)}`, sharing(decisive));
  const apart = await send(`an event with another ${list(decisive)}`, sharing(without));
  if (alike !== false || apart !== true) return { suspect: suspectOf('Some events that are new had no effect.') };
  const text = `Events with the same ${list(decisive)} are taken for one, though their ${key} differs.`;
  return { found: { id: idOf(decisive), text } };
}

function idOf(decisive: readonly Facet[]): DeduplicationCauseId {
  const ids = new Set(decisive.map(({ id }) => id));
  if (ids.size > 1) ids.delete('deduplication/event-type');
  const [only] = ids;
  return ids.size === 1 && only ? only : 'deduplication/content';
}

function suspectOf(why: string) {
  return { id: 'deduplication/content', why } as const;
}

function list(facets: readonly Facet[]): string {
  const names = facets.map(({ name }) => name);
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
