import type { DiagnosedSurface } from '../specs/generated/types.ts';
import { describeCauseOn } from './causes.ts';
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
  surface: DiagnosedSurface,
  framework: ShownFramework | undefined,
): { id: string; summary: string; remediation: string } {
  const known = describeCauseOn(id, surface);
  const call = framework && adviseCall(id, surface, framework);
  const fix = remediation ?? known.remediation;
  return { id, summary: summary ?? known.summary, remediation: call === undefined ? fix : `${fix} ${call}` };
}
