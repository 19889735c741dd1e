import type { Diagnosis } from '../specs/types.ts';
import { boundedEvidence } from './bounded-evidence.ts';
import { standingOf, type Standing } from './standing.ts';

/** Lines of evidence in a note that somebody is to read. */
const mostEvidence = 12;
/** In the place of a reason that stands right before. */
export const sameReason = '(For the same reason.)';

const surfaceWords = {
  'own-ai-chat': 'chat address of the own AI',
  'own-ai-phone': 'phone address of the own AI',
  'crm-webhook': 'CRM webhook',
  'api-webhooks': 'address for appointment events',
} as const;

/**
 * What a person sends on to whoever can fix it: plain text, without secrets once it is redacted.
 *
 * @param commands that repeat it, one each
 */
export function diagnosisNote(diagnosis: Diagnosis, commands: readonly string[]): string {
  const { surface, url, cause, remediation, ranked, passed, notObserved = [], stages, stage, agentTest } = diagnosis;
  const { deliveries, seconds, seed } = diagnosis;
  const standing = standingOf(diagnosis);
  const evidence = stages.find(({ name }) => name === stage)?.seen ?? [];
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `- ${line}`)];
  return [
    `We looked at the ${surfaceWords[surface]}, ${url}.`,
    '',
    ...(cause
      ? [`Cause: ${cause.text} (${cause.id})`, `What to change: ${remediation}`]
      : [verdictWords(standing, notObserved.length > 0)]),
    ...section(
      cause ? 'What else may be wrong:' : 'What it may be, the likeliest first:',
      ranked.map(({ id, text, why }, at) => `${text} (${id}) ${why === ranked[at - 1]?.why ? sameReason : why}`),
    ),
    ...(standing === 'fine'
      ? []
      : section(`What was seen (${stage}):`, boundedEvidence(evidence, mostEvidence, 'not shown here'))),
    ...section('What is fine:', passed),
    ...section('What could not be seen:', notObserved),
    ...(agentTest
      ? section('What the connection test of the app shows:', [
          `success ${agentTest.success}, statusCode ${agentTest.statusCode}, durationMs ${agentTest.durationMs}, error ${agentTest.error ?? 'none'}`,
        ])
      : []),
    '',
    `${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'} in ${seconds} s, seed ${seed}.`,
    ...section('To repeat it:', commands),
    '',
  ].join('\n');
}

function verdictWords(standing: Standing, isPartial: boolean): string {
  if (standing === 'suspect') return 'Something is wrong there, and the cause could not be told for certain.';
  if (standing === 'cut') return 'Not everything could be looked at there, so nothing is said of the rest.';
  return isPartial ? 'Nothing is wrong in what could be seen there.' : 'Nothing is wrong there.';
}
