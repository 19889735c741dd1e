import type { RequirementId } from '../../specs/requirements/catalogue.ts';

/** What everything else on a surface rests on; while one of these fails, finer failures mostly follow from it. */
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

/** Place of a requirement among those of one outcome: basic acceptance in its order, everything else after it. */
export function basicRank(id: string): number {
  return ranks.get(id) ?? basic.length;
}
