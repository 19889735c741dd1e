import { answerCauses } from './causes/answer.ts';
import { callbackCauses } from './causes/callback.ts';
import { configCauses } from './causes/config.ts';
import { deduplicationCauses } from './causes/deduplication.ts';
import { httpCauses } from './causes/http.ts';
import { networkCauses } from './causes/network.ts';
import { payloadCauses } from './causes/payload.ts';
import { phoneCauses } from './causes/phone.ts';
import { signatureTimeCauses } from './causes/signature-time.ts';
import { signatureWeakCauses } from './causes/signature-weak.ts';
import { signatureCauses } from './causes/signature.ts';
import { timingCauses } from './causes/timing.ts';
import { tlsCauses } from './causes/tls.ts';
import { tokenCauses } from './causes/token.ts';
import type { DiagnosedSurface } from '../specs/generated/types.ts';
import type { Cause } from './cause.ts';

/** All causes, in the order of the stages. */
export const causes = {
  ...configCauses,
  ...networkCauses,
  ...tlsCauses,
  ...httpCauses,
  ...signatureCauses,
  ...signatureTimeCauses,
  ...signatureWeakCauses,
  ...tokenCauses,
  ...timingCauses,
  ...payloadCauses,
  ...deduplicationCauses,
  ...callbackCauses,
  ...answerCauses,
  ...phoneCauses,
} as const satisfies Record<string, Cause>;

/** `area/slug`, stable once released. */
export type CauseId = keyof typeof causes;

/** The section of the interface that states what a cause violates on a surface. */
export function describeCauseSection(id: string, surface: DiagnosedSurface): string {
  const { section, onSurface } = causeOf(id as CauseId);
  return `interface section "${onSurface?.[surface]?.section ?? section}"`;
}

/** The sections of the interface that state what a cause violates, each in quotation marks; own ones with their surface. */
export function describeCauseSections({ section, onSurface = {} }: Cause): string {
  const others = Object.entries(onSurface).flatMap(([surface, { section: own }]) =>
    own === undefined ? [] : [`${surface}: "${own}"`],
  );
  return [`"${section}"`, ...others].join('; ');
}

/** The sentence and the fix of a cause in the words of a surface. */
export function describeCauseOn(id: CauseId, surface: DiagnosedSurface): Pick<Cause, 'summary' | 'remediation'> {
  const cause: Cause = causes[id];
  const { summary = cause.summary, remediation = cause.remediation } = cause.onSurface?.[surface] ?? {};
  return { summary, remediation };
}

/** Returns the cause with this id. */
export function causeOf(id: CauseId): Cause {
  return causes[id];
}
