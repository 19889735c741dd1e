import type { Cause } from '../diagnosis/cause.ts';
import type { CauseId } from '../diagnosis/causes.ts';

/** A cause of the catalogue, by its id; `undefined` when none has it. */
export async function causeNamed(id: string): Promise<Cause | undefined> {
  const { causes } = await import('../diagnosis/causes.ts');
  return Object.hasOwn(causes, id) ? causes[id as CauseId] : undefined;
}

/** What there is to say of a cause, as a label and a text each. */
export function causeRows({ text, sees, tell, mend, surfaces, section, snippet }: Cause): [string, string][] {
  return [
    ['cause', text],
    ['seen', sees],
    ['told by', tell],
    ['mend', mend],
    ['on', `${surfaces.join(', ')}. Interface, section "${section}".`],
    ...(snippet === undefined ? [] : [['code', `docs/snippets.md, ${snippet}`] as [string, string]]),
  ];
}
