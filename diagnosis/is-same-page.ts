import type { Answer, Answered } from '../harness/wire/observation.ts';

/** Whether two answers are equal except for the path, dates and ids. */
export function isSamePage(one: Answer, other: Answer, paths: readonly string[]): boolean {
  if (one.outcome !== 'answered' || other.outcome !== 'answered') return false;
  return one.status === other.status && plainPage(one, paths) === plainPage(other, paths);
}

function plainPage({ body }: Answered, paths: readonly string[]): string {
  let text = Buffer.from(body).toString('utf8');
  for (const path of paths.toSorted((a, b) => b.length - a.length)) {
    if (path !== '/') text = text.replaceAll(path, '');
  }
  return text
    .replaceAll(/[0-9a-f-]{16,}|\d+/gi, '0')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
