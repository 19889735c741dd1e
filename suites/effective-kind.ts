import type { CheckKit } from '../harness/checks/check.ts';
import { showsEffect } from './observed-effects.ts';

/**
 * The first kind of delivery with an effect that can be seen; `undefined` when none has. `usual` are tried one after the
 * other, `others` first all at once, since most endpoints without an effect of the usual ones have none at all.
 */
export async function findEffectiveKind<Kind>(
  kit: CheckKit,
  { usual, others }: { usual: readonly Kind[]; others: readonly Kind[] },
  send: (kind: Kind) => Promise<unknown>,
): Promise<Kind | undefined> {
  const firstOf = async (kinds: readonly Kind[]) => {
    for (const kind of kinds) if (await showsEffect(kit, () => send(kind))) return kind;
    return undefined;
  };
  const found = await firstOf(usual);
  if (found !== undefined || others.length === 0) return found;
  return (await showsEffect(kit, () => Promise.all(others.map(send)))) ? await firstOf(others) : undefined;
}
