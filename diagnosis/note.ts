import type { Diagnosis } from '../specs/types.ts';
import { boundedEvidence } from './bounded-evidence.ts';

/** Lines of evidence in a note that somebody is to read. */
const mostEvidence = 12;

const surfaceWords = {
  'own-ai-chat': 'chat address of the own AI',
  'own-ai-phone': 'phone address of the own AI',
  'crm-webhook': 'CRM webhook',
  'api-webhooks': 'address for appointment events',
} as const;

/**
 * What a person sends on to whoever can mend it: plain text, without secrets once it is redacted.
 *
 * @param commands that repeat it, one each
 */
export function diagnosisNote(
  { surface, url, cause, mend, ranked, knownFine, stages, stage, deliveries, seconds, seed, agentTest }: Diagnosis,
  commands: readonly string[],
): string {
  const evidence = stages.find(({ name }) => name === stage)?.seen ?? [];
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `- ${line}`)];
  return [
    `We looked at the ${surfaceWords[surface]}, ${url}.`,
    '',
    ...(cause
      ? [`Cause: ${cause.text} (${cause.id})`, `What to change: ${mend}`]
      : [
          ranked.length > 0 || stages.some(({ result }) => result === 'suspect')
            ? 'Something is wrong there, and the cause could not be told for certain.'
            : stages.some(({ result }) => result === 'not-reached')
              ? 'Nothing wrong was found as far as we came; not everything could be looked at.'
              : 'Nothing is wrong there.',
        ]),
    ...section(
      cause ? 'What else may be wrong:' : 'What it may be, the likeliest first:',
      ranked.map(({ id, text, why }) => `${text} (${id}) ${why}`),
    ),
    ...(cause || ranked.length > 0
      ? section(`What was seen (${stage}):`, boundedEvidence(evidence, mostEvidence))
      : []),
    ...section('What is fine:', knownFine),
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
