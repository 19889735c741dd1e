import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { idsOfTheReceiver } from '../../specs/ids-of-the-receiver.ts';
import { limits } from '../../specs/limits.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { CauseId } from '../causes.ts';
import { parentOf } from './places.ts';

/** Requirements about values without a bound in the interface. */
const unbounded: Readonly<Partial<Record<DiagnosedSurface, RequirementId>>> = {
  'own-ai-chat': 'own-ai-chat/answers-long-and-large-values',
  'crm-webhook': 'crm-webhook/answers-long-and-large-values',
  'api-webhooks': 'api-webhooks/accepts-long-and-large-values',
};
/** Characters of a history whose every second turn is a reply of the longest text: an event of that size is normal. */
const historyCharacters = (limits.historyTurns / 2) * limits.ownAiTextCharacters;
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
  { pointers, bytes }: { pointers: readonly string[]; bytes?: number | undefined },
): RequirementId | undefined {
  const isCrm = surface === 'crm-webhook';
  if (id === 'payload/large-number') return unbounded[surface];
  if (id === 'payload/long-text') {
    return pointers.every((pointer) => parentOf(pointer).name === boundedField) ? undefined : unbounded[surface];
  }
  // The interface bounds the size of CRM events by stated lengths.
  if (id === 'payload/large-body') {
    const mustAccept = surface === 'own-ai-chat' && bytes !== undefined && bytes <= historyCharacters;
    return isCrm || mustAccept ? undefined : unbounded[surface];
  }
  if (!isCrm) return undefined;
  if (id === 'payload/missing-field') return 'crm-webhook/accepts-missing-members';
  const areForeignIds = id !== 'payload/null-field' && pointers.length > 0;
  if (areForeignIds && pointers.every((pointer) => idsOfTheReceiver.includes(parentOf(pointer).name))) {
    return 'crm-webhook/answers-unknown-crm-ids';
  }
  const isPart = id === 'payload/null-field' && pointers.every((pointer) => parts.includes(pointer));
  return isPart ? 'crm-webhook/accepts-null-parts' : undefined;
}
