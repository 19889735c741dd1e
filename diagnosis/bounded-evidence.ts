/** The first and last lines of evidence, with a line for the omitted ones in between that names `where` they are. */
export function boundedEvidence(seen: readonly string[], most: number, where = '--json has them'): string[] {
  if (seen.length <= most) return [...seen];
  const first = Math.floor(most / 3);
  const last = most - first - 1;
  const left = seen.length - first - last;
  return [...seen.slice(0, first), `(${left} more; ${where})`, ...seen.slice(-last)];
}
