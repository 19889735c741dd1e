/**
 * The first and last lines of evidence, with a line for the omitted ones in between that names `where` they are. Equal
 * lines in a row become one line with their number.
 */
export function boundedEvidence(seen: readonly string[], most: number, where = '--json has them'): string[] {
  const lines = withoutRepetition(seen);
  if (lines.length <= most) return lines;
  const first = Math.floor(most / 3);
  const last = most - first - 1;
  const left = lines.length - first - last;
  return [...lines.slice(0, first), `(${left} more; ${where})`, ...lines.slice(-last)];
}

function withoutRepetition(lines: readonly string[]): string[] {
  const runs: { line: string; count: number }[] = [];
  for (const line of lines) {
    const latest = runs.at(-1);
    if (latest?.line === line) latest.count++;
    else runs.push({ line, count: 1 });
  }
  return runs.map(({ line, count }) => (count === 1 ? line : `${line.replace(/\.$/, '')} (${count} times).`));
}
