import type { CheckKit } from '../harness/checks/check.ts';
import { effectsBetween, hasEffect, settledState, showsEffect, stateAfterEffect } from './observed-effects.ts';

/**
 * The first kind of delivery with an effect that can be seen; `undefined` when none has. `others` are sent one after the
 * other before each is tried by itself, since most endpoints without an effect of the `usual` ones have none at all. They
 * are omitted where nothing that the run has sent so far had an effect.
 */
export async function findEffectiveKind<Kind>(
  kit: CheckKit,
  { usual, others }: { usual: readonly Kind[]; others: readonly Kind[] },
  send: (kind: Kind) => Promise<unknown>,
): Promise<Kind | undefined> {
  const isEffective = (kind: Kind) => showsEffect(kit, () => send(kind));
  const isEffectiveAtOnce = (kind: Kind) => showsEffect(kit, () => send(kind), { isLate: false });
  const atFirst = await settledState(kit, 'the state before');
  const atOnce = await firstOf(usual, isEffectiveAtOnce);
  // The first time it could have been the late effect of another kind.
  if (atOnce !== undefined && (await isEffectiveAtOnce(atOnce))) return atOnce;
  const after = await stateAfterEffect(kit, atFirst, 'the state after deliveries of several types');
  const found = hasEffect(effectsBetween(kit, atFirst, after)) ? await firstOf(usual, isEffective) : undefined;
  const { observe, inbox, settings } = kit;
  const isWholeRun = settings.only.length === 0;
  if (found !== undefined || (isWholeRun && !observe && inbox.apiEffects.count === 0)) return found;
  const sendAll = async () => {
    for (const kind of others) await send(kind);
  };
  if (!(await showsEffect(kit, sendAll))) return undefined;
  // How late effects are is known by now.
  return await firstOf(others, isEffectiveAtOnce);
}

async function firstOf<Kind>(
  kinds: readonly Kind[],
  isEffective: (kind: Kind) => Promise<boolean>,
): Promise<Kind | undefined> {
  for (const kind of kinds) if (await isEffective(kind)) return kind;
  return undefined;
}
