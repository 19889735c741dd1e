import type { CheckKit } from '../harness/checks/check.ts';
import { showsEffect } from './observed-effects.ts';

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
  const found = await firstEffective(usual, (kind) => showsEffect(kit, () => send(kind)));
  const { observe, inbox, settings } = kit;
  const isWholeRun = settings.only.length === 0;
  if (found !== undefined || (isWholeRun && !observe && inbox.apiEffects.count === 0)) return found;
  const sendAll = async () => {
    for (const kind of others) await send(kind);
  };
  if (!(await showsEffect(kit, sendAll))) return undefined;
  // How late effects are is known by now.
  return await firstEffective(others, (kind) => showsEffect(kit, () => send(kind), { isLate: false }));
}

async function firstEffective<Kind>(
  kinds: readonly Kind[],
  isEffective: (kind: Kind) => Promise<boolean>,
): Promise<Kind | undefined> {
  for (const kind of kinds) if (await isEffective(kind)) return kind;
  return undefined;
}
