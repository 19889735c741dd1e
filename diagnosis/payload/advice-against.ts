import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { CauseId } from '../causes.ts';
import { parentOf } from './places.ts';

/** Requirements about values without a bound in the interface. */
const unbounded: Readonly<Partial<Record<DiagnosedSurface, RequirementId>>> = {
  'own-ai-chat': 'own-ai-chat/answers-long-and-large-values',
  'crm-webhook': 'crm-webhook/answers-long-and-large-values',
  'api-webhooks': 'api-webhooks/accepts-long-and-large-values',
};
/** The field whose maximum length the interface states. */
const boundedField = 'crmAiInfo';
const parts = ['/contactData', '/projectData'];

/**
 * The advice of the catalogue that such a refusal ignores; `undefined` if the interface requires acceptance. An endpoint
 * may ignore mere advice.
 */
export function adviceAgainst(
  surface: DiagnosedSurface,
  id: CauseId,
  pointers: readonly string[],
): RequirementId | undefined {
  const isCrm = surface === 'crm-webhook';
  if (id === 'payload/large-number') return unbounded[surface];
  if (id === 'payload/long-text') {
    return pointers.every((pointer) => parentOf(pointer).name === boundedField) ? undefined : unbounded[surface];
  }
  // The interface bounds the size of CRM events by stated lengths.
  if (id === 'payload/large-body') return isCrm ? undefined : unbounded[surface];
  if (!isCrm) return undefined;
  if (id === 'payload/missing-field') return 'crm-webhook/accepts-missing-members';
  const isPart = id === 'payload/null-field' && pointers.every((pointer) => parts.includes(pointer));
  return isPart ? 'crm-webhook/accepts-null-parts' : undefined;
}
