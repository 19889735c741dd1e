import type { Probe } from '../outcome.ts';
import { emptyOutcome } from '../outcome.ts';
import { diagnoseCrmCallback } from './diagnose-crm-callback.ts';
import { diagnoseReply } from './diagnose-reply.ts';

/**
 * Looks at what follows an answer that comes later: the callback of a CRM, or the reply of an own AI. Waits for ten
 * seconds at the most, so what the interface allows to come later stays open.
 */
export const diagnoseCallback: Probe = async (connection, failing) => {
  switch (connection.surface) {
    case 'crm-webhook':
      return await diagnoseCrmCallback(connection, failing);
    case 'own-ai-chat':
      return await diagnoseReply(connection, failing);
    case 'api-webhooks':
    case 'own-ai-phone':
      return emptyOutcome;
  }
};
