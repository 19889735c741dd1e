import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { Found, ProbeOutcome, Suspect } from '../outcome.ts';
import { describeReception, type Offer } from './reception.ts';

/** An invalid signature that was not accepted. */
export interface Refusal {
  /** Completes "A delivery …". */
  label: string;
  offered: Offer;
  /** Sends the same once more. */
  again: () => Promise<Offer | undefined>;
}

/**
 * Finds faults in the refusals of invalid signatures: an exception in place of a refusal, or a status other than 401, which
 * the interface only advises for own AIs. One observation is only a suspicion.
 */
export async function judgeRefusals(
  refusals: readonly Refusal[],
  surface: DiagnosedSurface,
): Promise<Pick<ProbeOutcome, 'found' | 'suspects'>> {
  if (surface === 'own-ai-phone') return { suspects: [] };
  const usual = refusals.find(({ label }) => label === invalidValue);
  const isOther = ({ offered }: Refusal) => ![401, 429].includes(statusOf(offered) ?? 401);
  // An endpoint that ends every refused request in this way does so on purpose.
  const crashed = usual && !isCrash(usual.offered) ? refusals.find(({ offered }) => isCrash(offered)) : undefined;
  if (crashed) {
    const again = await crashed.again();
    const cause: Found = {
      id: 'signature/wrong-signature-breaks',
      summary: `A delivery ${crashed.label} was not refused with 401; the result was: ${describeReception(crashed.offered)}.`,
    };
    return again && isCrash(again) ? { found: cause, suspects: [] } : { suspects: [{ ...cause, why: onlyOnce }] };
  }
  const others = refusals.filter(isOther);
  if (others.length === 0) return { suspects: [] };
  const statuses = [...new Set(others.map(({ offered }) => statusOf(offered)))].join(' and ');
  const cause: Found = {
    id: 'signature/refused-with-another-status',
    summary: `Invalid signatures are refused with status ${statuses}, not with 401.`,
  };
  const isRequired = surface === 'api-webhooks' && others.some(({ label }) => label === invalidValue);
  return isRequired && others.length > 1 ? { found: cause, suspects: [] } : { suspects: [advised(cause, surface)] };
}

/** Label of the delivery that the interface requires to be refused with 401. */
export const invalidValue = 'with an invalid value';
const onlyOnce = 'It was observed once, but not when the same delivery was repeated.';

function advised(cause: Found, surface: DiagnosedSurface): Suspect {
  const whose = surface === 'api-webhooks' ? 'where the header cannot be read' : 'for an own AI';
  return { ...cause, why: `The interface does not require 401 ${whose}; it is the expected status.` };
}

function isCrash({ reception, observation }: Offer): boolean {
  return reception === 'closed' || reception === 'silent' || (statusOf({ observation }) ?? 0) >= 500;
}

function statusOf({ observation: { answer } }: Pick<Offer, 'observation'>): number | undefined {
  return answer.outcome === 'answered' ? answer.status : undefined;
}
