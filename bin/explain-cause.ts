import type { Cause } from '../diagnosis/cause.ts';
import { describeCauseSections, type CauseId } from '../diagnosis/causes.ts';
import { selectSnippets } from '../diagnosis/select-snippets.ts';

/** Finds a cause of the catalogue by its id. */
export async function findCause(id: string): Promise<Cause | undefined> {
  const { causes } = await import('../diagnosis/causes.ts');
  return Object.hasOwn(causes, id) ? causes[id as CauseId] : undefined;
}

/** The description of a cause as rows of label and text. */
export function causeRows(cause: Cause): [string, string][] {
  const { summary, symptom, detection, remediation, surfaces } = cause;
  const code = [...selectSnippets(cause)].map(([topic, on]) => `${topic} (${on.join(', ')})`);
  return [
    ['cause', summary],
    ['symptom', symptom],
    ['detected by', detection],
    ['fix', remediation],
    ['surfaces', surfaces.join(', ')],
    ['source', `interface section ${describeCauseSections(cause)}`],
    ...(code.length === 0
      ? []
      : [
          ['code', `${code.join('; ')}. Print it with --code python, or express, php, java and others`] as [
            string,
            string,
          ],
        ]),
  ];
}
