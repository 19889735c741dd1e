import type { DeduplicationCauseId } from '../causes/deduplication.ts';
import type { DeduplicationProber } from './deduplication-prober.ts';
import { openEvent, type EventMaker, type EventAspect } from './event-maker.ts';
import type { DeduplicationFinding } from './find-unrecognised.ts';

/** Tests whether the endpoint treats different events as duplicates, and by which attribute. */
export async function findFalseDuplicates(
  prober: DeduplicationProber,
  maker: EventMaker,
  type: string,
): Promise<DeduplicationFinding | undefined> {
  const send = async (what: string, event: Record<string, unknown>) => {
    const effects = await prober.send(what, openEvent(prober.connection, event));
    return effects?.accepted === true ? prober.hasEffect(effects) : undefined;
  };
  const first = maker.fresh(type);
  if ((await send('an event', first)) !== true) {
    // An earlier event had an effect. If this one has none, the only attribute they share is the type.
    const other = maker.fresh(maker.otherType(type));
    const hasAnother = await send(`an event of type ${maker.otherType(type)}`, other);
    const again = await send(`another event of type ${type}`, maker.fresh(type));
    if (hasAnother === true && again === false) {
      return {
        found: {
          id: 'deduplication/event-type',
          summary: `Only the first event of type ${type} has an effect.`,
        },
      };
    }
    return again === false ? { suspect: suspectOf('Events after the first had no effect.') } : undefined;
  }
  const sharing = (aspects: readonly EventAspect[]) => {
    const sharesType = aspects.some(({ name }) => name === 'type');
    const event = maker.fresh(sharesType ? type : maker.otherType(type));
    for (const { share } of aspects) share(first, event);
    return event;
  };
  const { aspects: aspects, key } = maker;
  if ((await send(`another event with the same ${list(aspects)}`, sharing(aspects))) !== false) return undefined;
  const decisive: EventAspect[] = [];
  for (const aspect of aspects) {
    const rest = aspects.filter((one) => one !== aspect);
    // With a different value there is an effect: the endpoint distinguishes events by this attribute.
    if ((await send(`another event with another ${aspect.name}`, sharing(rest))) === true) decisive.push(aspect);
  }
  const without = aspects.filter((one) => !decisive.includes(one));
  if (decisive.length === 0)
    return { suspect: suspectOf('An event that differs in one attribute had no effect, for each attribute.') };
  // Counter-check: same in the decisive attributes only, and different in them only.
  const alike = await send(`a new event with the same ${list(decisive)}`, sharing(decisive));
  const apart = await send(`an event with another ${list(decisive)}`, sharing(without));
  if (alike !== false || apart !== true) return { suspect: suspectOf('Some new events had no effect.') };
  const text = `Events with the same ${list(decisive)} are treated as duplicates, though their ${key} differs.`;
  return { found: { id: idOf(decisive), summary: text } };
}

function idOf(decisive: readonly EventAspect[]): DeduplicationCauseId {
  const ids = new Set(decisive.map(({ id }) => id));
  if (ids.size > 1) ids.delete('deduplication/event-type');
  const [only] = ids;
  return ids.size === 1 && only ? only : 'deduplication/content';
}

function suspectOf(why: string) {
  return { id: 'deduplication/content', why } as const;
}

function list(aspects: readonly EventAspect[]): string {
  const names = aspects.map(({ name }) => name);
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
