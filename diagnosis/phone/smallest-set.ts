/**
 * The smallest sublist with the same result as the whole list, by delta debugging. Needs about as many tests as the list
 * can be halved if one item is enough.
 *
 * @param shows tests a sublist; never the whole list or an empty one
 */
export async function smallestSet<Item>(
  items: readonly Item[],
  shows: (part: readonly Item[]) => Promise<boolean>,
): Promise<Item[]> {
  let kept = [...items];
  for (let parts = 2; kept.length > 1;) {
    const chunks = Array.from({ length: parts }, (_, at) =>
      kept.slice(Math.floor((at * kept.length) / parts), Math.floor(((at + 1) * kept.length) / parts)),
    ).filter(({ length }) => length > 0);
    const others = parts === 2 ? [] : chunks.map((chunk) => kept.filter((item) => !chunk.includes(item)));
    const smaller = await firstThat([...chunks, ...others], shows);
    if (smaller) {
      parts = chunks.includes(smaller) ? 2 : Math.max(2, parts - 1);
      kept = smaller;
    } else if (parts >= kept.length) break;
    else parts = Math.min(kept.length, parts * 2);
  }
  return kept;
}

async function firstThat<Item>(
  candidates: readonly Item[][],
  shows: (part: readonly Item[]) => Promise<boolean>,
): Promise<Item[] | undefined> {
  for (const candidate of candidates) if (await shows(candidate)) return candidate;
  return undefined;
}
