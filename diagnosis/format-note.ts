import type { Diagnosis, StageName } from '../specs/generated/types.ts';
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
  const evident = cause ? undefined : stages.find(({ result }) => result === 'suspect');
  const { name: place = stage, seen: evidence = [] } = evident ?? stages.find(({ name }) => name === stage) ?? {};
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `- ${line}`)];
  return [
    `Diagnosis of the ${surfaceTable[surface].endpoint.address}, ${url}.`,
    '',
    ...(cause
      ? [
          `Cause: ${cause.summary} (${cause.id})`,
          `What to change: ${cause.remediation}`,
          `Required by: ${describeCauseSection(cause.id, surface)}`,
        ]
      : [describeStatus(status, diagnosis)]),
    ...section(
      `${suspectsHeading(diagnosis)}:`,
      suspects.map(
        ({ id, summary, why, remediation }, at) =>
          `${summary} (${id}) ${why === suspects[at - 1]?.why ? sameReason : why} What to change: ${remediation}`,
      ),
    ),
    ...(status === 'passed'
      ? []
      : section(`Evidence (${place}):`, boundedEvidence(evidence, mostEvidence, 'not shown here'))),
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

/** The stage that finds advice which is not followed. */
const adviceStage: StageName = 'protocol';

type Diagnosed = Pick<Diagnosis, 'suspects' | 'notObserved' | 'stage' | 'stages' | 'agentTest'>;

/** The result of a diagnosis without a cause, as a sentence. */
export function describeStatus(
  status: DiagnosisStatus,
  { suspects, notObserved, stage, stages, agentTest }: Diagnosed,
): string {
  const isElsewhere = stages.some(({ name, result }) => result === 'suspect' && name !== adviceStage);
  const isAdvice = isOnlyAdvice(suspects) && !isElsewhere && agentTest?.success !== false;
  if (status === 'suspect' && !isAdvice) return 'Something is wrong, but the cause could not be determined.';
  if (status === 'incomplete' || stages.some(({ result }) => result === 'not-reached')) {
    return `The diagnosis did not finish: it ended in the stage ${stage}.`;
  }
  const works = notObserved.length > 0 ? 'Everything that could be checked works' : 'Everything works';
  return isAdvice ? `${works}, but not all advice is followed.` : `${works}.`;
}

/** The heading of the list of suspects. */
export function suspectsHeading({ cause, suspects }: Pick<Diagnosis, 'cause' | 'suspects'>): string {
  if (cause) return 'What else may be wrong';
  return isOnlyAdvice(suspects) ? 'Advice that is not followed' : 'Possible causes, most likely first';
}

function isOnlyAdvice(suspects: Diagnosis['suspects']): boolean {
  return suspects.length > 0 && suspects.every(({ confirmed }) => confirmed);
}
