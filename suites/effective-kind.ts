import type { CheckKit } from '../harness/checks/check.ts';
import {
  effectsBetween,
  hasEffect,
  observeEffects,
  settledState,
  showsEffect,
  stateAfterEffect,
  type Delivered,
  type ObservedDelivery,
} from './observed-effects.ts';

/** A kind of delivery with an effect that can be seen. */
interface EffectiveKind<Kind> {
  kind: Kind;
  /** The latest delivery of this kind. */
  observed: ObservedDelivery;
}

/**
 * The first kind of delivery with an effect that can be seen; `undefined` when none has. `others` are sent one after the
 * other before each is tried by itself, since most endpoints without an effect of the `usual` ones have none at all. They
 * are omitted where nothing that the run has sent so far had an effect.
 */
export async function findEffectiveKind<Kind>(
  kit: CheckKit,
  { usual, others }: { usual: readonly Kind[]; others: readonly Kind[] },
  send: (kind: Kind) => Promise<Delivered>,
): Promise<EffectiveKind<Kind> | undefined> {
  const firstOf = async (kinds: readonly Kind[], isLate: boolean): Promise<EffectiveKind<Kind> | undefined> => {
    for (const kind of kinds) {
      const observed = await observeEffects(kit, () => send(kind), { isLate, isPatient: true });
      if (hasEffect(observed.effects)) return { kind, observed };
    }
    return undefined;
  };
  const atFirst = await settledState(kit, 'the state before');
  const atOnce = await firstOf(usual, false);
  // The first time it could have been the late effect of another kind.
  const confirmed = atOnce && (await firstOf([atOnce.kind], false));
  if (confirmed) return confirmed;
  const after = await stateAfterEffect(kit, atFirst, 'the state after deliveries of several types');
  const found = hasEffect(effectsBetween(kit, atFirst, after)) ? await firstOf(usual, true) : undefined;
  const { observe, inbox, settings } = kit;
  const isWholeRun = settings.only.length === 0;
  if (found !== undefined || (isWholeRun && !observe && inbox.apiEffects.count === 0)) return found;
  const sendAll = async () => {
    for (const kind of others) await send(kind);
  };
  if (!(await showsEffect(kit, sendAll))) return undefined;
  // How late effects are is known by now.
  return await firstOf(others, false);
}
