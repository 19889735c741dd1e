/** Names listed at most, to keep a hint short. */
const mostNames = 3;
/** Share of a name's characters that may differ in a typing error. */
const slip = 0.4;

/** `A, B or C`. */
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The names most similar to `text`, nearest first; at most three. */
export function nearest(text: string, names: Iterable<string>): string[] {
  const wanted = text.toLowerCase();
  const scored = [...names].flatMap((name) => {
    const known = name.toLowerCase();
    if (wanted.length >= 3 && (known.includes(wanted) || wanted.includes(known))) return [{ name, distance: 0.5 }];
    const distance = editDistance(wanted, known);
    return distance <= Math.max(wanted.length, known.length) * slip ? [{ name, distance }] : [];
  });
  return scored
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, mostNames)
    .map(({ name }) => name);
}

/** ` Did you mean …?` with the nearest names, or nothing when none is near. */
export function suggestion(text: string, names: Iterable<string>): string {
  const near = nearest(text, names);
  return near.length === 0 ? '' : ` Did you mean ${alternatives.format(near)}?`;
}

/** Characters to insert, delete or replace to turn one string into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
