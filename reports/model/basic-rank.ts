import type { RequirementId } from '../../specs/requirements/catalogue.ts';

/** Requirements that all others of a surface depend on; while one of these fails, other failures mostly follow. */
const basic: readonly RequirementId[] = [
  'crm-webhook/accepts-the-token',
  'crm-webhook/answers-every-event',
  'api-webhooks/accepts-valid-signature',
  'api-webhooks/accepts-every-event-type',
  'own-ai-chat/accepts-valid-signature',
  'own-ai-chat/answers-ping',
  'own-ai-chat/answers-messages',
  'own-ai-phone/connects-within-5-seconds',
  'own-ai-phone/accepts-valid-signature',
  'own-ai-phone/answers-a-prompt',
];

const ranks = new Map<string, number>(basic.map((id, rank) => [id, rank]));

/** Rank of a requirement within its outcome: basic requirements in their order, then all others. */
export function basicRank(id: string): number {
  return ranks.get(id) ?? basic.length;
}
