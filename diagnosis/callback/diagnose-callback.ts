import type { Probe } from '../outcome.ts';
import { emptyOutcome } from '../outcome.ts';
import { diagnoseCrmCallback } from './diagnose-crm-callback.ts';
import { diagnoseReply } from './diagnose-reply.ts';

/**
 * Checks what follows the answer: the callback of a CRM, or the reply of an own AI. Waits for at most ten seconds, so
 * anything that the interface allows later stays unknown.
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
