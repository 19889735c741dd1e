import type { Diagnosis } from '../specs/generated/types.ts';
import { describeCauseSection } from './causes.ts';
import { boundedEvidence } from './bounded-evidence.ts';
import { diagnosisStatus, type DiagnosisStatus } from './diagnosis-status.ts';
import { surfaceTable } from '../specs/surfaces.ts';

/** Lines of evidence in a note: as many as a person reads. */
const mostEvidence = 12;
/** Replaces a reason that repeats the one before it. */
export const sameReason = '(For the same reason.)';

/**
 * A plain-text summary to forward to the developer who can fix the endpoint. The caller redacts it.
 *
 * @param commands that reproduce the result
 */
export function formatNote(diagnosis: Diagnosis, commands: readonly string[]): string {
  const { surface, url, cause, suspects, passed, notObserved, stages, stage, agentTest } = diagnosis;
  const { deliveries, seconds, seed } = diagnosis;
  const status = diagnosisStatus(diagnosis);
  const evidence = stages.find(({ name }) => name === stage)?.seen ?? [];
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `- ${line}`)];
  return [
    `Diagnosis of the ${surfaceTable[surface].endpoint.address}, ${url}.`,
    '',
    ...(cause
      ? [
          `Cause: ${cause.summary} (${cause.id})`,
          `What to change: ${cause.remediation}`,
          `Required by: ${describeCauseSection(cause.id)}`,
        ]
      : [describeStatus(status, notObserved.length > 0)]),
    ...section(
      cause ? 'What else may be wrong:' : 'Possible causes, most likely first:',
      suspects.map(
        ({ id, summary, why }, at) => `${summary} (${id}) ${why === suspects[at - 1]?.why ? sameReason : why}`,
      ),
    ),
    ...(status === 'passed'
      ? []
      : section(`Evidence (${stage}):`, boundedEvidence(evidence, mostEvidence, 'not shown here'))),
    ...section('What works:', passed),
    ...section('What could not be checked:', notObserved),
    ...(agentTest
      ? section('Result of the connection test in the app:', [
          `success ${agentTest.success}, statusCode ${agentTest.statusCode}, durationMs ${agentTest.durationMs}, error ${agentTest.error ?? 'none'}`,
        ])
      : []),
    '',
    `${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'} in ${seconds} s, seed ${seed}.`,
    ...section('To reproduce it:', commands),
    '',
  ].join('\n');
}

function describeStatus(status: DiagnosisStatus, isPartial: boolean): string {
  if (status === 'suspect') return 'Something is wrong, but the cause could not be determined.';
  if (status === 'incomplete') return 'The diagnosis did not finish; later stages were not checked.';
  return isPartial ? 'Everything that could be checked works.' : 'Everything works.';
}
