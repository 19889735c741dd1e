import type { CrmEvent } from './generated/types.ts';

/** Event types as they were numbered until October 2026: the index is the number (interface: CRM webhook events). */
export const legacyEventTypes = [
  'IncomingCallLookup',
  'FinishedCall',
  'NewConversation',
  'ConversationPaused',
  'Manual',
  'FormSubmitted',
] as const satisfies readonly CrmEvent['eventType'][];
