import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import type { Found, ProbeOutcome } from '../outcome.ts';
import { describeReception, type Offer } from './reception.ts';

/** An invalid signature that was not accepted. */
export interface Refusal {
  /** Completes "A delivery …". */
  label: string;
  /** Invalidates a valid delivery. */
  spoil: (correct: SignedDelivery) => SignedDelivery | undefined;
  offered: Offer;
  /** Sends the same once more. */
  again: () => Promise<Offer | undefined>;
}

/**
 * Finds faults in the refusals of invalid signatures: an exception in place of a refusal, or a status other than 401 for an
 * invalid value. Where the header is missing or cannot be read, any 4xx is correct. One observation is only a suspicion.
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
      summary: `A delivery ${crashed.label} is not refused with 401: ${describeReception(crashed.offered)}.`,
    };
    return again && isCrash(again) ? { found: cause, suspects: [] } : { suspects: [{ ...cause, why: onlyOnce }] };
  }
  const others = refusals.filter(isOther);
  if (!others.some(({ label }) => label === invalidValue)) return { suspects: [] };
  const statuses = [...new Set(others.map(({ offered }) => statusOf(offered)))].join(' and ');
  const cause: Found = {
    id: 'signature/refused-with-another-status',
    summary: `Invalid signatures are refused with status ${statuses}, not with 401.`,
  };
  const isCertain = surface === 'api-webhooks' && others.length > 1;
  return isCertain ? { found: cause, suspects: [] } : { suspects: [{ ...cause, why: doubtOf(surface) }] };
}

/** Label of the delivery that the interface requires to be refused with 401. */
export const invalidValue = 'with an invalid value';
const onlyOnce = 'It was observed once, but not when the same delivery was repeated.';

function doubtOf(surface: DiagnosedSurface): string {
  if (surface === 'api-webhooks') return 'It was observed for one kind of invalid signature only.';
  return 'The interface does not require 401 for an own AI; it is the expected status.';
}

function isCrash({ reception, observation }: Offer): boolean {
  return reception === 'closed' || reception === 'silent' || (statusOf({ observation }) ?? 0) >= 500;
}

function statusOf({ observation: { answer } }: Pick<Offer, 'observation'>): number | undefined {
  return answer.outcome === 'answered' ? answer.status : undefined;
}
