import { causeOf } from './causes.ts';
import type { ShownFramework } from './detect-framework.ts';
import { adviseCall } from './framework-call.ts';
import type { Found } from './outcome.ts';

/**
 * The details found at this endpoint, or else the text of the catalogue.
 *
 * @param framework the one whose call the fix names
 */
export function describeCause(
  { id, summary, remediation }: Found,
  framework?: ShownFramework,
): { id: string; summary: string; remediation: string } {
  const known = causeOf(id);
  const call = framework && adviseCall(id, framework);
  const fix = remediation ?? known.remediation;
  return { id, summary: summary ?? known.summary, remediation: call === undefined ? fix : `${fix} ${call}` };
}
