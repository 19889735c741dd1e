import { describeCauseOn } from '../causes.ts';
import { wrongSchemes } from '../causes/signature.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { Found, Suspect } from '../outcome.ts';
import { otherIdHeaders } from './call-readings.ts';
import type { DifferentialResult } from './differential.ts';
import type { Hypothesis } from './hypotheses.ts';
import type { SchemeId } from './reading.ts';

/** The cause that a scheme amounts to, and the other one if it has two mistakes. */
export interface NamedScheme {
  found: Found;
  others: Suspect[];
}

/** Number of known incorrect schemes of a surface. */
export function knownSchemes(surface: DiagnosedSurface): number {
  return Object.values(wrongSchemes).filter(({ surfaces }) => surfaces.includes(surface)).length;
}

/** Names a scheme that was accepted. */
export function nameScheme(
  scheme: Hypothesis,
  surface: DiagnosedSurface,
  { headerName }: DifferentialResult,
): NamedScheme {
  const isCallSid = otherIdHeaders.some(([name, ofCallSid]) => ofCallSid && name === headerName);
  const names = scheme.names.map((id): SchemeId =>
    isCallSid && id === 'signature/call-wrong-id' ? 'signature/call-sid-signed' : id,
  );
  const [first, ...others] = names as [SchemeId, ...SchemeId[]];
  const forms = scheme.deviations.flatMap(({ form }) => (form === undefined ? [] : [form]));
  const details = [...forms, ...(headerName === undefined ? [] : [headerName])];
  const texts = names.map((id) => describeCauseOn(id, surface));
  const whole = texts.map(({ summary }) => summary).join(' In addition: ');
  return {
    found: {
      id: first,
      summary: details.length === 0 ? whole : `${whole.replace(/\.$/, '')} (${details.join('; ')}).`,
      remediation: [...new Set(texts.map(({ remediation }) => remediation))].join(' '),
    },
    others: others.map((id) => ({
      id,
      why: 'Signatures are accepted only with both mistakes.',
    })),
  };
}
